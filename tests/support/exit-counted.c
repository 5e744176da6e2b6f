/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `make coverage' links this in the place of _exit(): a child that leaves so would lose the counts
 * of what it executed. */
#include <unistd.h>

void __gcov_dump(void) __attribute__((weak));
void __gcov_reset(void) __attribute__((weak));
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));

void __wrap__exit(int status)
{
	if (__gcov_dump)
		__gcov_dump();
	if (__gcov_reset) /* a parent that shares the memory goes on counting */
		__gcov_reset();
	__real__exit(status);
}
