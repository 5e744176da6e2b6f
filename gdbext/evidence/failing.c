/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/explainable.h"
#include "gdbext/evidence/failing-private.h"
#include "gdbext/question/analysis/analysis.h"
#include "gdbext/question/ending.h"

#include <string.h>

static void add_failing_test(struct failing *f, const struct suite_result *r, unsigned i)
{
	struct failing_test *t = g_new0(struct failing_test, 1);

	suite_result_command(r, i, &t->command);
	t->name = ((const struct suite_test *)r->suite->tests->pdata[i])->name;
	t->row = g_array_index(r->outcomes, struct suite_outcome, i).row;
	t->as_neighbour = (struct neighbour){ .name = t->name, .number = i, .command = t->command };
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

static bool is_test_named(const struct suite_test *t, const char *name)
{
	return strcmp(t->name, name) == 0 || strcmp(t->place, name) == 0;
}

static bool add_tests_named(struct failing *f, const struct suite_result *r, const char *name,
			    GError **error)
{
	for (unsigned i = 0; i < r->outcomes->len; i++) {
		const struct suite_outcome *o =
			&g_array_index(r->outcomes, struct suite_outcome, i);

		if (!is_test_named(r->suite->tests->pdata[i], name))
			continue;
		if (explainable_test(f->o, r, i)) {
			add_failing_test(f, r, i);
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

static bool choose_failing_tests(struct failing *f, const struct suite_result *r, GError **error)
{
	const char *which = f->o->failing ? f->o->failing : OPTIONS_FAILING;
	g_autoptr(GArray) tests = NULL;
	guint64 n = 0;

	f->most = G_MAXUINT;
	if (strcmp(which, "all") != 0) {
		if (!g_ascii_string_to_unsigned(which, 10, 1, G_MAXINT32, &n, NULL))
			return add_tests_named(f, r, which, error);
		f->most = (unsigned)n;
	}
	tests = explainable_tests(f->o, r);
	for (guint i = 0; i < tests->len; i++)
		add_failing_test(f, r, g_array_index(tests, unsigned, i));
	if (!f->tests->len)
		g_set_error(
			error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			"None of the %u failing tests of %s fails by an assertion, a crash, its "
			"exit status or its output, or does not end, run without a shell, and only "
			"those can be explained.",
			r->failed, r->suite->path);
	return f->tests->len > 0;
}

void failing_clear_questions(struct failing_test *t)
{
	if (t->open)
		question_clear(&t->q);
	if (t->asked_before)
		question_clear(&t->first);
	t->open = t->asked_before = false;
}

static void test_free(gpointer p)
{
	struct failing_test *t = p;

	failing_clear_questions(t);
	explanation_free(t->covered);
	if (t->command.argv)
		suite_command_clear(&t->command);
	g_free(t->expect);
	g_free(t);
}

static void add_only_test(struct failing *f)
{
	struct failing_test *t = g_new0(struct failing_test, 1);

	t->name = "";
	t->options = *f->o;
	t->options.of_suite = true;
	f->most = 1;
	g_ptr_array_add(f->tests, t);
}

bool failing_are_of_suite(const struct options *o)
{
	return !o->program[1] && !o->stdin_file;
}

struct failing *failing_new(const struct options *o, const struct suite_result *r,
			    const struct weighting *weighting, struct consistency *consistency,
			    GError **error)
{
	struct failing *f = g_new0(struct failing, 1);

	f->o = o;
	f->r = r;
	f->limits = o->limits;
	f->limits.reached = NULL;
	f->looks = (struct test_looks){ .o = o, .limits = &f->limits };
	f->weighting = weighting;
	f->consistency = consistency;
	f->tests = g_ptr_array_new_with_free_func(test_free);
	f->explained = g_ptr_array_new();
	if (!failing_are_of_suite(o))
		add_only_test(f);
	else if (!choose_failing_tests(f, r, error))
		g_clear_pointer(&f, failing_free);
	return f;
}

void failing_free(struct failing *f)
{
	if (!f)
		return;
	evidence_free(f->evidence);
	joint_free(f->joint);
	transfer_free(f->transfer);
	neighbours_free(f->neighbours);
	/* the first one's replay is the others', too */
	while (f->tests->len)
		g_ptr_array_remove_index(f->tests, f->tests->len - 1);
	g_ptr_array_unref(f->tests);
	g_ptr_array_unref(f->explained);
	g_free(f);
}

static double seconds_left_for_tests(const struct failing *f)
{
	return MAX((double)(f->deadline - g_get_monotonic_time()) / 1e6, 0);
}

double failing_time_share(const struct failing *f, const struct failing_test *t)
{
	guint n = (guint)MIN(f->most - f->explained->len, f->o->limits.test_shares);

	return MIN(t->options.timeout, seconds_left_for_tests(f) / MIN(n, f->tests->len));
}

/* Seconds that are kept for what other tests say. */
static double evidence_seconds(const struct failing *f)
{
	return f->consistency ? f->o->timeout * (double)f->o->limits.evidence_share / 100 : 0;
}

/* When the time is up, the explanation stands without evidence; other errors are the caller's. */
static bool note_for_evidence(struct failing *f, struct failing_test *t, GError **error)
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

/* first: the first test that is explained. */
static struct evidence *evidence_about(struct failing *f, struct question *first, double seconds)
{
	if (!f->evidence)
		f->evidence = evidence_new(first, f->consistency, f->r, seconds);
	else
		evidence_go_on(f->evidence, seconds);
	return f->evidence;
}

struct evidence *failing_evidence(struct failing *f, double seconds)
{
	return f->consistency ? evidence_about(f, failing_first(f), seconds) : NULL;
}

/* Is there a change that mends all and breaks none?  Afterwards the replay runs t again, for as
 * long as before. */
static bool look_for_evidence(void *failing, struct question *q, bool *enough, GError **error)
{
	struct failing *f = failing;
	double left = (double)deadline_left_ms(&q->until, G_MAXINT) / 1e3;
	const bool quick = q->look.more != 0;
	struct evidence *v;

	*enough = test_looks_are_over(&f->looks);
	if (*enough)
		return true;
	v = evidence_about(f, q, evidence_seconds(f));
	if (!evidence_look(v, q->e, quick, &f->looks.mended, error) ||
	    !replay_turn_to(q->run.replay, q->o->program, q->o->stdin_file, error))
		return false;
	question_go_on(q, left);
	*enough = f->looks.mended;
	test_looks_note(&f->looks, &q->look, quick, evidence_saw_any(v));
	return true;
}

/* Limits the effort for one test, before the other tests say whether that was enough. */
static struct question_look look_at_failing_test(struct failing *f, bool first)
{
	struct question_look look = { 0 };

	if (!f->consistency || f->o->thorough || f->o->joint)
		return look;
	if (!first)
		return test_looks_next(&f->looks);
	look = test_looks_first(&f->looks);
	look.is_enough = look_for_evidence;
	look.arg = f;
	return look;
}

/* Looks for evidence before the other tests are explained, where the first one was explained
 * before its look was over. */
static bool look_before_others(struct failing *f, struct question *first, GError **error)
{
	bool mended;

	first->look.more = 0; /* this is the last look at it */
	return f->looks.mended || !look_at_failing_test(f, true).work || f->most == 1 ||
	       f->tests->len == 1 || look_for_evidence(f, first, &mended, error);
}

/* Gives 0 and says in *explained whether the test was explained; it is not when it fails in
 * another way. Otherwise gives the exit status. */
static int explain_test(struct failing *f, struct failing_test *t, bool *explained, GError **error)
{
	struct question *first = failing_first(f);
	g_autoptr(GHashTable) lines = first ? test_looks_lines(&f->looks, first->e) : NULL;
	unsigned threads = 1;
	int status;

	t->open = true;
	t->options.timeout = failing_time_share(f, t);
	test_looks_limit(&f->looks, &t->options.limits);
	if (lines) /* larger sets cost more than they tell of a line */
		t->options.limits.passes = t->options.limits.size = 1;
	if (first)
		question_go_on(first, t->options.timeout);
	status = first ? question_start_beside(&t->q, first, &t->options, &threads, error)
		       : question_start(&t->q, &t->options, question_require_pass, NULL, error);
	t->q.weighting = f->weighting;
	t->q.look = look_at_failing_test(f, !first);
	if (!status && threads == 1) {
		t->q.requirement->only = lines;
		analysis_begin(&t->q);
		status = analysis_explain(&t->q, error);
		t->q.requirement->only = NULL;
	}
	if (!status && threads == 1 && !first && !look_before_others(f, &t->q, error))
		status = ending_status(*error);
	if (!status && threads == 1 && !note_for_evidence(f, t, error))
		status = ending_status(*error);
	*explained = !status && threads == 1;
	if (first && status && status != OPTIONS_EXIT_INTERRUPTED) {
		g_clear_error(error); /* the first stands */
		status = 0;
	}
	return status;
}

static int cover_or_explain(struct failing *f, struct failing_test *t, bool *explained,
			    GError **error)
{
	GError *failed = NULL;
	int status;

	*explained = failing_is_covered(f, t, &failed);
	if (failed) {
		g_propagate_error(error, failed);
		return ending_status(*error);
	}
	if (*explained)
		return 0;
	status = explain_test(f, t, explained, error);
	if (!status && f->explained->len)
		failing_drop_run(t);
	return status;
}

/* So many tests are explained where a change is known that mends all; 0 = all of them.  A ranking
 * needs fewer than who asks for the explanation of each. */
static uint64_t tests_to_explain(const struct failing *f)
{
	const struct limits *limits = &f->limits;

	if (f->o->joint && limits->mended_each)
		return MAX(limits->mended_each, limits->joint_each);
	return f->o->command != OPTIONS_EXPLAIN && limits->mended_common &&
			       evidence_saw_common(f->evidence)
		       ? MIN(limits->mended_common, limits->mended_each)
		       : limits->mended_each;
}

/* With --joint, looks for such a change once so many tests were explained that are each explained
 * by themselves. */
static bool look_for_all(struct failing *f, GError **error)
{
	const struct limits *limits = &f->limits;
	bool mended;

	if (f->looked || !f->o->joint || !f->consistency || f->o->thorough ||
	    !limits->mended_each || f->explained->len < limits->joint_each)
		return true;
	f->looked = true;
	return look_for_evidence(f, failing_first(f), &mended, error);
}

/* Is a change known that mends all failing tests that it was tried on?  A joint answer names its
 * line whatever it costs. */
static bool knows_change(const struct failing *f)
{
	return f->looks.mended || (f->o->joint && f->looks.dear);
}

/* Does a change that mends the others mend it, too?  Then its own explanation says nothing more. */
static bool is_mended(struct failing *f, const struct failing_test *t)
{
	uint64_t enough = knows_change(f) ? tests_to_explain(f) : 0;

	if (!enough || !t->command.argv || f->explained->len < enough)
		return false;
	evidence_go_on(f->evidence, failing_time_share(f, t));
	return evidence_mends(f->evidence, &t->as_neighbour);
}

int failing_explain(struct failing *f, GPtrArray *es, GError **error)
{
	f->deadline =
		g_get_monotonic_time() + (gint64)((f->o->timeout - evidence_seconds(f)) * 1e6);
	for (guint i = 0; i < f->tests->len && es->len + f->n_mended < f->most; i++) {
		struct failing_test *t = f->tests->pdata[i];
		bool explained = false;
		gint64 began;
		int status;

		if (es->len && seconds_left_for_tests(f) <= 0)
			break;
		if (!look_for_all(f, error))
			return ending_status(*error);
		if (is_mended(f, t)) {
			f->n_mended++;
			continue;
		}
		began = g_get_monotonic_time();
		status = cover_or_explain(f, t, &explained, error);
		if (status)
			return status;
		g_debug("%s: %s in %" G_GINT64_FORMAT " ms", t->name,
			!explained   ? "not explained"
			: t->covered ? "explained by what others have"
				     : "explained by itself",
			(g_get_monotonic_time() - began) / 1000);
		if (!explained)
			continue;
		g_ptr_array_add(f->explained, t);
		failing_note_joint(f, t);
		g_ptr_array_add(es, t->covered ? t->covered : t->q.e);
	}
	return 0;
}

struct question *failing_first(struct failing *f)
{
	return f->explained->len ? &((struct failing_test *)f->explained->pdata[0])->q : NULL;
}

bool failing_answer_jointly(struct failing *f)
{
	return joint_answer(f->joint);
}

unsigned failing_left_out(const struct failing *f)
{
	return joint_left_out(f->joint);
}

unsigned failing_covered(const struct failing *f)
{
	unsigned n = 0;

	for (guint i = 0; i < f->explained->len; i++)
		n += ((const struct failing_test *)f->explained->pdata[i])->covered != NULL;
	return n;
}

bool failing_is_late(const struct failing *f)
{
	return seconds_left_for_tests(f) <= 0;
}

unsigned failing_mended(const struct failing *f)
{
	return f->n_mended;
}

const char *failing_name(const struct failing *f, unsigned i)
{
	return ((const struct failing_test *)f->explained->pdata[i])->name;
}
