/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of checks: what is found by which name, what is refused, and the table that is installed.
 */
#include "solver/check/check-table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static const char text[] = "# frameworks\n"
			   "[one]\n"
			   ".preload = runner.so\n"
			   ".filter = --only '%s' x\n"
			   ".files = */one.h */one-*.c\n"
			   "equal = $rdi == $rsi -- %d($rdi) is not %d($rsi)\n"
			   "fail = never\n"
			   "status = stores 0 -- bad\n"
			   "[two]\n"
			   ".only-in = */two.hpp\n"
			   "_ZN*report*Ev = never -- %s($rdi)\n"
			   "report = never\n";

static void finds_rules(void **state)
{
	(void)state;
	struct check_table *t = check_table_parse(text, "t", NULL);
	const struct check_rule *r = check_table_find(t, "equal", NULL, false);

	assert_string_equal(r->framework->name, "one");
	assert_string_equal(r->holds, "$rdi == $rsi");
	assert_string_equal(r->says, "%d($rdi) is not %d($rsi)");
	r = check_table_find(t, "fail", "x.c", false);
	assert_null(r->holds);
	assert_null(r->says);
	assert_null(check_table_find(t, "status", NULL, false));
	assert_true(check_table_find(t, "status", NULL, true)->stores);
	assert_true(check_table_has_variables(t));
	assert_null(check_table_find(t, "equals", NULL, false));
	assert_null(check_table_find(t, NULL, NULL, false));
	check_table_free(t);
}

static void asks_where_a_function_is(void **state)
{
	(void)state;
	struct check_table *t = check_table_parse(text, "t", NULL);

	assert_null(check_table_find(t, "report", NULL, false));
	assert_null(check_table_find(t, "report", "/home/me/report.c", false));
	assert_non_null(check_table_find(t, "report", "/usr/include/two.hpp", false));
	assert_non_null(check_table_find(t, "_ZN1a6reportEv", "/usr/include/two.hpp", false));
	assert_null(check_table_find(t, "_ZN1a6reportEi", "/usr/include/two.hpp", false));
	check_table_free(t);
}

static void reads_settings(void **state)
{
	(void)state;
	struct check_table *t = check_table_parse(text, "t", NULL);
	const struct check_framework *f = check_table_find(t, "fail", NULL, false)->framework;

	assert_string_equal(f->filter[0], "--only");
	assert_string_equal(f->filter[1], "%s");
	assert_string_equal(f->filter[2], "x");
	assert_null(f->filter[3]);
	assert_null(f->environment);
	assert_string_equal(f->preload[0], "runner.so");
	assert_null(f->preload[1]);
	assert_true(check_framework_has_file(f, "/a/one-b.c"));
	assert_false(check_framework_has_file(f, "/a/one.c"));
	check_table_free(t);
}

static void takes_own_calls(void **state)
{
	(void)state;
	struct check_table *t = check_table_parse("", "t", NULL);
	GError *error = NULL;

	assert_true(check_table_add(t, "die", NULL));
	assert_true(check_table_add(t, "same $edi == $esi", NULL));
	assert_null(check_table_find(t, "die", NULL, false)->framework);
	assert_null(check_table_find(t, "die", NULL, false)->holds);
	assert_string_equal(check_table_find(t, "same", NULL, false)->holds, "$edi == $esi");
	assert_false(check_table_add(t, "", &error));
	assert_non_null(strstr(error->message, "--fail-call die"));
	g_error_free(error);
	check_table_free(t);
	check_table_free(NULL);
}

static void refuses(void **state)
{
	(void)state;
	static const char *const bad[][2] = {
		{ "fail = never\n", "not as its format has it" },
		{ "[one]\nfail\n", "not as its format has it" },
		{ "[one]\n.filters = x\n", "unknown setting `.filters'" },
		{ "[one]\n.filter = 'x\n", "not as its format has it" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		GError *error = NULL;

		assert_null(check_table_parse(bad[i][0], "mine.conf", &error));
		assert_non_null(strstr(error->message, bad[i][1]));
		assert_non_null(strstr(error->message, "mine.conf"));
		g_error_free(error);
	}
}

static void reads_what_is_installed(void **state)
{
	(void)state;
	g_autofree char *installed = NULL;
	struct check_table *t;

	assert_true(g_file_get_contents("gdbext/frameworks.conf", &installed, NULL, NULL));
	t = check_table_parse(installed, "frameworks.conf", NULL);
	assert_non_null(t);
	assert_non_null(check_table_find(t, "_assert_int_equal", NULL, false));
	assert_non_null(check_table_find(t, "greatest_info.fail_line", NULL, true));
	check_table_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_rules),	  cmocka_unit_test(asks_where_a_function_is),
		cmocka_unit_test(reads_settings), cmocka_unit_test(takes_own_calls),
		cmocka_unit_test(refuses),	  cmocka_unit_test(reads_what_is_installed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
