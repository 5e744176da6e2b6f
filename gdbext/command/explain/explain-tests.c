/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/explain/explain-tests.h"

#include "gdbext/question/ending.h"
#include "gdbext/evidence/evidence.h"
#include "gdbext/command/explain/explain.h"
#include "gdbext/evidence/failing.h"
#include "gdbext/question/notes.h"
#include "gdbext/replay/interrupt.h"
#include "gdbext/question/runs/suite-tests.h"
#include "solver/answer/combine.h"
#include "solver/answer/describe.h"
#include "solver/source/executed.h"

#include <glib/gstdio.h>

static struct suite_result *run_explained_suite(const struct options *o, int *status,
						GError **error)
{
	struct suite_result *r;

	if (!replay_interrupt_install(NULL, NULL, error)) {
		*status = ending_status(*error);
		return NULL;
	}
	r = tests_run(o, error);
	replay_interrupt_restore();
	if (!r)
		*status = ending_status(*error);
	else if (failing_are_of_suite(o) || r->not_run)
		*status = tests_check_failed(r, error);
	return r;
}

/* What the suite said, in the answer. */
static void note_tests(struct explanation *e, const struct options *o, const struct suite_result *r,
		       const char *technique)
{
	e->tests.suite = explanation_string(e, o->tests);
	e->tests.technique = technique;
	e->tests.passed = r->passed;
	e->tests.failed = r->failed;
	if (technique)
		notes_printf(e,
			     "this order rests on %u passing and %u failing tests of %s: what %s "
			     "finds more suspicious comes first",
			     r->passed, r->failed, o->tests, technique);
	else
		notes_printf(e,
			     "%u passing and %u failing tests of %s do not say what is likely, "
			     "because both kinds are needed",
			     r->passed, r->failed, o->tests);
}

static void note_shared(struct explanation *e)
{
	unsigned n = e->tests.explained->len, shared = 0;

	if (n < 2)
		return;
	for (guint i = 0; i < e->suspects->len; i++)
		shared += ((struct explanation_suspect *)e->suspects->pdata[i])->tests == n;
	notes_printf(e,
		     "%u failing tests were explained, this is the first of them; %u of its "
		     "explanations %s every one of them",
		     n, shared, shared == 1 ? "explains" : "explain");
}

static void note_mended(struct explanation *e, unsigned n)
{
	if (n)
		notes_printf(e,
			     "%u more failing test%s with a change that mends these; --limit "
			     "mended_each=0 explains %s, too",
			     n, n == 1 ? " passes" : "s pass", n == 1 ? "it" : "each of them");
}

static void note_left_out(struct explanation *e, const struct failing *f)
{
	unsigned n = failing_left_out(f);

	if (n)
		notes_printf(
			e,
			"%u more explanation%s of several lines each, which hold%s for some of "
			"the tests, %s left out, since not all tests were asked about %s; a larger "
			"--limit joint_best asks about more",
			n, n == 1 ? "" : "s", n == 1 ? "s" : "", n == 1 ? "is" : "are",
			n == 1 ? "it" : "them");
}

static void note_joint(struct explanation *e, const struct failing *f)
{
	unsigned covered = failing_covered(f);

	notes_printf(
		e,
		"%u failing tests were explained; each explanation here holds one of each, and "
		"shows the values of the first test that needs it",
		e->tests.explained->len);
	if (covered)
		notes_printf(e,
			     "%u of them %s with changes that mend others; --limit joint_best=0 "
			     "explains each by itself",
			     covered, covered == 1 ? "passes" : "pass");
	note_left_out(e, f);
}

/* One answer of all: what is in each, or what explains all of them. */
static void merge_answers(struct failing *f, const GPtrArray *es, const struct options *o)
{
	struct explanation *e = es->pdata[0];
	struct limits limits = o->limits;

	limits.reached = &e->reached;
	for (guint i = 0; failing_are_of_suite(o) && i < es->len; i++)
		g_ptr_array_add(e->tests.explained,
				(gpointer)explanation_string(e, failing_name(f, i)));
	if (!o->joint)
		combine((struct explanation *const *)es->pdata, es->len);
	else if (!failing_answer_jointly(f)) {
		limits_reached(&limits, LIMIT_joint_sets);
		e->complete = false;
	}
	for (guint i = 1; i < es->len; i++)
		e->complete &= ((struct explanation *)es->pdata[i])->complete;
}

static bool gather_evidence(struct failing *f, const struct options *o, unsigned n, GError **error)
{
	struct question *first = failing_first(f);
	double left = o->timeout - g_timer_elapsed(first->clock, NULL);
	struct evidence *v = failing_evidence(f, left);

	return !v || evidence_gather(v, first->e, n, error);
}

static void describe_explained_tests(struct failing *f, const struct options *o,
				     const struct suite_result *r, const char *technique)
{
	struct question *first = failing_first(f);
	struct explanation *e = first->e;

	if (o->joint && o->max_suspects && e->suspects->len > o->max_suspects) {
		g_ptr_array_set_size(e->suspects, (gint)o->max_suspects);
		e->complete = false;
	}
	describe_sources(e, first->run.images, first->run.n_images);
	trace_point_coverage(first->point, e);
	executed_tests(e, profile_plan_units(r->plan), r->spectrum);
	note_tests(e, o, r, technique);
	explanation_add_stage(e, "suite", r->ms, r->passed + r->failed + r->unknown, "tests");
	if (o->joint)
		note_joint(e, f);
	else
		note_shared(e);
	note_mended(e, failing_mended(f));
}

static int explain_failing_tests(struct failing *f, const struct options *o,
				 const struct suite_result *r, const char *technique,
				 GError **error)
{
	g_autoptr(GPtrArray) es = g_ptr_array_new();
	int status = failing_explain(f, es, error);

	if (status)
		return status;
	merge_answers(f, es, o);
	if (!gather_evidence(f, o, es->len, error))
		return ending_status(*error);
	describe_explained_tests(f, o, r, technique);
	return explain_print(failing_first(f), error);
}

int explain_with_tests(const struct options *o, GError **error)
{
	struct consistency *consistency;
	struct weighting *weighting = NULL;
	struct suite_result *r;
	struct failing *f = NULL;
	const char *technique = NULL;
	int status = 0;

	if (!tests_check_technique(o, error))
		return OPTIONS_EXIT_USAGE;
	/* each search appends to it */
	if (o->trace_search)
		g_remove(o->trace_search);
	consistency = evidence_is_wanted(o) ? consistency_new(&o->limits) : NULL;
	r = run_explained_suite(o, &status, error);
	if (r && !status && r->failed && r->passed)
		weighting = tests_weigh(o, r, &technique, error);
	if (r && !status) {
		f = failing_new(o, r, weighting, consistency, error);
		status = f ? explain_failing_tests(f, o, r, technique, error) : OPTIONS_EXIT_USAGE;
	}
	failing_free(f);
	consistency_free(consistency);
	weighting_free(weighting);
	suite_result_free(r);
	return status;
}
