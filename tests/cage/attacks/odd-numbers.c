/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of calls with bits that the kernel does not look at, and the page that stood for some. */
#include "tests/cage/attack.h"

static long raw(unsigned long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}

ATTACK(odd_numbers)
{
	static const unsigned long tops[] = { 1ul << 32, 1ul << 63, 0xffffffff00000000 };
	long (*old_time)(long *) = (long (*)(long *))0xffffffffff600400; /* vsyscall */

	for (unsigned i = 0; i < sizeof tops / sizeof *tops; i++) {
		raw(tops[i] | SYS_unlink, (long)w->file, 0, 0);
		raw(tops[i] | SYS_open, (long)w->file, O_WRONLY | O_TRUNC, 0);
		raw(tops[i] | SYS_kill, w->victim, SIGKILL, 0);
	}
	/* The kernel looks at the lower halves of these. */
	raw(SYS_kill, (long)(1ul << 32 | (unsigned)w->victim), (long)(1ul << 32 | SIGTERM), 0);
	raw(SYS_fcntl, FD_SOCKET, (long)(1ul << 32 | F_SETOWN), w->victim);
	raw(SYS_ioctl, FD_TERMINAL, (long)(1ul << 32 | TIOCEXCL), 0);
	raw(SYS_open, (long)w->file, (long)(1ul << 32 | O_WRONLY | O_TRUNC), 0);
	old_time(NULL);
	raw(SYS_unlink, (long)w->file, 0, 0);
}
