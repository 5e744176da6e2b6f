/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stand-in for minunit: a failing check sets a variable and returns. */
#include <stdio.h>

static int minunit_run, minunit_assert, minunit_fail, minunit_status;
static char minunit_last_message[1024];

#define mu_assert_int_eq(expected, result) \
	do { \
		int minunit_tmp_e = (expected), minunit_tmp_r = (result); \
		minunit_assert++; \
		if (minunit_tmp_e != minunit_tmp_r) { \
			snprintf(minunit_last_message, sizeof(minunit_last_message), \
				 "%s failed: %d expected but was %d", __func__, minunit_tmp_e, \
				 minunit_tmp_r); \
			minunit_status = 1; \
			return; \
		} \
	} while (0)
#define MU_RUN_TEST(test) \
	do { \
		minunit_status = 0; \
		test(); \
		minunit_run++; \
		if (minunit_status) { \
			minunit_fail++; \
			puts(minunit_last_message); \
		} \
	} while (0)
