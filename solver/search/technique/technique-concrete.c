/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Likely values, tried one after the other by evaluation: before a circuit is made, and when an
 * engine gave up. */
#include "solver/query/concrete-search.h"
#include "solver/search/search-private.h"
#include "solver/search/technique.h"

static void try_concrete_values(struct search *s, struct candidate *c, enum candidate_ways ways,
				bool quick)
{
	struct encoding_question q = candidate_question(c, ways);
	g_autofree term_bits *values = concrete_search_witness(s->formula, search_incremental(s),
							       &q, quick, s->options.until);
	struct model_path *path = search_untried_path(s, values);

	if (path)
		candidate_propose(c, path, ways, search_side_taken(s, values));
}

/* A single statement's, before a circuit is made. */
static bool is_quick(const struct search *s, const struct candidate *c)
{
	return c->n == 1 && !s->formula->has_floats && !c->undecided;
}

static bool concrete_search_applies(struct search *s, struct candidate *c)
{
	return is_quick(s, c) && c->where_runs_went == SMT_UNKNOWN;
}

static void try_known(struct search *s, struct candidate *c, GError **error)
{
	(void)error;
	try_concrete_values(s, c, WAYS_KNOWN, true);
}

static bool concrete_search_applies_to_new(struct search *s, struct candidate *c)
{
	return is_quick(s, c);
}

static void try_new(struct search *s, struct candidate *c, GError **error)
{
	(void)error;
	try_concrete_values(s, c, WAYS_NEW, true);
}

static bool engine_gave_up(struct search *s, struct candidate *c)
{
	return c->undecided && (c->n != 1 || !s->formula->has_floats);
}

/* The paths are replayed as if they went along known ways, because the engine could not tell. */
static void try_more(struct search *s, struct candidate *c, GError **error)
{
	(void)error;
	try_concrete_values(s, c, c->undecided_ways, false);
	c->ways = WAYS_KNOWN;
}

const struct technique technique_concrete_search = {
	.name = "concrete-search",
	.applies = concrete_search_applies,
	.run = try_known,
	.budget = LIMIT_quick_work,
	.budget_of_sets = LIMIT_quick_work,
};
const struct technique technique_concrete_search_new = {
	.name = "concrete-search-new",
	.applies = concrete_search_applies_to_new,
	.run = try_new,
	.budget = LIMIT_quick_work,
	.budget_of_sets = LIMIT_quick_work,
};
const struct technique technique_likely_values = {
	.name = "likely-values",
	.applies = engine_gave_up,
	.run = try_more,
	.budget = LIMIT_concrete_work,
	.budget_of_sets = LIMIT_concrete_work,
};
