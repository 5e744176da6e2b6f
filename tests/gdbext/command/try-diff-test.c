/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Differences of what two runs print. */
#include "gdbext/command/try-diff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib.h>
#include <string.h>

static void says(void **state)
{
	static const struct {
		const char *was, *is, *said;
	} all[] = {
		{ "", "", "" },
		{ "a\n", "a\n", "its output is the same\n" },
		{ "a\n", "", "its output differs from line 1 on:\n  was  a\n  is   (nothing)\n" },
		{ "", "a\nb",
		  "its output differs from line 1 on:\n  was  (nothing)\n  is   a\n  is   b\n" },
		{ "a\nb\nc\n", "a\nX\nc\n",
		  "its output differs from line 2 on:\n  was  b\n  is   X\n" },
		{ "a\nb\nc\nd\ne\n", "a\nX\nc\nd\nY\nZ\n",
		  "its output differs from line 2 on:\n  was  b\n  is   X\n"
		  "  and from line 5 on:\n  was  e\n  is   Y\n  is   Z\n" },
		{ "a\nb\nc\n", "a\nc\n",
		  "its output differs from line 2 on:\n  was  b\n  is   (nothing)\n" },
		{ "a\n", "a", "its output differs in the end of its last line\n" },
		{ "\n", "\n\n", "its output differs from line 2 on:\n  was  (nothing)\n  is   \n" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autofree char *said = try_diff("output", all[i].was, all[i].is);

		assert_string_equal(said, all[i].said);
	}
}

/* Long texts are cut; whatever differs, something is said. */
static void bounds(void **state)
{
	g_autoptr(GString) was = g_string_new(NULL), is = g_string_new(NULL);
	g_autofree char *said = NULL;

	(void)state;
	for (unsigned i = 0; i < 50000; i++) {
		g_string_append_printf(was, "%u\n", i * 7 % 11);
		g_string_append_printf(is, "%u\n", i * 5 % 13);
	}
	said = try_diff("output", was->str, is->str);
	assert_true(g_str_has_prefix(said, "its output differs from line 2 on:\n"));
	assert_non_null(strstr(said, " more lines differ\n"));
	assert_true(strlen(said) < 1000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(says),
						   cmocka_unit_test(bounds) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
