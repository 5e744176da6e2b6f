/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is written as JSON and read again is written the same. */
#include "tests/support/explain.h"
#include "solver/answer/json/json-read.h"
#include "solver/answer/json/json.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void there_and_back(void **state)
{
	struct explanation *all[] = { explain_paper(), explain_nothing(), explain_long_chain(50) };
	struct explanation_suspect *first = all[0]->suspects->pdata[0];

	static char *environment[] = { "CK_FORK=no", NULL };

	(void)state;
	all[0]->environment = g_strdupv(environment);
	all[0]->in_child = true;
	g_array_index(first->statements, struct explanation_statement, 0).witness_is =
		"as before this line";
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autofree char *written = tui_json(all[i]);
		g_autofree char *again = NULL;
		g_autoptr(GError) error = NULL;
		struct explanation *read = tui_json_read(written, -1, &error);

		assert_null(error);
		again = tui_json(read);
		assert_string_equal(written, again);
		assert_int_equal(read->in_child, i == 0);
		assert_int_equal(strstr(written, "CK_FORK=no") != NULL, i == 0);
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
	static const char *const wrong[] = {
		"", "{", "[]", "3", "{}", "{\"schema\": 2}", "{ \"two\nlines\033[1m\" 3 }",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;

		assert_null(tui_json_read(wrong[i], -1, &error));
		assert_true(g_error_matches(error, TUI_JSON_ERROR, TUI_JSON_ERROR_SYNTAX));
		assert_null(strpbrk(error->message, "\n\033"));
	}
}

static void cover(struct explanation *e, const char *file)
{
	struct explanation_source *s = explanation_source_add(e, file);
	static const struct explanation_coverage all[] = {
		{ 1, true, 0, 0 }, { 2, true, 7, 1 }, { 3, false, 2, 0 }, { 5, false, 0, 0 }
	};

	g_array_append_vals(s->coverage, all, G_N_ELEMENTS(all));
}

/* Lines that the file does not have are none. */
static void coverage(void **state)
{
	struct explanation *e = explain_paper(), *read;
	g_autofree char *file = g_build_filename(g_get_tmp_dir(), "why-XXXXXX", NULL);
	g_autofree char *written = NULL, *again = NULL;
	int fd = g_mkstemp(file);

	(void)state;
	assert_true(fd >= 0 && g_file_set_contents(file, "1\n2\n3\n4\n", -1, NULL));
	g_close(fd, NULL);
	struct explanation_line_value value = { file, 2, { "b", "1" }, { 0 } };

	const struct explanation_event event = { "freed", "free", "drop", file, 3, 2 };

	e->failure.file = file;
	g_array_append_val(e->line_values, value);
	g_array_append_val(e->failure.story, event);
	cover(e, file);
	written = tui_json(e);
	read = tui_json_read(written, -1, NULL);
	assert_int_equal(explanation_source(read, file)->coverage->len, 3);
	assert_int_equal(read->failure.story->len, 1);
	assert_string_equal(g_array_index(read->failure.story, struct explanation_event, 0).by,
			    "free");
	g_array_set_size(explanation_source(e, file)->coverage, 3);
	g_free(written);
	written = tui_json(e);
	again = tui_json(read);
	assert_string_equal(written, again);
	unlink(file);
	explanation_free(e);
	explanation_free(read);
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
		"{\"schema\": 1, \"failure\": {\"file\": \"/etc/passwd\"}, \"coverage\": [3, {},"
		" {\"file\": \"/etc/passwd\", \"executed\": [[], 7, [0, 1e9], [-1, -1], [2, 1]],"
		" \"not_executed\": {}, \"tests\": [[99999999, 1, 1], [1], 3, [0, 0, 0]]}]}",
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
		cmocka_unit_test(there_and_back), cmocka_unit_test(odd_twice),
		cmocka_unit_test(refuses),	  cmocka_unit_test(coverage),
		cmocka_unit_test(bears),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
