/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds out why a postponed candidate is no correction set: a small set of the other statements
 * that cannot all be as they were. */
#include "solver/search/search-private.h"
#include "solver/search/technique.h"

static bool core_applies(struct search *s, struct candidate *c)
{
	g_autoptr(GBytes) key = g_bytes_new(c->set, c->n * sizeof(*c->set));

	return g_hash_table_contains(s->refuted, key);
}

/* All that matter, but those relaxed. */
static void blame_all_others(struct search *s, const struct encoding_question *q, GArray *core)
{
	g_array_set_size(core, 0);
	for (guint i = 0; i < s->full.encoding->selectors->len; i++) {
		unsigned other = g_array_index(s->full.encoding->selectors, unsigned, i);
		bool relaxed = false;

		for (unsigned k = 0; k < q->n; k++)
			relaxed |= q->relaxed[k] == other;
		if (!relaxed)
			g_array_append_val(core, other);
	}
}

/* Intervals tell why it is none, or the formula with all selectors.  If that takes too long,
 * all the others are the core.  They are, without a question, when nothing is relaxed: a
 * smaller core would save less than it costs. */
static void find_core(struct search *s, struct candidate *c, GError **error)
{
	g_autoptr(GBytes) key = g_bytes_new(c->set, c->n * sizeof(*c->set));
	struct encoding_question q = candidate_question(c, WAYS_ANYWHERE);
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	struct inlined_scope all = { 0 };
	bool few = c->n && search_intervals(s);

	(void)error;
	g_hash_table_remove(s->refuted, key);
	if (!few || interval_core(s->intervals, &q, s->limits->interval_work, core) != SMT_UNSAT) {
		search_open_question(s, &s->full, &all);
		if (few || !c->n ||
		    encoding_check(s->full.encoding, &q, search_question_ms(s, c->n), core) !=
			    SMT_UNSAT)
			blame_all_others(s, &q, core);
	}
	candidate_refute(s, c, core);
}

const struct technique technique_core = {
	.name = "core",
	.applies = core_applies,
	.run = find_core,
	.budget = LIMIT_question_effort,
	.budget_of_sets = LIMIT_large_question_effort,
};
