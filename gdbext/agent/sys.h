/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * System calls of the agent's own.  They go around libc: no errno is written,
 * no vector register is touched, and nothing of the program's is called.  They
 * have no privilege: what the program may not do in the cage, they may not either.
 */
#ifndef GDBEXT_AGENT_SYS_H
#define GDBEXT_AGENT_SYS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>

/* The result, or minus the error. */
static inline long sys6(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static inline long sys4(long number, long a, long b, long c, long d)
{
	return sys6(number, a, b, c, d, 0, 0);
}

static inline long sys3(long number, long a, long b, long c)
{
	return sys4(number, a, b, c, 0);
}

/* At this address and no other; NULL when it is taken. */
void *sys_map_at(uint64_t address, uint64_t size, int protection, int flags, int fd,
		 uint64_t offset);
/* Copies memory of the process; false when some of it is not there. */
bool sys_read_memory(uint64_t from, void *to, uint64_t size);
/* Opens for good: a transient descriptor. */
int sys_open(const char *path, int flags, int mode);
void sys_close(int fd);
uint64_t sys_file_size(int fd);
void sys_say(const char *text, const char *more); /* one line on standard error */
__attribute__((noreturn)) void sys_exit(int status);

#endif
