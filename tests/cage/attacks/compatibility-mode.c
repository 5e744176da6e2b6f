/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 32-bit code: the other segment, then the other entries to the kernel. */
#include "tests/cage/attack.h"

/* mov $10 (unlink), %eax; mov $NAME, %ebx; int $0x80 */
static const unsigned char by_interrupt[] = { 0xb8, 10, 0, 0, 0, 0xbb, 0, 0, 0, 0x10, 0xcd, 0x80 };

ATTACK(compatibility_mode)
{
	char *low = mmap((void *)0x10000000, 8192, PROT_READ | PROT_WRITE | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	(void)w;
	strcpy(low, "file");
	memcpy(low + 4096, by_interrupt, sizeof by_interrupt);
	memcpy(low + 4096 + sizeof by_interrupt, "\x0f\x34\x0f\x05\xf4", 5); /* sysenter … */
	__asm__ volatile("mov %0, %%rsp\n\t"
			 "pushq $0x23\n\t"
			 "pushq %1\n\t"
			 "lretq"
			 :
			 : "r"(low + 2048), "r"((long)(low + 4096))
			 : "memory");
}
