/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same stop found again by its values, conditions of the user's in the place of "the test
 * passes", and what is said of runs that cannot be explained. */
#include "tests/support/canned.h"

#include "gdbext/question/analysis/analysis.h"
#include "gdbext/question/ending.h"
#include "gdbext/question/where.h"
#include "solver/formula/requirement/requirement-condition.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* A question at a stop of a program's run. */
struct asked {
	struct canned *canned;
	struct options options;
	struct question q;
	struct stop stop;
};

static void start(struct asked *a, const char *program, const char *place)
{
	g_autofree char *folder = g_build_filename("tests/data/runs", program, NULL);
	g_autofree char *record = g_build_filename(folder, "failing.why", NULL);
	char words[5][24] = { "gdb-why", "explain", "--fail-table", "gdbext/frameworks.conf",
			      "--record" };
	char *argv[] = { words[0], words[1], words[2], words[3], words[4], record, NULL };
	char **list = argv;
	GError *error = NULL;
	int argc = 6;

	memset(a, 0, sizeof *a);
	assert_true(options_parse(&argc, &list, &a->options, NULL));
	a->canned = canned_open(folder);
	if (question_start(&a->q, &a->options, NULL, NULL, &error))
		fail_msg("%s", error->message);
	if (!stop_find(a->q.run.images, a->q.run.n_images, place, &a->stop, &error))
		fail_msg("%s", error->message);
	a->q.e->not_run = NULL;
	a->q.run.runner = &a->canned->runner;
}

static void end(struct asked *a)
{
	stop_clear(&a->stop);
	question_clear(&a->q);
	canned_free(a->canned);
	options_clear(&a->options);
}

/* ---- where ---- */

/* conditions: separated by "; ".  0 = an error that says this. */
static void is_found(const char *place, const char *conditions, uint64_t count, const char *says)
{
	g_auto(GStrv) list = g_strsplit(conditions, "; ", -1);
	struct asked a;
	GError *error = NULL;
	bool ok;

	start(&a, "loop", place);
	ok = where_find(&a.q, list, &a.stop, &error);
	assert_int_equal(ok, count != 0);
	if (ok)
		assert_int_equal(a.stop.count, count);
	else if (!strstr(error->message, says))
		fail_msg("no `%s' in: %s", says, error->message);
	g_clear_error(&error);
	end(&a);
}

static void a_stop_is_found_by_its_values(void **state)
{
	(void)state;
	is_found("loop.c:21", "i == 0", 1, NULL);
	is_found("loop.c:21", "i == 7", 8, NULL);
	is_found("loop.c:21", "i == 7; rounds == 300", 8, NULL);
	is_found("loop.c:21", "seed == 1015568748", 2, NULL); /* of 1 */
	is_found("loop.c:21:100", "i > 20", 100, NULL);	      /* from there on */
	is_found("mix:5", "seed != 0", 5, NULL);
}

/* Some hold at some time: the first time of those with the most. */
static void the_nearest_one_when_not_all_hold(void **state)
{
	(void)state;
	is_found("loop.c:21", "i == 7; rounds == 299", 8, NULL);
	is_found("loop.c:21", "rounds == 300; level == 99", 1, NULL);
	/* what cannot be asked about is not compared */
	is_found("loop.c:21", "nothing == 3; i == 2", 3, NULL);
}

static void none_when_none_holds(void **state)
{
	(void)state;
	is_found("loop.c:21", "rounds == 299", 0, "other values: rounds is 300, not 299");
	is_found("loop.c:21", "rounds > 300", 0, "`rounds > 300' does not hold");
	is_found("loop.c:21:301", "i == 0", 0, "does not come to");
	is_found("loop.c:21",
		 "i == 900; i == 901; i == 902; i == 903; i == 904; i == 905; i == 906", 0,
		 "and 2 more");
}

/* ---- conditions ---- */

static int require(struct asked *a, const char *condition, GError **error)
{
	struct question *q = &a->q;
	bool holds = false;

	q->point = trace_point_new_at(q->run.images, q->run.n_images, q->run.failing.record,
				      q->run.failing.thread, &a->stop, 0, NULL, NULL, error);
	if (!q->point)
		return -1;
	q->requirement =
		requirement_new_condition(q->run.images, q->run.n_images, q->run.failing.thread,
					  q->point, &a->stop, condition, &holds, error);
	return !q->requirement ? -1 : holds;
}

static char *lines_of(const struct explanation *e)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		g_string_append(out, s->replay == REPLAY_PASSES ? " +" : " ?");
		for (guint k = 0; k < s->statements->len; k++)
			g_string_append_printf(
				out, "%s%u", k ? "," : "",
				g_array_index(s->statements, struct explanation_statement, k).line);
	}
	return g_string_free(out, FALSE);
}

/* What would have to change for the condition to hold: "+27 +26,29", proven. */
static void would_hold(const char *program, const char *place, const char *condition,
		       const char *expected)
{
	struct asked a;
	GError *error = NULL;
	g_autofree char *lines = NULL;

	start(&a, program, place);
	a.options.max_suspects = 3;
	if (require(&a, condition, &error))
		fail_msg("%s: %s", condition, error ? error->message : "it holds");
	analysis_begin(&a.q);
	if (analysis_explain(&a.q, &error))
		fail_msg("%s", error->message);
	lines = lines_of(a.q.e);
	if (strcmp(lines, expected) != 0)
		print_message("%s at %s: %s\n", condition, place, lines);
	assert_string_equal(lines, expected);
	end(&a);
}

static void conditions_are_made_to_hold(void **state)
{
	(void)state;
	would_hold("paper", "paper.c:30", "b == 5", " +23 +27 +22,25");
	would_hold("paper", "paper.c:30", "b <= a && a > 3", " +23,27 +22,27,25 +23,26,29");
	would_hold("loop", "loop.c:25", "level == 4 || rest < 0", " +22 +24 +17,23");
	would_hold("average", "average.c:25", "scaled > 8.0", " +34 +35 +14");
	would_hold("list", "list.c:48", "n->key == key", " +40 +60 +24");
}

static void conditions_that_hold_or_make_no_sense(void **state)
{
	struct asked a;
	GError *error = NULL;

	(void)state;
	start(&a, "paper", "paper.c:30");
	assert_int_equal(require(&a, "b > a", &error), 1);
	end(&a);
	start(&a, "paper", "paper.c:30");
	assert_int_equal(require(&a, "b >", &error), -1);
	assert_non_null(error);
	g_clear_error(&error);
	end(&a);
	start(&a, "paper", "paper.c:30");
	assert_int_equal(require(&a, "nothing > 3", &error), -1);
	assert_non_null(strstr(error->message, "nothing"));
	g_clear_error(&error);
	end(&a);
	start(&a, "paper", "paper.c:30:2"); /* it comes there once */
	assert_int_equal(require(&a, "b > a", &error), -1);
	assert_true(g_error_matches(error, STOP_ERROR, STOP_ERROR_REACHED));
	g_clear_error(&error);
	end(&a);
}

/* ---- endings ---- */

static void ends_with(const struct replay_failing *f, int status, const char *says)
{
	GError *error = NULL;

	assert_int_equal(ending_check("./p", f, &error), status);
	if (!strstr(error->message, says))
		fail_msg("no `%s' in: %s", says, error->message);
	g_clear_error(&error);
}

static void what_is_no_failure_says_so(void **state)
{
	const struct replay_failing passed = { .end = RUN_PASSED };
	const struct replay_failing killed = { .end = RUN_SIGNAL, .signo = SIGTERM };
	const struct replay_failing cut = { .end = RUN_LIMIT };

	(void)state;
	ends_with(&passed, OPTIONS_EXIT_PASSED, "./p exited with status 0");
	ends_with(&killed, OPTIONS_EXIT_UNEXPLAINED, "killed by SIGTERM");
	ends_with(&cut, OPTIONS_EXIT_UNEXPLAINED, "--max-record");
	assert_true(ending_is_crash(SIGSEGV) && ending_is_crash(SIGFPE) &&
		    ending_is_crash(SIGABRT));
	assert_false(ending_is_crash(SIGKILL) || ending_is_crash(SIGINT));
}

static void errors_have_statuses(void **state)
{
	const struct {
		GQuark domain;
		int code, status;
	} rows[] = {
		{ TRACE_ERROR, TRACE_ERROR_LONG, OPTIONS_EXIT_UNEXPLAINED },
		{ DEADLINE_ERROR, DEADLINE_ERROR_TIME, OPTIONS_EXIT_UNEXPLAINED },
		{ DEADLINE_ERROR, DEADLINE_ERROR_SIGNAL, OPTIONS_EXIT_INTERRUPTED },
		{ REPLAY_ERROR, REPLAY_ERROR_CANCELLED, OPTIONS_EXIT_INTERRUPTED },
		{ REPLAY_ERROR, REPLAY_ERROR_PROGRAM, OPTIONS_EXIT_USAGE },
		{ STOP_ERROR, STOP_ERROR_PLACE, OPTIONS_EXIT_USAGE },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error = g_error_new_literal(rows[i].domain, rows[i].code, "said");

		assert_int_equal(ending_status(error), rows[i].status);
	}
}

static void a_record_that_is_none_is_an_error(void **state)
{
	struct options o;
	struct question q;
	char words[4][48] = { "gdb-why", "explain", "--record", "tests/data/README.md" };
	char *argv[] = { words[0], words[1], words[2], words[3], NULL }, **list = argv;
	GError *error = NULL;
	int argc = 4;

	(void)state;
	assert_true(options_parse(&argc, &list, &o, NULL));
	assert_int_equal(question_start(&q, &o, question_require_pass, NULL, &error),
			 OPTIONS_EXIT_USAGE);
	assert_non_null(strstr(error->message, "tests/data/README.md"));
	g_clear_error(&error);
	question_clear(&q);
	options_clear(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stop_is_found_by_its_values),
		cmocka_unit_test(the_nearest_one_when_not_all_hold),
		cmocka_unit_test(none_when_none_holds),
		cmocka_unit_test(conditions_are_made_to_hold),
		cmocka_unit_test(conditions_that_hold_or_make_no_sense),
		cmocka_unit_test(what_is_no_failure_says_so),
		cmocka_unit_test(errors_have_statuses),
		cmocka_unit_test(a_record_that_is_none_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
