/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suites of a small program, run for real: verdicts by each rule, what each test executed, what
 * comes from the cache, and what is left out. timeout: 180 */
#include "gdbext/suite/run.h"

#include "tests/support/program.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static const char source[] = "#include <stdio.h>\n"
			     "#include <stdlib.h>\n"
			     "#include <unistd.h>\n"
			     "static int count;\n"
			     "static int twice(int n)\n"
			     "{\n"
			     "	return 2 * n;\n"
			     "}\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	int n = argc > 1 ? atoi(argv[1]) : 0;\n"
			     "	if (n > 10)\n"
			     "		n = twice(n);\n"
			     "	if (n == 7)\n"
			     "		abort();\n"
			     "	if (n == 8)\n"
			     "		for (;;)\n"
			     "			;\n"
			     "	for (int i = 0; i < n; i++)\n"
			     "		count++;\n"
			     "	printf(\"%d\\n\", n);\n"
			     "	return n == WRONG;\n"
			     "}\n";
enum { TWICE = 7, CALL = 13, DEATH = 15, LOOP = 20 };

struct place {
	char *folder, *program;
};

static struct place place_new(void)
{
	struct place p = { .folder = test_folder_new() };

	p.program = test_compile(p.folder, "p", source, "cc -g -O0 -DWRONG=3");
	return p;
}

static void place_free(struct place *p)
{
	g_free(p->program);
	test_folder_free(p->folder);
}

static char *write_file(const struct place *p, const char *name, const char *text)
{
	char *path = g_build_filename(p->folder, name, NULL);

	assert_true(g_file_set_contents(path, text, -1, NULL));
	return path;
}

static struct suite_result *run(const struct place *p, const char *tests,
				struct suite_options options)
{
	g_autofree char *path = write_file(p, "tests", tests);
	GError *error = NULL;
	struct suite_result *r;

	options.tests = path;
	options.program = options.program ? options.program : p->program;
	options.directory = p->folder;
	options.jobs = 2;
	options.run_timeout = options.run_timeout > 0 ? options.run_timeout : 60;
	r = suite_run(&options, &error);
	if (!r)
		fail_msg("%s", error->message);
	return r;
}

static struct suite_outcome outcome(const struct suite_result *r, unsigned i)
{
	assert_true(i < r->outcomes->len);
	return g_array_index(r->outcomes, struct suite_outcome, i);
}

static unsigned line_of(const struct suite_result *r, unsigned statement)
{
	const struct units *u = profile_plan_units(r->plan);
	const struct unit_statement *s =
		&g_array_index(u->statements, struct unit_statement, statement);

	return g_array_index(u->lines, struct unit_line, s->line).number;
}

static bool executed(const struct suite_result *r, unsigned test, unsigned line)
{
	struct spectrum_row row =
		spectrum_row(r->spectrum, outcome(r, test).row, SPECTRUM_STATEMENT);

	while (spectrum_next(&row))
		if (line_of(r, row.unit) == line)
			return true;
	return false;
}

/* How often control came to a line, in one test. */
static guint64 times(const struct suite_result *r, unsigned test, unsigned line)
{
	const struct units *u = profile_plan_units(r->plan);
	g_autofree guint64 *counts = profile_lines(r->plan, r->spectrum, outcome(r, test).row);
	guint64 n = 0;

	for (guint i = 0; i < u->lines->len; i++)
		if (g_array_index(u->lines, struct unit_line, i).number == line)
			n += counts[i];
	return n;
}

static void lines_are_counted(void **state)
{
	const struct suite_options o = { .no_cache = true };
	struct place p = place_new();
	struct suite_result *r = run(&p, "{} 1\n{} 20\n{} 6 x && {} 2 && {} 11\n", o);

	(void)state;
	assert_int_equal(times(r, 0, TWICE), 0);
	assert_int_equal(times(r, 1, TWICE), 1);
	assert_int_equal(times(r, 1, CALL), 1);
	assert_int_equal(times(r, 2, TWICE), 1); /* of three processes one */
	assert_int_equal(times(r, 2, LOOP), 6 + 2 + 22);
	suite_result_free(r);
	place_free(&p);
}

static void the_exit_status_decides(void **state)
{
	const struct suite_options o = { .no_cache = true };
	struct place p = place_new();
	struct suite_result *r = run(&p, "{} 1\n{} 3\n{} 7\n{} 20\nname: {} 2\n", o);

	(void)state;
	assert_int_equal(outcome(r, 0).verdict, SUITE_PASSED);
	assert_int_equal(outcome(r, 1).verdict, SUITE_FAILED_STATUS);
	assert_int_equal(outcome(r, 2).verdict, SUITE_FAILED_CRASH);
	assert_int_equal(outcome(r, 3).verdict, SUITE_PASSED);
	assert_int_equal(r->passed, 3);
	assert_int_equal(r->failed, 2);
	assert_int_equal(r->cached, 0);
	/* each with what it executed */
	assert_true(executed(r, 3, CALL));
	assert_false(executed(r, 0, CALL));
	assert_true(executed(r, 2, DEATH));
	assert_false(executed(r, 3, DEATH));
	suite_result_free(r);
	place_free(&p);
}

static void a_second_time_nothing_is_run(void **state)
{
	const struct suite_options o = { 0 };
	struct place p = place_new();
	struct suite_result *r = run(&p, "{} 1\n{} 3\n{} 20\n", o);

	(void)state;
	assert_int_equal(r->cached, 0);
	suite_result_free(r);
	r = run(&p, "{} 1\n{} 3\n{} 20\n{} 2\n", o);
	assert_int_equal(r->cached, 3);
	assert_int_equal(r->passed, 3);
	assert_int_equal(r->failed, 1);
	assert_true(outcome(r, 1).cached);
	assert_false(outcome(r, 3).cached);
	assert_true(executed(r, 2, CALL)); /* profiles are in the cache, too */
	suite_result_free(r);
	place_free(&p);
}

/* What it writes is compared with another program's output. */
static void a_golden_program_decides(void **state)
{
	struct place p = place_new();
	g_autofree char *golden = test_compile(p.folder, "golden", source, "cc -O0 -DWRONG=20");
	const struct suite_options o = { .golden = golden };
	struct suite_result *r;

	(void)state;
	for (unsigned round = 0; round < 2; round++) {
		r = run(&p, "{} 1\n{} 3\n{} 10\n{} 4; echo more\n", o);
		assert_int_equal(outcome(r, 0).verdict, SUITE_PASSED);
		assert_int_equal(outcome(r, 1).verdict, SUITE_FAILED_STATUS);
		assert_int_equal(outcome(r, 2).verdict, SUITE_PASSED);
		assert_int_equal(outcome(r, 3).verdict, SUITE_PASSED);
		suite_result_free(r);
	}
	place_free(&p);
}

static void expected_output_decides(void **state)
{
	struct place p = place_new();
	g_autofree char *good = write_file(&p, "a.out", "1\n"),
			*bad = write_file(&p, "b.out", "2\n");
	const struct suite_options o = { .expected = p.folder, .no_cache = true };
	struct suite_result *r = run(&p, "a: {} 1\nb: {} 4\nc: {} 3\n", o);

	(void)state;
	assert_int_equal(outcome(r, 0).verdict, SUITE_PASSED);
	assert_int_equal(outcome(r, 1).verdict, SUITE_FAILED_OUTPUT);
	assert_int_equal(outcome(r, 2).verdict, SUITE_UNKNOWN); /* c.out is not there */
	assert_int_equal(r->unknown, 1);
	suite_result_free(r);
	place_free(&p);
}

static void what_does_not_end_fails(void **state)
{
	const struct suite_options o = { .no_cache = true, .run_timeout = 2 };
	struct place p = place_new();
	struct suite_result *r = run(&p, "{} 8\n", o);

	(void)state;
	assert_int_equal(outcome(r, 0).verdict, SUITE_FAILED_LATE);
	suite_result_free(r);
	place_free(&p);
}

/* Two hang at once and get the whole time, the others less; that is not kept, alone they may end.
 */
static void of_many_that_hang_only_the_first_take_long(void **state)
{
	struct limits limits = *limits_default();
	const struct suite_options o = { .run_timeout = 4, .limits = &limits };
	const char *tests = "{} 1\n{} 8\n{} 8 1\n{} 8 2\n";
	struct place p = place_new();
	struct suite_result *r;

	(void)state;
	limits.suite_late = 1;
	r = run(&p, tests, o);
	assert_int_equal(outcome(r, 0).verdict, SUITE_PASSED);
	for (unsigned i = 1; i < 4; i++)
		assert_int_equal(outcome(r, i).verdict, SUITE_FAILED_LATE);
	assert_true(2 * outcome(r, 3).end.usecs <
		    MAX(outcome(r, 1).end.usecs, outcome(r, 2).end.usecs));
	suite_result_free(r);
	r = run(&p, tests, o);
	assert_true(outcome(r, 1).cached);
	assert_false(outcome(r, 3).cached);
	suite_result_free(r);
	place_free(&p);
}

/* What the golden program does at once is not waited for; that it hangs is not kept then. */
static void what_its_golden_run_does_at_once_hangs_soon(void **state)
{
	struct limits limits = *limits_default();
	struct place p = place_new();
	g_autofree char *golden = test_compile(
		p.folder, "golden",
		"int main(int n, char **at) { return n > 1 && at[1][0] == '3'; }", "cc");
	const struct suite_options o = { .golden = golden, .run_timeout = 20, .limits = &limits };
	const char *tests = "{} 8\n{} 1\n";
	struct suite_result *r;

	(void)state;
	limits.suite_golden_ms = 100;
	suite_result_free(run(&p, tests, o));
	r = run(&p, tests, o);
	assert_int_equal(outcome(r, 0).verdict, SUITE_FAILED_LATE);
	assert_false(outcome(r, 0).cached);
	assert_true(outcome(r, 1).cached);
	suite_result_free(r);
	place_free(&p);
}

/* What the golden program prints is kept where it is short. */
static void what_is_right_is_kept(void **state)
{
	struct limits limits = *limits_default();
	struct place p = place_new();
	g_autofree char *golden = test_compile(p.folder, "golden", source, "cc -O0 -DWRONG=20");
	const struct suite_options o = { .golden = golden, .no_cache = true, .limits = &limits };
	struct suite_result *r;

	(void)state;
	limits.suite_kept_bytes = 2;
	r = run(&p, "{} 3\n{} 10\n{} 20\n{} 7\n", o);
	assert_int_equal(g_bytes_get_size(outcome(r, 0).golden_printed), 2);
	assert_memory_equal(g_bytes_get_data(outcome(r, 0).golden_printed, NULL), "3\n", 2);
	assert_int_equal(outcome(r, 0).golden_status, 0);
	assert_null(outcome(r, 1).golden_printed); /* three bytes */
	assert_null(outcome(r, 2).golden_printed);
	assert_null(outcome(r, 3).golden_printed); /* it crashes */
	suite_result_free(r);
	place_free(&p);
}

/* A test that does not run the program tells nothing of it. */
static void what_runs_something_else_is_left_out(void **state)
{
	const struct suite_options o = { .no_cache = true };
	struct place p = place_new();
	struct suite_result *r = run(&p, "true # {}\n{} 1\n", o);

	(void)state;
	assert_int_equal(outcome(r, 0).verdict, SUITE_UNKNOWN);
	assert_int_equal(r->passed, 1);
	assert_true(r->suite->wrong->len == 1);
	suite_result_free(r);
	place_free(&p);
}

static void a_shell_may_start_it_more_than_once(void **state)
{
	const struct suite_options o = { .no_cache = true };
	struct place p = place_new();
	struct suite_result *r = run(&p, "{} 1 && {} 20 | cat\ncat /dev/null; {} 7; exit $?\n", o);

	(void)state;
	assert_int_equal(outcome(r, 0).verdict, SUITE_PASSED);
	assert_false(outcome(r, 0).direct);
	assert_true(executed(r, 0, CALL));
	assert_int_equal(outcome(r, 1).verdict, SUITE_FAILED_CRASH);
	suite_result_free(r);
	place_free(&p);
}

static void tests_can_be_started_again(void **state)
{
	const struct suite_options o = { .no_cache = true };
	struct place p = place_new();
	struct suite_result *r = run(&p, "{} 1 'two words'\n", o);
	struct suite_command c = { 0 };

	(void)state;
	suite_result_command(r, 0, &c);
	assert_string_equal(c.argv[0], r->program);
	assert_string_equal(c.argv[2], "two words");
	suite_command_clear(&c);
	suite_result_free(r);
	place_free(&p);
}

static void count_progress(const struct suite_progress *p, void *arg)
{
	*(struct suite_progress *)arg = *p;
}

static void progress_is_told(void **state)
{
	struct suite_progress last = { 0 };
	const struct suite_options o = { .no_cache = true,
					 .progress = count_progress,
					 .arg = &last };
	struct place p = place_new();

	(void)state;
	suite_result_free(run(&p, "{} 1\n{} 3\n{} 2\n", o));
	assert_int_equal(last.done, 3);
	assert_int_equal(last.all, 3);
	assert_int_equal(last.failed, 1);
	place_free(&p);
}

static void complains(const struct place *p, struct suite_options o, const char *says)
{
	GError *error = NULL;

	o.directory = p->folder;
	o.run_timeout = 10;
	assert_null(suite_run(&o, &error));
	if (!strstr(error->message, says))
		fail_msg("no `%s' in: %s", says, error->message);
	g_clear_error(&error);
}

static void what_is_not_there_is_an_error(void **state)
{
	struct place p = place_new();
	g_autofree char *tests = write_file(&p, "tests", "{} 1\n");

	(void)state;
	complains(&p, (struct suite_options){ .tests = "nothing", .program = p.program },
		  "nothing");
	complains(&p, (struct suite_options){ .tests = tests, .program = "./none" }, "none");
	complains(
		&p,
		(struct suite_options){ .tests = tests, .program = p.program, .golden = "./none" },
		"none");
	place_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_counted),
		cmocka_unit_test(the_exit_status_decides),
		cmocka_unit_test(a_second_time_nothing_is_run),
		cmocka_unit_test(a_golden_program_decides),
		cmocka_unit_test(expected_output_decides),
		cmocka_unit_test(what_does_not_end_fails),
		cmocka_unit_test(of_many_that_hang_only_the_first_take_long),
		cmocka_unit_test(what_its_golden_run_does_at_once_hangs_soon),
		cmocka_unit_test(what_is_right_is_kept),
		cmocka_unit_test(what_runs_something_else_is_left_out),
		cmocka_unit_test(a_shell_may_start_it_more_than_once),
		cmocka_unit_test(tests_can_be_started_again),
		cmocka_unit_test(progress_is_told),
		cmocka_unit_test(what_is_not_there_is_an_error),
	};
	const char *agent = g_getenv("WHY_AGENT");
	char *cache;
	int failed;

	if (!agent) {
		printf("needs the recorder (WHY_AGENT)\n");
		return 77;
	}
	g_setenv("GDB_WHY_AGENT", agent, TRUE);
	cache = test_folder_new();
	g_setenv("XDG_CACHE_HOME", cache, TRUE); /* read once */
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	test_folder_free(cache);
	return failed;
}
