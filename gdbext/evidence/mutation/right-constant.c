/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The right value of a constant, of which another value mends some of the failing tests.
 *
 * Numbers are compared with each other more often than not, so a test that fails with one constant
 * and passes with another one passes from some boundary between them on.  The nearest value that
 * lies behind the boundaries of all failing tests mends all of them, and does least harm to the
 * passing ones, whose boundaries are on the same side:
 *
 *     limit 700:  fails  fails  fails          one failing test passes from 723 on,
 *           723:  passes fails  fails          another one from 731,
 *           731:  passes passes fails          the third from 738: this is tried, and the right
 *           738:  passes passes passes         740 lies between it and what breaks a passing test.
 */
#include "gdbext/evidence/mutation/mutation-private.h"

struct search {
	struct mutation *m;
	const struct trial *t;
	struct mutant of; /* the instruction */
};

/* 0 = fails, 1 = passes, -1 = there is no such constant, or no time left. */
static int passes_with(struct search *s, const struct neighbour *t, int64_t value)
{
	g_autoptr(GArray) changes = NULL;
	struct mutant made;

	if (mutation_is_spent(s->m) || !mutator_constant(s->m->mutator, &s->of, value, &made))
		return -1;
	changes = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	mutant_actions(&made, changes);
	return mutation_passes(s->m, &s->m->plain, t, changes);
}

/* The test fails with the first value and passes with the second one.  Returns the passing value
 * that is nearest to the first, as far as bisecting finds it. */
static int64_t nearest_passing_value(struct search *s, const struct neighbour *t, int64_t fails,
				     int64_t passes)
{
	while (passes - fails > 1 || fails - passes > 1) {
		int64_t middle = fails + (passes - fails) / 2;

		if (passes_with(s, t, middle) > 0)
			passes = middle;
		else
			fails = middle;
	}
	return passes;
}

/* Moves *at away from the present constant until the test passes. */
static bool go_on(struct search *s, const struct neighbour *t, int64_t *at)
{
	int64_t from = *at, step = *at > s->of.from ? 1 : -1;

	for (unsigned i = 0; i < s->m->limits->constant_steps; i++, step *= 2) {
		int passes = passes_with(s, t, from + step);

		if (passes < 0)
			return false;
		if (passes) {
			*at = nearest_passing_value(s, t, from, from + step);
			return true;
		}
		from += step;
	}
	return false;
}

/* A test that passes with the seed; NULL = none does. */
static const struct neighbour *mended_by(struct search *s)
{
	const GPtrArray *tests = s->t->failing;

	for (guint i = 0; i < tests->len; i++)
		if (passes_with(s, tests->pdata[i], s->of.to) > 0)
			return tests->pdata[i];
	return NULL;
}

/* The value nearest to the present one that mends all failing tests; false: none is known. */
static bool nearest_for_all(struct search *s, int64_t *out)
{
	const struct neighbour *first = mended_by(s);
	const GPtrArray *tests = s->t->failing;
	int64_t at;

	if (!first)
		return false;
	at = nearest_passing_value(s, first, s->of.from, s->of.to);
	for (guint i = 0; i < tests->len; i++) {
		int passes = passes_with(s, tests->pdata[i], at);

		if (passes < 0 || (!passes && !go_on(s, tests->pdata[i], &at)))
			return false;
	}
	*out = at;
	return true;
}

/* Tries other values when one mends all failing tests and breaks a few passing ones: those
 * between it and the present constant, and some beyond it. */
static void refine_constant(struct search *s, struct mutation_verdict *best)
{
	const struct mutant first = best->best;
	int64_t step = (first.from - first.to) / 2;

	for (; step && !mutation_verdict_is_clean(best) && !mutation_is_spent(s->m); step /= 2) {
		int64_t at = best->best.to;

		for (int side = 1; side >= -1; side -= 2) {
			struct mutant other;

			if (mutator_constant(s->m->mutator, &first, at + side * step, &other))
				mutation_try_mutant(s->m, s->t, &other, best);
		}
	}
}

void mutation_seek_constants(struct mutation *m, const struct trial *t,
			     struct mutation_verdict *best)
{
	for (guint i = 0; i < t->seeds->len && !mutation_verdict_is_clean(best); i++) {
		struct search s = { m, t, g_array_index(t->seeds, struct mutant, i) };
		struct mutant made;
		int64_t value;

		if (nearest_for_all(&s, &value) &&
		    mutator_constant(m->mutator, &s.of, value, &made))
			mutation_try_mutant(m, t, &made, best);
	}
	if (best->mended && !mutation_verdict_is_clean(best) &&
	    best->best.kind == MUTANT_CONSTANT && !best->best.also) {
		struct search s = { m, t, best->best };

		refine_constant(&s, best);
	}
}
