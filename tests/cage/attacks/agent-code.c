/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls each system call instruction of the recorder's with arguments of its own: one that was
 * allowed because of where it stands would do it.  What follows it may crash; the harm would
 * have been done. */
#include "tests/cage/attack.h"

#include <setjmp.h>

static sigjmp_buf back;

static void on_crash(int signo)
{
	siglongjmp(back, signo);
}

static void call_at(unsigned long at, const char *path)
{
	long result = SYS_unlink;

	__asm__ volatile("push %%rbp\n\tsub $512,%%rsp\n\tcall *%2\n\tadd $512,%%rsp\n\tpop %%rbp"
			 : "+a"(result)
			 : "D"(path), "b"(at)
			 : "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
			   "r15", "memory");
}

ATTACK(agent_code)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	volatile unsigned long from = 0, to = 0;
	char line[4200];

	while (maps && fgets(line, sizeof line, maps))
		if (strstr(line, "r-xp") && strstr(line, "gdb-why-agent")) {
			unsigned long a, b;

			if (sscanf(line, "%lx-%lx", &a, &b) == 2)
				from = a, to = b;
		}
	signal(SIGSEGV, on_crash);
	signal(SIGILL, on_crash);
	signal(SIGBUS, on_crash);
	signal(SIGALRM, on_crash);
	for (volatile unsigned long at = from; at + 1 < to; at++) {
		if (((volatile unsigned char *)at)[0] != 0x0f ||
		    ((volatile unsigned char *)at)[1] != 0x05)
			continue;
		if (!sigsetjmp(back, 1))
			call_at(at, w->file);
	}
}
