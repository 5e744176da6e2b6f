/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/failing-private.h"
#include "gdbext/evidence/transfer/best-sets.h"
#include "gdbext/question/analysis/analysis.h"
#include "gdbext/replay/folder.h"

void failing_drop_run(struct failing_test *t)
{
	g_clear_pointer(&t->q.point, trace_point_free);
	folder_remove(t->q.run.failing.record);
	if (t->asked_before) {
		g_clear_pointer(&t->first.point, trace_point_free);
		folder_remove(t->first.run.failing.record);
	}
}

/* What the test has to print; false: that cannot be found out. */
static bool expected_of(struct failing *f, struct failing_test *t,
			const struct expected_output **expected)
{
	*expected = NULL;
	if (!f->o->golden && !f->o->expected)
		return true;
	if (!f->neighbours)
		f->neighbours = neighbours_new(f->r, f->o);
	return neighbours_expected(f->neighbours, &t->as_neighbour, expected);
}

/* Sets of several lines grow while a few more tests are explained by themselves. */
static struct best_sets best_sets_of(const struct failing *f)
{
	const uint64_t each = f->limits.joint_each, enough = each + MAX(1, each / 4);

	return (struct best_sets){ f->joint, &f->limits,
				   f->explained->len - failing_covered(f) >= enough };
}

struct asking {
	const struct failing *f;
	const struct failing_test *t;
};

static bool is_failing_test_answered(void *arg)
{
	const struct asking *a = arg;

	const struct best_sets best = best_sets_of(a->f);

	return best_sets_are_explained(&best, a->t->covered, a->t->q.e);
}

/* Asks which changes of these lines, of at most so many together, mend the test.  The answer is
 * in t's .q.e. */
static bool ask_about_lines(struct failing *f, struct failing_test *t, GHashTable *lines,
			    unsigned size, uint64_t passes)
{
	struct asking asking = { f, t };
	g_autoptr(GError) why = NULL;
	unsigned threads = 1;
	int status;

	if (t->open) {
		t->first = t->q; /* its answer is used */
		t->asked_before = true;
		t->q = (struct question){ 0 };
	}
	t->open = true;
	t->options.timeout = failing_time_share(f, t);
	t->options.limits.size = MIN(size, f->limits.size);
	t->options.limits.passes = passes;
	status = question_start_beside(&t->q, failing_first(f), &t->options, &threads, &why);
	if (status || threads != 1)
		return false;
	t->q.weighting = f->weighting;
	t->q.requirement->only = lines;
	t->q.is_answered = is_failing_test_answered;
	t->q.is_answered_arg = &asking;
	analysis_begin(&t->q);
	status = analysis_explain(&t->q, &why);
	t->q.is_answered = NULL;
	t->q.requirement->only = NULL;
	return status == 0;
}

/* Asks about the sets that are left open, until that is settled or it is not known. */
static bool ask_about_best(struct failing *f, struct failing_test *t, const struct best_sets *best)
{
	/* the first answer of those that are difficult costs much less than the certain one */
	const uint64_t passes[] = { 1, f->limits.passes };

	for (size_t i = 0; i < G_N_ELEMENTS(passes); i++) {
		g_autoptr(GHashTable) lines = NULL;
		unsigned size;

		if (i && (best_sets_are_explained(best, t->covered, NULL) ||
			  !best_sets_of_one_line(best, t->covered)))
			break;
		lines = best_sets_to_ask(best, t->covered, i > 0, &size);
		if (!ask_about_lines(f, t, lines, size, passes[i]))
			return false;
		transfer_add(t->covered, t->q.e);
	}
	return best_sets_are_settled(best, t->covered);
}

/* Asks only about what the changes of other tests leave open. */
static bool explain_best(struct failing *f, struct failing_test *t)
{
	const struct best_sets best = best_sets_of(f);

	if (best_sets_are_explained(&best, t->covered, NULL))
		return true;
	if (t->options.granularity == OPTIONS_BY_FUNCTION || !ask_about_best(f, t, &best))
		return false;
	failing_drop_run(t);
	return true;
}

/* As if it had never been asked. */
static void forget_answer(const struct failing *f, struct failing_test *t)
{
	failing_clear_questions(t);
	t->options.limits = f->o->limits;
	g_clear_pointer(&t->covered, explanation_free);
}

bool failing_is_covered(struct failing *f, struct failing_test *t, GError **error)
{
	g_autofree guint8 *lines = NULL;
	struct transfer_test test = { .argv = t->command.argv,
				      .stdin_file = t->command.stdin_file,
				      .units = profile_plan_units(f->r->plan) };

	if (!f->joint || f->explained->len < f->limits.joint_each || !f->limits.joint_best ||
	    !joint_sets(f->joint) || !t->command.argv || !expected_of(f, t, &test.expected))
		return false;
	if (t->row != UNIT_NONE)
		test.lines = lines = neighbours_lines(f->r, t->row);
	question_go_on(failing_first(f), failing_time_share(f, t));
	t->covered = transfer_try(f->transfer, f->joint, failing_first(f), &test, error);
	if (!t->covered)
		return false;
	if (explain_best(f, t))
		return true;
	forget_answer(f, t);
	return false;
}

void failing_note_joint(struct failing *f, struct failing_test *t)
{
	struct explanation *e = t->covered ? t->covered : t->q.e;

	if (!f->o->joint)
		return;
	if (!f->joint) {
		f->joint = joint_new(e, f->weighting, &f->limits);
		f->transfer = transfer_new(&f->limits);
	}
	if (t->covered)
		joint_add_known(f->joint, e);
	else
		joint_add(f->joint, e);
	if (t->open)
		transfer_note(f->transfer, t->q.e);
	if (t->asked_before)
		transfer_note_more(f->transfer, t->first.e);
}
