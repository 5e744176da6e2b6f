/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a run came of what it should print. */
#include "solver/output/expected.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <glib/gstdio.h>

static void test_words(void **state)
{
	static const struct {
		const char *text;
		unsigned at, to;
		bool over;
	} cases[] = {
		{ "17 apples\n", 0, 1, false }, /* one digit may be right by chance */
		{ "17 apples\n", 0, 2, false }, /* and 170 begins with 17 */
		{ "17 apples\n", 0, 3, true },	{ "17 apples\n", 1, 3, true },
		{ "a  17 b", 1, 3, false }, /* the word after the blanks */
		{ "a  17 b", 1, 5, false },	{ "a  17 b", 1, 6, true },
		{ "end", 0, 3, true },		{ "end", 0, 2, false },
		{ "end  ", 3, 5, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct expected_output e = { 0 };

		e.text[PRINTED_ERR] = g_string_new(cases[i].text);
		if (expected_word_is_over(&e, PRINTED_ERR, cases[i].at, cases[i].to) !=
		    cases[i].over) {
			print_error("%s, from %u to %u\n", cases[i].text, cases[i].at, cases[i].to);
			fail();
		}
		expected_clear(&e);
	}
}

static void write_output(const char *folder, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	assert_true(g_file_set_contents(path, text, -1, NULL));
}

/* What is known of a run from what it has written so far. */
static void test_so_far(void **state)
{
	static const struct {
		const char *out, *err;
		bool missed, exceeded, line_is_over;
	} cases[] = {
		{ "", "", false, false, false },
		{ "one\ntw", "", false, false, false }, /* may become right */
		{ "one\ntwo\n", "xxxxxxxxxxxxxxxxxxxx", false, false, false }, /* does not matter */
		{ "one\nto", "", true, false, false },
		{ "one\nto\n", "", true, false, true },
		{ "one\ntwo\n3", "", true, false, false }, /* too much */
		{ "one\ntwo\n3\n", "", true, false, true },
		{ "one\ntwo\n3 4 5 6", "", true, true, false },
	};
	g_autofree char *folder = g_dir_make_tmp("expected-XXXXXX", NULL);
	g_autofree char *out = g_build_filename(folder, "out", NULL);
	g_autofree char *err = g_build_filename(folder, "err", NULL);
	struct expected_output e = { 0 };

	(void)state;
	e.text[PRINTED_OUT] = g_string_new("one\ntwo\n");
	assert_false(expected_is_missed(&e, folder)); /* there is no file yet */
	assert_int_equal(expected_written(folder, PRINTED_OUT), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct expected_progress p;

		write_output(folder, "out", cases[i].out);
		write_output(folder, "err", cases[i].err);
		p = expected_look(&e, folder, false, 0);
		if (expected_is_missed(&e, folder) != cases[i].missed ||
		    expected_is_exceeded(&e, folder, 5) != cases[i].exceeded ||
		    expected_line_is_over(folder, &p) != cases[i].line_is_over) {
			print_error("%s\n", cases[i].out);
			fail();
		}
		assert_int_equal(expected_written(folder, PRINTED_OUT), strlen(cases[i].out));
	}
	expected_clear(&e);
	g_remove(out);
	g_remove(err);
	assert_int_equal(g_rmdir(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_so_far),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
