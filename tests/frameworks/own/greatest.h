/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stand-in for greatest: a failing check notes its line and returns. */
#include <stdio.h>

static struct {
	unsigned passed, failed;
	const char *fail_file;
	unsigned fail_line;
	const char *msg;
} greatest_info;

#define FAILm(MSG) \
	do { \
		greatest_info.fail_file = __FILE__; \
		greatest_info.fail_line = __LINE__; \
		greatest_info.msg = MSG; \
		return -1; \
	} while (0)
#define PASS() return 0
#define ASSERT_EQ(EXP, GOT) \
	do { \
		if ((EXP) != (GOT)) \
			FAILm(#EXP " != " #GOT); \
	} while (0)
#define RUN_TEST(test) \
	do { \
		if (test() == 0) \
			greatest_info.passed++; \
		else \
			greatest_info.failed++; \
	} while (0)
