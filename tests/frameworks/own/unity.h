/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stand-in for Unity: a failing check jumps away. */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf unity_abort;
static int unity_failures;

__attribute__((noinline)) static void UnityFail(const char *message, unsigned line)
{
	printf("%u:FAIL:%s\n", line, message);
	unity_failures++;
	longjmp(unity_abort, 1);
}
__attribute__((noinline)) static void UnityAssertEqualNumber(long expected, long actual,
							     const char *message, unsigned line,
							     int style)
{
	(void)message, (void)style;
	if (expected == actual)
		return;
	printf("%u:FAIL: Expected %ld Was %ld\n", line, expected, actual);
	unity_failures++;
	longjmp(unity_abort, 1);
}
__attribute__((noinline)) static void UnityAssertEqualString(const char *expected,
							     const char *actual,
							     const char *message, unsigned line)
{
	(void)message;
	if (strcmp(expected, actual) == 0)
		return;
	printf("%u:FAIL: Expected '%s' Was '%s'\n", line, expected, actual);
	unity_failures++;
	longjmp(unity_abort, 1);
}
#define TEST_ASSERT_TRUE(condition) \
	do { \
		if (!(condition)) \
			UnityFail(" Expected TRUE Was FALSE", __LINE__); \
	} while (0)
#define TEST_ASSERT_EQUAL_INT(expected, actual) \
	UnityAssertEqualNumber((expected), (actual), NULL, __LINE__, 0)
#define TEST_ASSERT_EQUAL_STRING(expected, actual) \
	UnityAssertEqualString((expected), (actual), NULL, __LINE__)
#define RUN_TEST(test) \
	do { \
		if (!setjmp(unity_abort)) \
			test(); \
	} while (0)
