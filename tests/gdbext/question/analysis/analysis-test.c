/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a record to the explanation, with a runner made of files: what is found, proven, said and
 * left out. */
#include "tests/support/canned.h"

#include "gdbext/question/analysis/analysis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

/* A question about a program's record. */
struct asked {
	struct canned *canned;
	struct options options;
	struct question q;
};

static void parse(struct options *o, const char *program, const char *also)
{
	g_autofree char *line = g_strdup_printf("gdb-why explain %s --fail-table "
						"gdbext/frameworks.conf --record "
						"tests/data/runs/%s/failing.why",
						also, program);
	char **words = g_strsplit(line, " ", -1), **argv;
	g_autoptr(GPtrArray) kept = g_ptr_array_new();
	GError *error = NULL;
	int argc;

	for (char **w = words; *w; w++)
		if (**w)
			g_ptr_array_add(kept, *w);
	argc = (int)kept->len;
	g_ptr_array_add(kept, NULL);
	argv = (char **)kept->pdata;
	if (!options_parse(&argc, &argv, o, &error))
		fail_msg("%s", error->message);
	g_strfreev(words);
}

static void start(struct asked *a, const char *program, const char *also)
{
	g_autofree char *folder = g_build_filename("tests/data/runs", program, NULL);
	GError *error = NULL;

	memset(a, 0, sizeof *a);
	parse(&a->options, program, also);
	a->canned = canned_open(folder);
	if (question_start(&a->q, &a->options, question_require_pass, NULL, &error))
		fail_msg("%s", error->message);
	a->q.e->not_run = NULL;
	a->q.run.runner = &a->canned->runner;
}

static void end(struct asked *a)
{
	question_clear(&a->q);
	canned_free(a->canned);
	options_clear(&a->options);
}

static const struct explanation *explain(struct asked *a, const char *program, const char *also)
{
	GError *error = NULL;

	start(a, program, also);
	analysis_begin(&a->q);
	if (analysis_explain(&a->q, &error))
		fail_msg("%s", error->message);
	return a->q.e;
}

static void put_statement(GString *out, const struct explanation_statement *s)
{
	g_string_append_printf(out, " %u %s", s->line, s->clause ? s->clause : "-");
	if (s->actual)
		g_string_append_printf(out, " = %s", s->actual);
	if (s->witness)
		g_string_append_printf(out, " -> %s", s->witness);
	if (s->executions > 1)
		g_string_append_printf(out, " (%u of %u)", (unsigned)s->execution,
				       (unsigned)s->executions);
}

/* "passes 27 b = 1 -> 0", a line a suspect; then the notes. */
static char *summary(const struct explanation *e)
{
	static const char *const replays[] = {
		[REPLAY_NOT_RUN] = "not run", [REPLAY_PASSES] = "passes", [REPLAY_FAILS] = "fails"
	};
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		g_string_append(out, replays[s->replay]);
		for (guint k = 0; k < s->statements->len; k++)
			put_statement(out, &g_array_index(s->statements,
							  struct explanation_statement, k));
		g_string_append_c(out, '\n');
	}
	for (guint i = 0; i < e->notes->len; i++)
		g_string_append_printf(out, "note: %s\n", (char *)e->notes->pdata[i]);
	return g_string_free(out, FALSE);
}

/* Each of these lines is one of the answer or its notes.  Their order, and what else is found, is
 * the search's business. */
static void answers(const char *program, const char *also, const char *expected)
{
	g_auto(GStrv) lines = g_strsplit(expected, "\n", -1);
	struct asked a;
	const struct explanation *e = explain(&a, program, also);
	g_autofree char *text = summary(e), *is = g_strconcat("\n", text, NULL);

	for (char **l = lines; *l; l++) {
		g_autofree char *line = g_strdup_printf("\n%s\n", *l);

		if (**l && !strstr(is, line)) {
			print_message("%s %s:\n%s\n", program, also, text);
			fail_msg("no `%s'", *l);
		}
	}
	if (a.options.max_suspects) /* found near the failure, and by the formula */
		assert_true(e->suspects->len <= 2 * a.options.max_suspects);
	end(&a);
}

#define STOPPED(n) "note: the search stopped at " n " explanations; --max-suspects 0 asks for all\n"

static void an_assertion(void **state)
{
	static const char *const both = "passes 27 b = 1 -> 0\n"
					"passes 26 y < 5 = true -> false 29 b -> 0\n";

	(void)state;
	answers("paper", "", both);
	answers("paper", "--solver z3", both);
	answers("paper", "--hard-addresses", both);
	answers("paper", "--granularity function", "passes 27 b = 1 -> 0\n");
	answers("paper", "--no-hijack",
		"passes 27 b = 1 -> 0\n"
		"not run 26 y < 5 = true -> false\n");
	answers("paper", "--max-suspects 1", "passes 27 b = 1 -> 0\n" STOPPED("1"));
}

/* A null pointer behind the end of a list on the heap. */
static void a_crash(void **state)
{
	(void)state;
	answers("list", "--max-suspects 3",
		"passes 48 n->key != key = true -> false (1 of 3)\n"
		"passes 62 argument 1 of find = 9 -> 10\n"
		"passes 27 n->next = its own place -> 8 bytes before it, the value 9 (1 of "
		"3)\n" STOPPED("3"));
	answers("list", "--granularity instance --max-suspects 3",
		"passes 48 n->key != key = true -> false (3 of 3)\n"
		"passes 48 an intermediate result = 3 -> 9 (3 of 4)\n"
		"passes 48 n->key != key = true -> false (2 of 3)\n" STOPPED("3"));
	answers("list", "--granularity function",
		"passes 48 n->key != key = true -> false (1 of 3)\n"
		"passes 24 n->key = 10 -> 9 (2 of 3)\n"
		"passes 40 keys[2] = 5 -> 9\n"
		"passes 62 argument 1 of find = 9 -> 10\n");
}

/* Floating-point numbers; one that has no name and no type is not shown as its bits. */
static void an_exit_status(void **state)
{
	(void)state;
	/* `result = 3' is a check that fails, of which the program is asked */
	answers("average", "",
		"passes 18 sum / (n + 1) = 4.875 -> 5.125\n"
		"passes 23 scaled = 7.3125 -> 7.5625\n"
		"passes 25 scaled > least * scale = 0 -> 1\n");
	answers("average", "--granularity function", "passes 25 scaled > least * scale = 0 -> 1\n");
}

static void variables_in_registers(void **state)
{
	(void)state;
	answers("registers", "",
		"passes 47 p.second = 4 -> 3\n"
		"passes 18 a > b = one way -> the other way\n"
		"passes 16 b = 4 -> 3\n"
		"passes 48 s = 3 -> 0\n"
		"passes 25 value * by + 1 = 3 -> 0\n"
		"passes 39 between = 1 -> 0\n"
		"passes 41 measure((unsigned)between + 99) + between = 4 -> 0\n"
		"passes 32 n = true -> false\n"
		"passes 30 count = 0 -> -2\n"
		"passes 33 count = 3 -> 0 (3 of 3)\n");
}

/* A run that is long for these limits: what is near the failure is tried first, then the
 * formula is made of its last part. */
static void the_end_of_a_long_run(void **state)
{
	(void)state;
	answers("loop", "--limit nearby_from=100 --limit last_part=1000",
		"passes 23 rest > 3 = true -> false\n"
		"passes 22 rest = 6 -> 3\n"
		"passes 24 level = 6 -> 3\n"
		"passes 25 level = 8 -> 5\n"
		"note: only the last 1000 of the run's 4851 instructions were looked at as a "
		"whole, and before them what the failure depends on most nearly; `ask 'why EXPR'' "
		"goes farther back\n");
	answers("loop", "--limit nearby_from=100 --limit last_part=1000 --max-suspects 1",
		STOPPED("1"));
	answers("loop", "--thorough",
		"passes 22 rest = 6 -> 3\n"
		"passes 23 rest > 3 = true -> false\n"
		"passes 24 level = 6 -> 3\n"
		"passes 25 level = 8 -> 5\n");
}

/* ---- what is said beside the answer ---- */

static void without_runs_nothing_is_proven(void **state)
{
	struct asked a;
	GError *error = NULL;

	(void)state;
	start(&a, "paper", "");
	a.q.e->not_run = "the program went away";
	analysis_begin(&a.q);
	assert_int_equal(analysis_explain(&a.q, &error), 0);
	assert_true(a.q.e->suspects->len > 0);
	for (guint i = 0; i < a.q.e->suspects->len; i++)
		assert_int_not_equal(
			((struct explanation_suspect *)a.q.e->suspects->pdata[i])->replay,
			REPLAY_PASSES);
	assert_int_equal(a.canned->asked, 0);
	assert_string_equal(a.q.e->notes->pdata[0],
			    "nothing was run, so nothing is proven: the program went away");
	end(&a);
}

static void the_failure_is_described(void **state)
{
	struct asked a;
	const struct explanation *e = explain(&a, "paper", "--max-suspects 1");
	const struct explanation_stage *s;
	unsigned runs = 0;

	(void)state;
	assert_string_equal(e->failure.requirement, "b <= a");
	assert_int_equal(e->failure.line, 30);
	assert_string_equal(e->argv[0], "0");
	assert_null(e->argv[2]);
	assert_int_equal(e->stats.instructions, trace_point_instructions(a.q.point));
	for (guint i = 0; i < e->stats.stages->len; i++) {
		s = &g_array_index(e->stats.stages, struct explanation_stage, i);
		if (strcmp(s->name, "replay") == 0)
			runs = (unsigned)s->count;
	}
	assert_int_equal(runs, a.canned->asked);
	end(&a);
}

/* --trace-search: a line of JSON for each decision. */
static void decisions_are_traced(void **state)
{
	g_autofree char *file = NULL, *also = NULL, *text = NULL;
	int fd = g_file_open_tmp("gdb-why-trace-XXXXXX", &file, NULL);
	struct asked a;
	g_auto(GStrv) lines = NULL;

	(void)state;
	assert_true(fd >= 0);
	g_close(fd, NULL);
	also = g_strdup_printf("--trace-search %s", file);
	explain(&a, "paper", also);
	end(&a);
	assert_true(g_file_get_contents(file, &text, NULL, NULL));
	remove(file);
	lines = g_strsplit(text, "\n", -1);
	assert_true(g_strv_length(lines) > 3);
	for (char **l = lines; *l && **l; l++) {
		assert_int_equal(**l, '{');
		assert_non_null(strstr(*l, "\"technique\""));
	}
	assert_non_null(strstr(text, "\"proven\""));
}

static void a_trace_that_cannot_be_written_is_an_error(void **state)
{
	struct asked a;
	GError *error = NULL;

	(void)state;
	start(&a, "paper", "--trace-search /nonexistent/trace");
	analysis_begin(&a.q);
	assert_int_equal(analysis_explain(&a.q, &error), OPTIONS_EXIT_USAGE);
	assert_non_null(strstr(error->message, "--trace-search"));
	g_clear_error(&error);
	end(&a);
}

static void regions_are_there_when_asked_for(void **state)
{
	struct asked a;
	const struct explanation *e = explain(&a, "paper", "--format dot --graph regions");

	(void)state;
	assert_true(e->regions->len > 2);
	assert_int_equal(g_array_index(e->regions, struct explanation_region, 0).kind, REGION_CALL);
	assert_string_equal(g_array_index(e->regions, struct explanation_region, 0).text, "main");
	end(&a);
}

static void no_time_no_answer(void **state)
{
	struct asked a;
	GError *error = NULL;

	(void)state;
	start(&a, "paper", "");
	a.q.until.end = 1; /* long ago */
	analysis_begin(&a.q);
	assert_int_equal(analysis_explain(&a.q, &error), OPTIONS_EXIT_UNEXPLAINED);
	assert_true(g_error_matches(error, DEADLINE_ERROR, DEADLINE_ERROR_TIME));
	g_clear_error(&error);
	end(&a);
}

/* The time is up when the first run has passed. */
struct slow {
	struct runner runner; /* first */
	struct asked *asked;
};

static bool run_slowly(struct runner *runner, const struct run_request *request,
		       struct run_result *result, GError **error)
{
	struct asked *a = ((struct slow *)runner)->asked;
	bool ok = a->canned->runner.run(&a->canned->runner, request, result, error);

	if (ok && result->end == RUN_PASSED)
		a->q.until.end = 1;
	return ok;
}

static void when_time_is_up_the_rest_stands(void **state)
{
	struct asked a;
	struct slow slow = { { run_slowly }, &a };
	GError *error = NULL;

	(void)state;
	start(&a, "paper", "");
	a.q.run.runner = &slow.runner;
	analysis_begin(&a.q);
	assert_int_equal(analysis_explain(&a.q, &error), OPTIONS_EXIT_EXPLAINED);
	assert_null(error);
	assert_int_equal(a.q.e->suspects->len, 1);
	assert_false(a.q.e->complete);
	assert_non_null(strstr(a.q.e->notes->pdata[0], "--timeout"));
	end(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_assertion),
		cmocka_unit_test(a_crash),
		cmocka_unit_test(an_exit_status),
		cmocka_unit_test(variables_in_registers),
		cmocka_unit_test(the_end_of_a_long_run),
		cmocka_unit_test(without_runs_nothing_is_proven),
		cmocka_unit_test(the_failure_is_described),
		cmocka_unit_test(decisions_are_traced),
		cmocka_unit_test(a_trace_that_cannot_be_written_is_an_error),
		cmocka_unit_test(regions_are_there_when_asked_for),
		cmocka_unit_test(no_time_no_answer),
		cmocka_unit_test(when_time_is_up_the_rest_stands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
