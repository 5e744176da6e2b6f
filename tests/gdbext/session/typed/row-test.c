/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions that go on from a row of an answer. */
#include "gdbext/session/typed/row.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static void goes_on_from_rows(void **state)
{
	static const struct {
		const char *last, *number, *question;
	} all[] = {
		{ "why b", "4", "why --row 4 b" },
		{ "why --row 4 b", "2", "why --row 4.2 b" },
		{ "why --row 4.2 b + 1", "10", "why --row 4.2.10 b + 1" },
		{ "why line 7", "1", "why --row 1 line 7" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autofree char *question = row_question(all[i].last, all[i].number);

		assert_string_equal(question, all[i].question);
	}
}

static void knows_numbers(void **state)
{
	(void)state;
	assert_true(row_is_number("4"));
	assert_true(row_is_number("12"));
	assert_false(row_is_number(""));
	assert_false(row_is_number("4.2"));
	assert_false(row_is_number("x4"));
}

static void skips_options(void **state)
{
	(void)state;
	assert_string_equal(row_behind_options("b"), "b");
	assert_string_equal(row_behind_options("-d 6 --row 4.2 --all b + 1"), "b + 1");
	assert_string_equal(row_behind_options("--depth 6 not line 3"), "not line 3");
	assert_string_equal(row_behind_options("-d"), "-d");
	assert_string_equal(row_behind_options("-d b"), "-d b");
	assert_string_equal(row_behind_options("--all"), "");
	assert_string_equal(row_behind_options("--expect x"), "--expect x");
}

static void tells_stops_apart(void **state)
{
	g_autoptr(GPtrArray) stop = g_ptr_array_new();
	g_autofree char *end = row_about(stop, "run 1"), *there = NULL;

	(void)state;
	assert_string_equal(end, "run 1");
	g_ptr_array_add(stop, (char *)"--at");
	g_ptr_array_add(stop, (char *)"push:2");
	there = row_about(stop, "run 1");
	assert_string_equal(there, "run 1 --at push:2");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(goes_on_from_rows),
		cmocka_unit_test(knows_numbers),
		cmocka_unit_test(skips_options),
		cmocka_unit_test(tells_stops_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
