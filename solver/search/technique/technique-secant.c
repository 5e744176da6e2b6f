/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In floating-point code circuits are large, and an engine does not care which numbers it
 * finds.  So one number of a single statement is moved until the goal holds. */
#include "solver/query/secant-search.h"
#include "solver/search/search-private.h"
#include "solver/search/technique.h"

static void search_by_secants(struct search *s, struct candidate *c, const struct technique *t,
			      bool anywhere)
{
	g_autofree term_bits *values = NULL;
	struct model_path *path;

	/* not by time: what is found should not depend on the machine */
	values = secant_search_witness(s->formula, search_incremental(s), *c->set, anywhere,
				       technique_budget(s, t, c), s->options.until);
	path = search_untried_path(s, values);
	g_debug("%.3f s, by secants: %s", g_timer_elapsed(s->clock, NULL), path ? "found" : "none");
	if (path)
		candidate_propose(c, path, WAYS_KNOWN, -1);
}

static bool secant_search_applies(struct search *s, struct candidate *c)
{
	return c->n == 1 && s->formula->has_floats;
}

static void search_known(struct search *s, struct candidate *c, GError **error)
{
	(void)error;
	search_by_secants(s, c, &technique_secant_search, false);
}

/* New ways cost runs, so they are allowed only after all candidates were asked. */
static bool secant_search_applies_to_new(struct search *s, struct candidate *c)
{
	return c->undecided && secant_search_applies(s, c) && s->pass && candidate_may_run(s);
}

static void search_new_ways(struct search *s, struct candidate *c, GError **error)
{
	(void)error;
	search_by_secants(s, c, &technique_secant_search_new, true);
}

const struct technique technique_secant_search = {
	.name = "secant-search",
	.applies = secant_search_applies,
	.run = search_known,
	.budget = LIMIT_secant_work,
	.budget_of_sets = LIMIT_secant_work,
};
const struct technique technique_secant_search_new = {
	.name = "secant-search-new",
	.applies = secant_search_applies_to_new,
	.run = search_new_ways,
	.budget = LIMIT_secant_work,
	.budget_of_sets = LIMIT_secant_work,
};
