/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks an engine the question: along ways that runs went, along others, anywhere.  A large
 * question is first asked about the last changes only. */
#include "solver/query/witness.h"
#include "solver/search/search-private.h"
#include "solver/search/technique.h"

static enum smt_answer check_encoding(struct search *s, const struct encoding_question *q)
{
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	/* the engine has to know that the unchanged formula contradicts the requirement */
	unsigned ms = q->n ? search_question_ms(s, q->n) : search_time_left_ms(s);
	enum smt_answer answer = encoding_check(s->own.encoding, q, ms, core);

	search_say_question(s, q, "by the solver", answer);
	return answer;
}

/* The engine's model, nearer to the run where that is cheap. */
static term_bits *values_of_model(struct search *s, const struct encoding_question *q)
{
	g_autofree term_bits *model = encoding_model(s->own.encoding, q);
	term_bits *values = NULL;

	if (search_intervals(s))
		values = interval_improve(s->intervals, q,
					  s->limits->interval_work / s->limits->interval_part,
					  model);
	if (!values)
		values = witness_near_the_run(
			s->own.encoding, q,
			search_time_left_ms(s) ? (unsigned)s->limits->witness_questions : 0);
	return values;
}

/* Proposes the values that are found. */
static enum smt_answer ask_engine(struct search *s, struct candidate *c, enum candidate_ways ways)
{
	struct encoding_question q = candidate_question(c, ways);
	enum smt_answer answer = check_encoding(s, &q);
	g_autofree term_bits *values = answer == SMT_SAT ? values_of_model(s, &q) : NULL;

	if (values)
		candidate_propose(c,
				  model_path_of_model(s->formula, values, search_first_record(s)),
				  ways, search_side_taken(s, values));
	return answer;
}

static void leave_undecided(struct candidate *c, enum candidate_ways ways)
{
	c->undecided = true;
	c->undecided_ways = ways;
}

/* ---- a large question ---- */

/* Numbers of the definitions that the set relaxes. */
static GArray *relaxed_definitions(const struct search *s, const unsigned *set, unsigned n)
{
	GArray *numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (uint32_t i = 0; i < s->formula->definitions->len; i++) {
		const struct definition *d =
			&g_array_index(s->formula->definitions, struct definition, i);

		for (unsigned k = 0; d->expr && k < n; k++)
			if (set[k] == d->selector)
				g_array_append_val(numbers, i);
	}
	return numbers;
}

static void open_whole(struct search *s, const struct candidate *c)
{
	struct inlined_scope scope = { .only = c->set, .n = c->n };

	search_open_question(s, &s->own, &scope);
}

/* The whole question is opened to see how large it is, once. */
static bool is_large(struct search *s, struct candidate *c)
{
	if (!c->gates_known) {
		open_whole(s, c);
		c->gates = smt_cost(s->own.smt);
		c->gates_known = true;
	}
	return c->gates >= s->limits->large_question_gates;
}

static bool stores_where_it_may(struct search *s, struct candidate *c)
{
	bool any = false;

	for (guint i = 0; !any && i < s->formula->definitions->len; i++) {
		const struct definition *d =
			&g_array_index(s->formula->definitions, struct definition, i);

		for (unsigned k = 0; d->kind == DEF_ADDRESS && k < c->n; k++)
			any |= c->set[k] == d->selector;
	}
	return any && is_large(s, c);
}

/* Stores keep the addresses that they had, because many possible places for each of many stores
 * make the question large. */
static void ask_about_values(struct search *s, struct candidate *c, GError **error)
{
	struct inlined_scope scope = { .only = c->set, .n = c->n, .no_address = true };

	(void)error;
	search_forget(s, &s->own);
	search_open_question(s, &s->own, &scope);
	if (c->where_runs_went == SMT_UNSAT || ask_engine(s, c, WAYS_KNOWN) != SMT_SAT)
		ask_engine(s, c, WAYS_NEW);
	search_forget(s, &s->own);
}

/* Asks about the last changes, which are most often enough; the definitions before them are
 * inlined.  The interval solver has already been asked about the very last ones. */
static void ask_about_the_last(struct search *s, struct candidate *c, GError **error)
{
	struct inlined_scope scope = { .only = c->set, .n = c->n };
	g_autoptr(GArray) numbers = relaxed_definitions(s, c->set, c->n);

	(void)error;
	for (guint last = search_intervals(s) ? 4 : 1;
	     last <= s->limits->last_changes && last < numbers->len &&
	     !deadline_is_over(s->options.until);
	     last *= 2) {
		search_forget(s, &s->own);
		scope.first = g_array_index(numbers, uint32_t, numbers->len - last);
		search_open_question(s, &s->own, &scope);
		if ((c->where_runs_went != SMT_UNSAT && ask_engine(s, c, WAYS_KNOWN) == SMT_SAT) ||
		    ask_engine(s, c, WAYS_NEW) == SMT_SAT)
			return;
	}
	search_forget(s, &s->own);
}

/* ---- the whole question ---- */

static bool applies_known(struct search *s, struct candidate *c)
{
	(void)s;
	return c->where_runs_went != SMT_UNSAT;
}

static void ask_known(struct search *s, struct candidate *c, GError **error)
{
	(void)error;
	open_whole(s, c);
	c->where_runs_went = ask_engine(s, c, WAYS_KNOWN);
	if (c->where_runs_went == SMT_UNKNOWN)
		leave_undecided(c, WAYS_KNOWN);
}

static bool applies_unless_given_up(struct search *s, struct candidate *c)
{
	(void)s;
	return !c->undecided;
}

static void ask_new(struct search *s, struct candidate *c, GError **error)
{
	enum smt_answer answer;

	(void)error;
	open_whole(s, c);
	answer = ask_engine(s, c, WAYS_NEW);
	if (answer == SMT_UNKNOWN)
		leave_undecided(c, WAYS_NEW);
	else if (answer == SMT_UNSAT && !c->avoid->len)
		candidate_postpone(s, c);
}

static void ask_anywhere(struct search *s, struct candidate *c, GError **error)
{
	enum smt_answer answer;

	(void)error;
	open_whole(s, c);
	answer = ask_engine(s, c, WAYS_ANYWHERE);
	if (answer == SMT_UNKNOWN)
		candidate_defer(s, c, search_effort_limit(c->n));
	else if (answer == SMT_UNSAT)
		candidate_postpone(s, c);
}

const struct technique technique_engine_values = {
	.name = "engine-values",
	.applies = stores_where_it_may,
	.run = ask_about_values,
	.budget = LIMIT_question_effort,
	.budget_of_sets = LIMIT_large_question_effort,
};
const struct technique technique_engine_last_changes = {
	.name = "engine-last-changes",
	.applies = is_large,
	.run = ask_about_the_last,
	.budget = LIMIT_question_effort,
	.budget_of_sets = LIMIT_large_question_effort,
};
const struct technique technique_engine = {
	.name = "engine",
	.applies = applies_known,
	.run = ask_known,
	.budget = LIMIT_question_effort,
	.budget_of_sets = LIMIT_large_question_effort,
};
const struct technique technique_engine_new = {
	.name = "engine-new",
	.applies = applies_unless_given_up,
	.run = ask_new,
	.budget = LIMIT_question_effort,
	.budget_of_sets = LIMIT_large_question_effort,
};
const struct technique technique_engine_anywhere = {
	.name = "engine-anywhere",
	.applies = applies_unless_given_up,
	.run = ask_anywhere,
	.budget = LIMIT_question_effort,
	.budget_of_sets = LIMIT_large_question_effort,
};
