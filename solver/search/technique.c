/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/search/technique.h"
#include "solver/search/search-private.h"

static const struct technique *const table[] = {
	&technique_turned_branch,	&technique_core,
	&technique_secant_search,	&technique_interval_solver,
	&technique_concrete_search,	&technique_engine_values,
	&technique_engine_last_changes, &technique_engine,
	&technique_concrete_search_new, &technique_engine_new,
	&technique_engine_anywhere,	&technique_likely_values,
	&technique_secant_search_new,	&technique_value_mutations,
	&technique_unexplored_branches,
};
G_STATIC_ASSERT(G_N_ELEMENTS(table) == N_TECHNIQUES);

const struct technique *const *techniques(size_t *n)
{
	*n = G_N_ELEMENTS(table);
	return table;
}

static struct technique_tally *tally_of_technique(struct search *s, const struct technique *t)
{
	size_t i = 0;

	while (table[i] != t)
		i++;
	return &s->tallies[i];
}

uint64_t technique_budget(const struct search *s, const struct technique *t,
			  const struct candidate *c)
{
	return search_effort(s, s->limits->value[c->n > 1 ? t->budget_of_sets : t->budget]);
}

/* What a try is called in the trace. */
static const char *verdict_of_try(const struct candidate *c, const struct technique *t,
				  bool proposed)
{
	if (c->decided_by != t)
		return proposed ? "learned" : "undecided";
	switch (c->state) {
	case CANDIDATE_ANSWERED:
		return c->answer->replay == REPLAY_PASSES  ? "proven"
		       : c->answer->replay == REPLAY_FAILS ? "fails"
							   : "not run";
	case CANDIDATE_POSTPONED:
		return "none";
	case CANDIDATE_REFUTED:
		return "refuted";
	default:
		return "deferred";
	}
}

/* The time of tries inside this one counts for those, and formulas are a stage of their own. */
struct clock {
	gint64 start;
	double others_ms; /* of all techniques, and to make formulas, until then */
	unsigned runs, others_runs;
};

static struct clock clock_start(const struct search *s)
{
	return (struct clock){ g_get_monotonic_time(), s->tallied_ms + s->formula_ms, s->runs_made,
			       s->tallied_runs };
}

static double own_ms(const struct search *s, const struct clock *c)
{
	double all = (double)(g_get_monotonic_time() - c->start) / 1e3;

	return MAX(all - (s->tallied_ms + s->formula_ms - c->others_ms), 0);
}

static void trace_technique_decision(struct search *s, const struct candidate *c,
				     struct search_decision d)
{
	if (!s->options.decided)
		return;
	d.set = c->set;
	d.n = c->n;
	s->options.decided(s->options.decided_arg, s, &d);
}

static void count_technique_use(struct search *s, const struct technique *t,
				const struct candidate *c, const struct clock *clock, bool proposed)
{
	unsigned runs = s->runs_made - clock->runs - (s->tallied_runs - clock->others_runs);
	enum candidate_state state = c->decided_by == t ? c->state : CANDIDATE_OPEN;
	struct technique_tally *tally = tally_of_technique(s, t);
	double ms = own_ms(s, clock);

	s->tallied_ms += ms;
	s->tallied_runs += runs;
	tally->tried++;
	tally->found += proposed || state == CANDIDATE_ANSWERED;
	tally->proven += state == CANDIDATE_ANSWERED && c->answer->replay == REPLAY_PASSES;
	tally->refuted += state == CANDIDATE_POSTPONED || state == CANDIDATE_REFUTED;
	tally->runs += runs;
	tally->ms += ms;
	trace_technique_decision(
		s, c,
		(struct search_decision){ .technique = t->name,
					  .verdict = verdict_of_try(c, t, proposed),
					  .runs = runs,
					  .ms = ms });
}

void technique_try(struct search *s, const struct technique *t, struct candidate *c, GError **error)
{
	const struct technique *outer = c->by;
	struct clock clock = clock_start(s);
	bool proposed;

	if (!t->applies(s, c))
		return;
	c->by = t;
	t->run(s, c, error);
	proposed = c->state == CANDIDATE_PROPOSED;
	if (proposed)
		candidate_settle(s, c, error);
	c->by = outer;
	count_technique_use(s, t, c, &clock, proposed);
}

/* When a proposal leaves the candidate open, the formula or the sides that it avoids have
 * changed, so the techniques begin again. */
void technique_decide(struct search *s, struct candidate *c, GError **error)
{
	GError *failed = NULL;

	c->state = CANDIDATE_OPEN;
	c->where_runs_went = SMT_UNKNOWN;
	c->avoid = search_sides_to_avoid(s);
	for (size_t i = 0; i < G_N_ELEMENTS(table) && !c->proposed && !failed; i++)
		if (c->state == CANDIDATE_OPEN && !table[i]->on_demand)
			technique_try(s, table[i], c, &failed);
	if (c->state == CANDIDATE_OPEN && !c->proposed && !failed)
		candidate_defer(s, c, search_effort_limit(c->n));
	search_forget(s, &s->own);
	g_array_unref(c->avoid);
	if (failed)
		g_propagate_error(error, failed);
}

void technique_stats(const struct search *s, GArray *stats)
{
	for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
		const struct technique_tally *t = &s->tallies[i];
		struct explanation_technique e = { table[i]->name, t->tried, t->found, t->proven,
						   t->refuted,	   t->runs,  t->ms };

		if (t->tried)
			g_array_append_val(stats, e);
	}
}
