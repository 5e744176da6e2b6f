/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/failing.h"
#include "gdbext/question/analysis.h"
#include "gdbext/question/ending.h"
#include "gdbext/replay/folder.h"

#include <string.h>

/* A test, and what was asked about it. */
struct test {
	const char *name;
	struct suite_command command; /* .argv NULL: the test of the command line */
	struct options options; /* a copy of the user's; only what this test changes is its own */
	char *expect;		/* its .expect */
	struct question q;
	bool open; /* q is to be cleared */
};

struct failing {
	const struct options *o;
	const struct weighting *weighting;
	struct consistency *consistency; /* NULL = not wanted; not ours */
	GPtrArray *tests;		 /* struct test * */
	GPtrArray *explained;		 /* those of them that were, not owned */
	unsigned most;			 /* to be explained */
	gint64 deadline;
};

/* By an assertion, a crash, its exit status or its output, run without a shell. */
static bool can_be_explained(const struct options *options, const struct suite_result *r,
			     unsigned i)
{
	const struct suite_outcome *o = &g_array_index(r->outcomes, struct suite_outcome, i);

	if (!o->direct)
		return false;
	if (o->verdict == SUITE_FAILED_CRASH)
		return o->end.kind == SUITE_SIGNALLED && ending_is_crash(o->end.number);
	if (o->verdict == SUITE_FAILED_OUTPUT)
		return options->golden || options->expected;
	return o->verdict == SUITE_FAILED_STATUS && !options->expected;
}

static void add_test(struct failing *f, const struct suite_result *r, unsigned i)
{
	struct test *t = g_new0(struct test, 1);

	suite_result_command(r, i, &t->command);
	t->name = ((const struct suite_test *)r->suite->tests->pdata[i])->name;
	t->options = *f->o;
	t->options.program = t->command.argv;
	t->options.stdin_file = t->command.stdin_file;
	t->options.of_suite = true;
	if (f->o->expected) {
		t->expect = neighbours_expected_file(f->o, r, t->name);
		t->options.expect = t->expect;
		t->options.any_status = true;
	}
	if (f->o->joint)
		t->options.max_suspects = 0; /* what is dear for one may be needed for all */
	g_ptr_array_add(f->tests, t);
}

static bool is_named(const struct suite_test *t, const char *name)
{
	return strcmp(t->name, name) == 0 || strcmp(t->place, name) == 0;
}

static bool add_named(struct failing *f, const struct suite_result *r, const char *name,
		      GError **error)
{
	for (unsigned i = 0; i < r->outcomes->len; i++) {
		const struct suite_outcome *o =
			&g_array_index(r->outcomes, struct suite_outcome, i);

		if (!is_named(r->suite->tests->pdata[i], name))
			continue;
		if (can_be_explained(f->o, r, i)) {
			add_test(f, r, i);
			return true;
		}
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "Test %s %s; name one that fails by an assertion, a crash, its exit "
			    "status or its output, run without a shell.",
			    name,
			    !suite_is_failure(o->verdict) ? "did not fail"
			    : o->direct ? "fails otherwise than by an assertion, a crash, its "
					  "exit status or its output"
					: "is run by a shell");
		return false;
	}
	g_set_error(
		error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		"There is no test %s in %s; --failing takes all, a number of tests, or a test's "
		"name or place (FILE:LINE).",
		name, r->suite->path);
	return false;
}

static bool choose(struct failing *f, const struct suite_result *r, GError **error)
{
	const char *which = f->o->failing ? f->o->failing : OPTIONS_FAILING;
	guint64 n = 0;

	f->most = G_MAXUINT;
	if (strcmp(which, "all") != 0) {
		if (!g_ascii_string_to_unsigned(which, 10, 1, G_MAXINT32, &n, NULL))
			return add_named(f, r, which, error);
		f->most = (unsigned)n;
	}
	for (unsigned i = 0; i < r->outcomes->len; i++)
		if (can_be_explained(f->o, r, i))
			add_test(f, r, i);
	if (!f->tests->len)
		g_set_error(
			error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			"None of the %u failing tests of %s fails by an assertion, a crash, its "
			"exit status or its output, run without a shell, and only those can be "
			"explained.",
			r->failed, r->suite->path);
	return f->tests->len > 0;
}

static void test_free(gpointer p)
{
	struct test *t = p;

	if (t->open)
		question_clear(&t->q);
	if (t->command.argv)
		suite_command_clear(&t->command);
	g_free(t->expect);
	g_free(t);
}

static void add_own(struct failing *f)
{
	struct test *t = g_new0(struct test, 1);

	t->name = "";
	t->options = *f->o;
	t->options.of_suite = true;
	f->most = 1;
	g_ptr_array_add(f->tests, t);
}

struct failing *failing_new(const struct options *o, const struct suite_result *r,
			    const struct weighting *weighting, struct consistency *consistency,
			    GError **error)
{
	struct failing *f = g_new0(struct failing, 1);

	f->o = o;
	f->weighting = weighting;
	f->consistency = consistency;
	f->tests = g_ptr_array_new_with_free_func(test_free);
	f->explained = g_ptr_array_new();
	if (!r)
		add_own(f);
	else if (!choose(f, r, error))
		g_clear_pointer(&f, failing_free);
	return f;
}

void failing_free(struct failing *f)
{
	if (!f)
		return;
	/* the first one's replay is the others', too */
	while (f->tests->len)
		g_ptr_array_remove_index(f->tests, f->tests->len - 1);
	g_ptr_array_unref(f->tests);
	g_ptr_array_unref(f->explained);
	g_free(f);
}

static double seconds_left(const struct failing *f)
{
	return MAX((double)(f->deadline - g_get_monotonic_time()) / 1e6, 0);
}

/* Each test gets a share of the time that is left, so that the first ones do not take all of it. */
static double share_of(const struct failing *f, const struct test *t)
{
	guint n = (guint)MIN(f->most - f->explained->len, f->o->limits.test_shares);

	return MIN(t->options.timeout, seconds_left(f) / MIN(n, f->tests->len));
}

/* Seconds that are kept for what other tests say. */
static double evidence_seconds(const struct failing *f)
{
	return f->consistency ? f->o->timeout * (double)f->o->limits.evidence_share / 100 : 0;
}

/* When the time is up, the explanation stands without evidence; other errors are the caller's. */
static bool note_for_evidence(struct failing *f, struct test *t, GError **error)
{
	GError *failed = NULL;

	if (!f->consistency)
		return true;
	question_go_on(&t->q, evidence_seconds(f));
	if (consistency_note(f->consistency, &t->q, &failed))
		return true;
	if (!g_error_matches(failed, DEADLINE_ERROR, DEADLINE_ERROR_TIME)) {
		g_propagate_error(error, failed);
		return false;
	}
	g_error_free(failed);
	t->q.e->complete = false;
	return true;
}

/* Gives 0 and says in *explained whether the test was explained; it is not when it fails in
 * another way. Otherwise gives the exit status. */
static int explain_test(struct failing *f, struct test *t, bool *explained, GError **error)
{
	struct question *first = failing_first(f);
	unsigned threads = 1;
	int status;

	t->open = true;
	t->options.timeout = share_of(f, t);
	if (first)
		question_go_on(first, t->options.timeout);
	status = first ? question_start_beside(&t->q, first, &t->options, &threads, error)
		       : question_start(&t->q, &t->options, question_require_pass, NULL, error);
	t->q.weighting = f->weighting;
	if (!status && threads == 1) {
		analysis_begin(&t->q);
		status = analysis_explain(&t->q, error);
	}
	if (!status && threads == 1 && !note_for_evidence(f, t, error))
		status = ending_status(*error);
	*explained = !status && threads == 1;
	if (first && status && status != OPTIONS_EXIT_INTERRUPTED) {
		g_clear_error(error); /* the first stands */
		status = 0;
	}
	return status;
}

/* Frees the record and what was made of it; the explanation stays. */
static void drop_run(struct test *t)
{
	g_clear_pointer(&t->q.point, trace_point_free);
	folder_remove(t->q.run.failing.record);
}

int failing_explain(struct failing *f, GPtrArray *es, GError **error)
{
	f->deadline =
		g_get_monotonic_time() + (gint64)((f->o->timeout - evidence_seconds(f)) * 1e6);
	for (guint i = 0; i < f->tests->len && es->len < f->most; i++) {
		struct test *t = f->tests->pdata[i];
		bool explained = false;
		int status;

		if (es->len && seconds_left(f) <= 0)
			break;
		status = explain_test(f, t, &explained, error);
		if (status)
			return status;
		if (f->explained->len)
			drop_run(t);
		if (!explained)
			continue;
		g_ptr_array_add(es, t->q.e);
		g_ptr_array_add(f->explained, t);
	}
	return 0;
}

struct question *failing_first(struct failing *f)
{
	return f->explained->len ? &((struct test *)f->explained->pdata[0])->q : NULL;
}

const char *failing_name(const struct failing *f, unsigned i)
{
	return ((const struct test *)f->explained->pdata[i])->name;
}
