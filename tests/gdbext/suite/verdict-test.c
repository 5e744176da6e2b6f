/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/verdict.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const struct suite_end zero = { .kind = SUITE_EXITED }, three = { .number = 3 },
			      abort_ = { .kind = SUITE_SIGNALLED, .number = SIGABRT },
			      told_abort = { .number = 128 + SIGABRT }, large = { .number = 255 },
			      late = { .kind = SUITE_TIMED_OUT };

static void by_status(void **state)
{
	(void)state;
	assert_int_equal(suite_judge(&zero, true, SUITE_BY_STATUS, NULL), SUITE_PASSED);
	assert_int_equal(suite_judge(&three, true, SUITE_BY_STATUS, NULL), SUITE_FAILED_STATUS);
	assert_int_equal(suite_judge(&large, false, SUITE_BY_STATUS, NULL), SUITE_FAILED_STATUS);
	assert_int_equal(suite_judge(&abort_, true, SUITE_BY_STATUS, NULL), SUITE_FAILED_CRASH);
	assert_int_equal(suite_judge(&told_abort, true, SUITE_BY_STATUS, NULL),
			 SUITE_FAILED_STATUS);
	assert_int_equal(suite_judge(&told_abort, false, SUITE_BY_STATUS, NULL),
			 SUITE_FAILED_CRASH);
	assert_int_equal(suite_judge(&late, true, SUITE_BY_STATUS, NULL), SUITE_FAILED_LATE);
}

static void by_golden(void **state)
{
	struct suite_end wrote = { .number = 3, .length = 2, .digest = { 1 } };
	struct suite_end other = { .number = 3, .length = 2, .digest = { 2 } };
	struct suite_end longer = { .number = 3, .length = 3, .digest = { 1 } };

	(void)state;
	assert_int_equal(suite_judge(&wrote, true, SUITE_BY_GOLDEN, &wrote), SUITE_PASSED);
	assert_int_equal(suite_judge(&wrote, true, SUITE_BY_GOLDEN, &other), SUITE_FAILED_OUTPUT);
	assert_int_equal(suite_judge(&wrote, true, SUITE_BY_GOLDEN, &longer), SUITE_FAILED_OUTPUT);
	assert_int_equal(suite_judge(&zero, true, SUITE_BY_GOLDEN, &three), SUITE_FAILED_STATUS);
	assert_int_equal(suite_judge(&three, true, SUITE_BY_GOLDEN, &three), SUITE_PASSED);
	assert_int_equal(suite_judge(&abort_, true, SUITE_BY_GOLDEN, &zero), SUITE_FAILED_CRASH);
	assert_int_equal(suite_judge(&late, true, SUITE_BY_GOLDEN, &zero), SUITE_FAILED_LATE);
	assert_true(suite_is_reference(&three, true));
	assert_true(suite_is_reference(&told_abort, true));
	assert_false(suite_is_reference(&told_abort, false));
	assert_false(suite_is_reference(&abort_, true));
	assert_false(suite_is_reference(&late, true));
}

static void by_expected_output(void **state)
{
	struct suite_end file = { .length = 2, .digest = { 1 } };
	struct suite_end wrote = { .number = 3, .length = 2, .digest = { 1 } };
	struct suite_end crashed = {
		.kind = SUITE_SIGNALLED, .number = SIGSEGV, .length = 2, .digest = { 1 }
	};

	(void)state;
	assert_int_equal(suite_judge(&wrote, true, SUITE_BY_EXPECTED, &file), SUITE_PASSED);
	assert_int_equal(suite_judge(&zero, true, SUITE_BY_EXPECTED, &file), SUITE_FAILED_OUTPUT);
	assert_int_equal(suite_judge(&crashed, true, SUITE_BY_EXPECTED, &file), SUITE_FAILED_CRASH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_status),
		cmocka_unit_test(by_golden),
		cmocka_unit_test(by_expected_output),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
