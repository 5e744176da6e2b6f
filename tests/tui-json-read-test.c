/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is written as JSON and read again is written the same. */
#include "tests/support/explain.h"
#include "tui/json-read.h"
#include "tui/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void there_and_back(void **state)
{
	struct explanation *all[] = { explain_paper(), explain_nothing(), explain_long_chain(50) };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autofree char *written = tui_json(all[i]);
		g_autofree char *again = NULL;
		g_autoptr(GError) error = NULL;
		struct explanation *read = tui_json_read(written, -1, &error);

		assert_null(error);
		again = tui_json(read);
		assert_string_equal(written, again);
		explanation_free(read);
		explanation_free(all[i]);
	}
}

/* What cannot be read (indices that lead nowhere) is gone the first time. */
static void odd_twice(void **state)
{
	struct explanation *odd = explain_odd();
	g_autofree char *first = tui_json(odd);
	struct explanation *once = tui_json_read(first, -1, NULL), *twice;
	g_autofree char *second = tui_json(once);
	g_autofree char *third = NULL;

	(void)state;
	twice = tui_json_read(second, -1, NULL);
	third = tui_json(twice);
	assert_string_equal(second, third);
	assert_int_equal(once->suspects->len, odd->suspects->len);
	explanation_free(odd);
	explanation_free(once);
	explanation_free(twice);
}

static void refuses(void **state)
{
	static const char *const wrong[] = { "", "{", "[]", "3", "{}", "{\"schema\": 2}" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;

		assert_null(tui_json_read(wrong[i], -1, &error));
		assert_true(g_error_matches(error, TUI_JSON_ERROR, TUI_JSON_ERROR_SYNTAX));
	}
}

/* Fields of another type than they should be, and indices that lead nowhere. */
static void bears(void **state)
{
	static const char *const odd[] = {
		"{\"schema\": 1}",
		"{\"schema\": 1, \"suspects\": 3, \"chain\": {}, \"failure\": [], \"stats\": \"\"}",
		"{\"schema\": 1, \"suspects\": [null, 3, {\"chain\": [0, 9, -1, \"x\"],"
		" \"statements\": [[]]}], \"chain\": [null], \"lines\": [7], \"notes\": [{}],"
		" \"argv\": [null, 3]}",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(odd); i++) {
		g_autofree char *written = NULL;
		struct explanation *e = tui_json_read(odd[i], -1, NULL);

		assert_non_null(e);
		written = tui_json(e);
		for (guint k = 0; k < e->suspects->len; k++) {
			const struct explanation_suspect *s = e->suspects->pdata[k];

			for (guint n = 0; n < s->chain->len; n++)
				assert_true(g_array_index(s->chain, guint, n) < e->chain->len);
		}
		explanation_free(e);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(odd_twice),
		cmocka_unit_test(refuses),
		cmocka_unit_test(bears),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
