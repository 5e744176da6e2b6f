/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entry for 32-bit programs: the run must end, or the call must fail. */
#include "tests/cage/attack.h"

ATTACK(thirty_two_bits)
{
	long result;
	char *low = mmap((void *)0x10000000, 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	strcpy(low, "file");
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(10 /* unlink */), "b"(low) : "memory");
}
