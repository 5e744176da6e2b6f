/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Some run explored a branch of the statement by turning it and changed nothing else.  That run
 * met the requirement, so the answer is known. */
#include "solver/search/search-private.h"
#include "solver/search/technique.h"

static bool has_passing_flip(const struct search *s, unsigned selector)
{
	GHashTableIter i;
	gpointer of;

	g_hash_table_iter_init(&i, s->flips);
	while (g_hash_table_iter_next(&i, NULL, &of))
		if (GPOINTER_TO_UINT(of) == selector)
			return true;
	return false;
}

/* One of the selector's branches turned, as in a run that is known to pass. */
static struct model_path *path_of_passing_flip(struct search *s, unsigned selector)
{
	for (uint32_t i = 0; i < s->formula->definitions->len; i++) {
		const struct definition *d =
			&g_array_index(s->formula->definitions, struct definition, i);
		g_autofree term_bits *values = NULL;
		g_autofree char *sum = NULL;
		term_bits turned = !d->actual;
		struct model_path *path;

		if (d->kind != DEF_GUARD || d->selector != selector)
			continue;
		incremental_change(search_incremental(s), &i, 1);
		incremental_set(search_incremental(s), &turned);
		values = incremental_values(search_incremental(s));
		path = model_path_of_model(s->formula, values, search_first_record(s));
		sum = candidate_sum(path->actions);
		if (g_hash_table_contains(s->flips, sum))
			return path;
		model_path_free(path);
	}
	return NULL;
}

static bool flip_applies(struct search *s, struct candidate *c)
{
	return c->n == 1 && has_passing_flip(s, *c->set);
}

static void answer_by_flip(struct search *s, struct candidate *c, GError **error)
{
	struct model_path *path = path_of_passing_flip(s, *c->set);

	(void)error;
	if (path)
		candidate_answer(s, c, path, REPLAY_PASSES, NULL);
}

const struct technique technique_turned_branch = {
	.name = "turned-branch",
	.applies = flip_applies,
	.run = answer_by_flip,
	.budget = N_LIMITS,
	.budget_of_sets = N_LIMITS,
};
