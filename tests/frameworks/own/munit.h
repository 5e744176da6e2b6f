/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stand-in for munit: a process for each test unless --no-fork is given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static jmp_buf munit_jump;

__attribute__((noinline, noreturn)) static void munit_errorf_ex(const char *file, int line,
								 const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s:%d: ", file, line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	longjmp(munit_jump, 1);
}
#define munit_assert_int(a, op, b) \
	do { \
		int munit_a = (a), munit_b = (b); \
		if (!(munit_a op munit_b)) \
			munit_errorf_ex(__FILE__, __LINE__, \
					"assertion failed: %s %s %s (%d %s %d)", #a, #op, #b, \
					munit_a, #op, munit_b); \
	} while (0)
static int munit_run(void (*test)(void))
{
	if (setjmp(munit_jump))
		return 1;
	test();
	return 0;
}
static int munit_test(void (*test)(void), int argc, char **argv)
{
	int status = 1;
	pid_t child;

	if (argc > 1 && strcmp(argv[1], "--no-fork") == 0)
		return munit_run(test);
	child = fork();
	if (child == 0)
		_exit(munit_run(test));
	waitpid(child, &status, 0);
	return status != 0;
}
