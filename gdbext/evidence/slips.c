/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/slips.h"
#include "gdbext/evidence/mutation.h"
#include "gdbext/question/failing-check.h"
#include "gdbext/question/wrong-output.h"
#include "solver/answer/evidence.h"
#include "solver/answer/plausibility.h"

static bool is_worth_it(const struct explanation_suspect *s)
{
	return s->replay == REPLAY_PASSES && s->size == 1 && s->statements->len && !s->evidence;
}

static bool judge(struct mutation *m, struct explanation *e, const struct explanation_suspect *s,
		  GError **error)
{
	const struct explanation_statement *st =
		&g_array_index(s->statements, struct explanation_statement, 0);
	struct mutation_verdict v;
	g_autofree char *change = NULL;
	struct explanation_evidence found = { .failing = 1 };

	if (!mutation_find(m, st->file, st->line, &v, error))
		return false;
	if (!v.mended)
		return true;
	change = mutation_describe(m, &v.best);
	found.change = change;
	found.effort = mutation_effort(m, &v.best);
	found.mended = 1;
	evidence_add(e, st->file, st->line, &found);
	return true;
}

bool slips_gather(struct question *q, double seconds, GError **error)
{
	gint64 deadline = g_get_monotonic_time() + (gint64)(seconds * 1e6);
	g_auto(GStrv) words = run_source_words(&q->run, q->o);
	struct explanation *e = q->e;
	struct limits limits = q->o->limits;
	const struct expected_output *expected;
	struct neighbours *one;
	struct mutation *m;
	bool ok = true;

	/* the mutants are judged by what the test as a whole does */
	if (q->run.replay && !e->not_run && failing_check_is_only_one(q)) {
		expected = wrong_output_expected(q);
		one = neighbours_of_one(q->run.program, words, q->o->stdin_file, expected);
		limits.reached = &e->reached;
		limits.mutant_all_us = MIN(limits.mutant_all_us, limits.slip_all_us);
		/* no check of the program's own has to be made still */
		m = mutation_new(q->run.replay, one, expected ? NULL : e->failure.file,
				 e->failure.line, deadline, &limits);
		for (guint i = 0; ok && i < e->suspects->len; i++)
			if (is_worth_it(e->suspects->pdata[i]))
				ok = judge(m, e, e->suspects->pdata[i], error);
		mutation_free(m);
		neighbours_free(one);
	}
	plausibility_order(e, &q->o->limits);
	return ok;
}
