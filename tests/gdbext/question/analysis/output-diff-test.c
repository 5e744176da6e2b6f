/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Differences of what two runs print. timeout: 60 */
#include "gdbext/question/analysis/output-diff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib.h>
#include <string.h>

static char *diff(const char *was, const char *is)
{
	return output_diff("output", (struct output_text){ was, strlen(was) },
			   (struct output_text){ is, strlen(is) }, NULL, NULL);
}

static void says(void **state)
{
	static const struct {
		const char *was, *is, *said;
	} all[] = {
		{ "", "", "" },
		{ "a\n", "a\n", "its output is the same\n" },
		{ "a\n", "", "its output differs from line 1 on:\n  was  a\n  is   (nothing)\n" },
		{ "", "a\nb", "its output goes on from line 1:\n  is   a\n  is   b\n" },
		{ "a\nb\nc\n", "a\nX\nc\n",
		  "its output differs from line 2 on:\n  was  b\n  is   X\n" },
		{ "a\nb\nc\nd\ne\n", "a\nX\nc\nd\nY\nZ\n",
		  "its output differs from line 2 on:\n  was  b\n  is   X\n"
		  "  and from line 5 on:\n  was  e\n  is   Y\n  is   Z\n" },
		{ "a\nb\nc\n", "a\nc\n",
		  "its output differs from line 2 on:\n  was  b\n  is   (nothing)\n" },
		{ "a\n", "a", "its output differs in the end of its last line\n" },
		{ "xa\nq", "ya\nq", "its output differs from line 1 on:\n  was  xa\n  is   ya\n" },
		{ "a", "ab", "its output differs from line 1 on:\n  was  a\n  is   ab\n" },
		{ "a\nb\n", "a\nb\nb\n", "its output goes on from line 3:\n  is   b\n" },
		{ "a\nb\n", "a\nX\nb\n",
		  "its output differs from line 2 on:\n  was  (nothing)\n  is   X\n" },
		{ "a\033[1m\377\n", "\tb\n",
		  "its output differs from line 1 on:\n  was  a?[1m?\n  is           b\n" },
		{ "\n", "\n\n", "its output goes on from line 2:\n  is   \n" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autofree char *said = diff(all[i].was, all[i].is);

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
	said = diff(was->str, is->str);
	assert_true(g_str_has_prefix(said, "its output differs from line 2 on:\n"));
	assert_non_null(strstr(said, " more lines differ\n"));
	assert_true(g_str_has_suffix(said, "what follows was not compared\n"));
	assert_true(strlen(said) < 1000);
}

/* A run may print as much as this; NUL bytes are bytes like others. */
static void floods(void **state)
{
	enum { MUCH = 256 << 20 };
	char *was = g_malloc(MUCH), *is = g_malloc(MUCH);
	struct output_text a = { was, MUCH }, b = { is, MUCH };
	static volatile sig_atomic_t signal = 1;
	const struct deadline over = { .signal = &signal };
	GError *error = NULL;
	char *said;

	(void)state;
	for (int lines = 0; lines < 2; lines++) {
		memset(was, lines ? '\n' : '\0', MUCH);
		memset(is, lines ? '\n' : '\0', MUCH);
		said = output_diff("output", a, b, NULL, NULL);
		assert_string_equal(said, "its output is the same\n");
		g_free(said);
		is[MUCH / 2] = 'x';
		said = output_diff("output", a, b, NULL, NULL);
		assert_true(g_str_has_prefix(said, lines ? "its output differs from line 134217729"
							 : "its output differs from line 1 "));
		assert_true(strlen(said) < 1000);
		g_free(said);
		assert_null(output_diff("output", a, b, &over, &error));
		assert_true(g_error_matches(error, DEADLINE_ERROR, DEADLINE_ERROR_SIGNAL));
		g_clear_error(&error);
	}
	g_free(was);
	g_free(is);
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(says), cmocka_unit_test(bounds),
						   cmocka_unit_test(floods) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
