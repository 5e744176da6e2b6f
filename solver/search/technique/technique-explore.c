/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a run for each side of a branch that no run took, and one formula of them all.  When
 * there is much to learn, one side at a time would take a formula and the question again for
 * each. */
#include "solver/search/search-private.h"
#include "solver/search/technique.h"

/* The test passes when only that branch is turned.  That is an answer even if the formula does
 * not see it (it does not know what untraced code returns there). */
static void note_flip(struct search *s, int side, const GArray *actions)
{
	const struct unexplored *u =
		&g_array_index(s->formula->unexplored, struct unexplored, (guint)side);
	unsigned selector = SELECTOR_HARD;

	if (u->guard != UINT32_MAX)
		selector = g_array_index(s->formula->definitions, struct definition, u->guard)
				   .selector;
	if (selector != SELECTOR_HARD)
		g_hash_table_insert(s->flips, candidate_sum(actions), GUINT_TO_POINTER(selector));
}

/* Turns that branch, in a run of its own. */
static void explore_candidate_side(struct search *s, int side)
{
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	struct search_run run = { 0 };

	candidate_actions_to(s, side, actions);
	if (!actions->len || !candidate_is_new(s, actions) ||
	    !candidate_run(s, actions, &run, NULL))
		return;
	if (run.met && actions->len == 1)
		note_flip(s, side, actions);
	search_append_run(s, run.result.record, &run,
			  (const struct trace_action *)(const void *)actions->data, actions->len,
			  NULL);
}

static bool explore_applies(struct search *s, struct candidate *c)
{
	(void)c;
	return s->formula->unexplored->len > 0;
}

static void explore_sides(struct search *s, struct candidate *c, GError **error)
{
	const struct limits *l = s->limits;
	guint before = s->runs->len, n = s->formula->unexplored->len;
	uint64_t most = MIN(before + l->sides_at_once, l->runs / 2);
	bool late_first = s->formula->steps >= l->late_sides_steps;
	uint64_t insns = 0;

	(void)c;
	for (guint i = 0; i < n && s->runs->len < most; i++) {
		guint side = late_first ? n - 1 - i : i;
		const struct unexplored *u =
			&g_array_index(s->formula->unexplored, struct unexplored, side);
		guint now;

		if (u->cut || insns > l->sides_at_once_insns || !search_time_left_ms(s))
			continue;
		now = s->runs->len;
		explore_candidate_side(s, (int)side);
		if (s->runs->len > now)
			insns += search_insns_of(s->runs->pdata[now]);
	}
	if (s->runs->len > before && !search_rebuild(s, error))
		g_ptr_array_set_size(s->runs, (gint)before);
}

const struct technique technique_unexplored_branches = {
	.name = "unexplored-branches",
	.applies = explore_applies,
	.run = explore_sides,
	.budget = LIMIT_sides_at_once,
	.budget_of_sets = LIMIT_sides_at_once,
	.on_demand = true,
};
