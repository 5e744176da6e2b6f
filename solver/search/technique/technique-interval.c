/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branch and prune over intervals decides what few numbers decide, without a circuit. */
#include "solver/search/search-private.h"
#include "solver/search/technique.h"

static bool interval_applies(struct search *s, struct candidate *c)
{
	return c->n && search_intervals(s);
}

/* Proposes the values that are found. */
static enum smt_answer ask_intervals(struct search *s, struct candidate *c,
				     enum candidate_ways ways)
{
	struct encoding_question q = candidate_question(c, ways);
	uint64_t work = technique_budget(s, &technique_interval_solver, c) / (c->n > 1 ? 2 : 1);
	g_autofree term_bits *values = NULL;
	enum smt_answer answer = interval_solver_decide(s->intervals, &q, work, &values);

	search_say_question(s, &q, "by intervals", answer);
	if (answer == SMT_SAT)
		candidate_propose(c,
				  model_path_of_model(s->formula, values, search_first_record(s)),
				  ways, search_side_taken(s, values));
	return answer;
}

/* Asks along ways that runs went, then along others unless that did not help before, then
 * anywhere. */
static void ask_in_turn(struct search *s, struct candidate *c, GError **error)
{
	(void)error;
	c->where_runs_went = ask_intervals(s, c, WAYS_KNOWN);
	if (c->where_runs_went == SMT_UNSAT && ask_intervals(s, c, WAYS_NEW) == SMT_UNSAT &&
	    (!c->avoid->len || ask_intervals(s, c, WAYS_ANYWHERE) == SMT_UNSAT))
		candidate_postpone(s, c);
}

const struct technique technique_interval_solver = {
	.name = "interval-solver",
	.applies = interval_applies,
	.run = ask_in_turn,
	.budget = LIMIT_interval_work,
	.budget_of_sets = LIMIT_interval_work,
};
