/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SEMANTIC (AFTER): the weakest precondition of "it had been otherwise", backwards over the run.
 *
 * Along one path the weakest precondition is what the definitions say together: for the goal g and
 * the definitions d1 ... dn before it, "g, and d(i) ... d(n), and the branches taken among them" is
 * satisfiable as long as the values before d(i) are free.  So the definitions are taken in from the
 * last to the first, and the first suffix without a model is where the precondition becomes
 * unsatisfiable.  Suffixes only grow, so it is found by halving.
 */
#include "solver/regress/trace/trace-private.h"
#include "solver/smt/smt.h"

/* Variables of the questions; definitions have smaller numbers. */
enum { FIRST_LITERAL = 1 << 28 };

struct question {
	struct regress_trace *trace;
	struct smt *smt;
	GHashTable *seen; /* variables (terms) of the cone */
	GArray *cone;	  /* the same, as they were found */
	GArray *soft;	  /* guint: definitions that may be left out, the last first */
};

static void collect_asked_variable(void *arg, uint32_t variable)
{
	g_array_append_val((GArray *)arg, variable);
}

static uint32_t literal_of(const struct question *q, guint number)
{
	return term_var(q->trace->pool, 1, FIRST_LITERAL + number);
}

static guint definition_number(const struct question *q, guint i)
{
	return term_node(q->trace->pool, g_array_index(q->cone, uint32_t, i))->a;
}

/* Everything that the goal depends on through data; what a branch chose between included. */
static bool find_cone(struct question *q, uint32_t goal)
{
	struct regress_trace *t = q->trace;
	uint64_t most = limits_or_default(t->record.limits)->regress_definitions;

	term_variables(t->pool, goal, q->seen, collect_asked_variable, q->cone);
	for (guint i = 0; i < q->cone->len && i < most; i++) {
		const struct definition *d = regress_definition_at(t, definition_number(q, i));

		/* the side that a branch took is given */
		if (d->expr && !regress_is_branch(d))
			term_variables(t->pool, d->expr, q->seen, collect_asked_variable, q->cone);
	}
	return q->cone->len <= most;
}

static bool is_soft_definition(const struct definition *d)
{
	return d->selector != SELECTOR_HARD && d->statement;
}

static void note_foreign(void *arg, uint32_t variable)
{
	struct question *q = ((void **)arg)[0];
	bool *foreign = ((void **)arg)[1];

	*foreign |= !g_hash_table_contains(q->seen, GUINT_TO_POINTER(variable));
}

/* Does the branch speak of nothing but what the goal depends on? */
static bool is_about_cone(struct question *q, const struct definition *guard)
{
	g_autoptr(GHashTable) met = g_hash_table_new(NULL, NULL);
	bool foreign = false;
	void *arg[2] = { q, &foreign };

	term_variables(q->trace->pool, guard->expr, met, note_foreign, arg);
	return !foreign && g_hash_table_size(met);
}

/* A definition's equation; soft ones under their literal. */
static void give_equation(struct question *q, guint number, uint32_t equation)
{
	struct term_pool *p = q->trace->pool;

	if (!is_soft_definition(regress_definition_at(q->trace, number))) {
		smt_assert(q->smt, equation);
		return;
	}
	smt_assert(q->smt, term_or(p, term_not(p, literal_of(q, number)), equation));
	g_array_append_val(q->soft, number);
}

static void describe_definitions(struct question *q)
{
	struct regress_trace *t = q->trace;

	for (guint i = 0; i < q->cone->len; i++) {
		guint number = definition_number(q, i);
		const struct definition *d = regress_definition_at(t, number);
		unsigned width = term_width(t->pool, d->variable);
		uint32_t taken = term_const_wide(t->pool, width, d->actual);

		smt_expect(q->smt, d->variable, d->actual);
		if (regress_is_branch(d) || !d->expr)
			smt_assert(q->smt, term_eq(t->pool, d->variable, taken));
		else
			give_equation(q, number, term_eq(t->pool, d->variable, d->expr));
	}
}

static uint32_t went_as_it_did(struct regress_trace *t, const struct definition *d)
{
	unsigned width = term_width(t->pool, d->variable);

	return term_eq(t->pool, d->expr, term_const_wide(t->pool, width, d->actual));
}

/* Each branch before the goal went as it did: a conjunct, as in the weakest precondition. */
static void give_branches(struct question *q, guint before)
{
	struct regress_trace *t = q->trace;

	for (guint number = 0; number < before; number++) {
		const struct definition *d = regress_definition_at(t, number);

		if (!regress_is_branch(d) || !d->expr || !is_soft_definition(d) ||
		    !is_about_cone(q, d))
			continue;
		give_equation(q, number, went_as_it_did(t, d));
	}
}

static int compare_backwards(gconstpointer a, gconstpointer b)
{
	guint x = *(const guint *)a, y = *(const guint *)b;

	return x > y ? -1 : x < y;
}

/* Can the goal not hold with these? */
static bool is_unsat(const struct question *q, const GArray *numbers, guint n)
{
	g_autofree uint32_t *literals = g_new(uint32_t, n + 1);

	for (guint i = 0; i < n; i++)
		literals[i] = literal_of(q, g_array_index(numbers, guint, i));
	return smt_check(q->smt, literals, n,
			 (unsigned)limits_or_default(q->trace->record.limits)
				 ->regress_question_effort) == SMT_UNSAT;
}

/* The least number of the last definitions that is enough; soft->len when all are. */
static guint shortest_suffix(const struct question *q)
{
	guint low = 0, high = q->soft->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (is_unsat(q, q->soft, middle))
			high = middle;
		else
			low = middle + 1;
	}
	return high;
}

/* What the solver's core holds of the first n. */
static GArray *core_of(const struct question *q, guint n)
{
	GArray *core = g_array_new(FALSE, FALSE, sizeof(guint));
	const unsigned *index;
	unsigned size;

	if (!is_unsat(q, q->soft, n)) {
		g_array_append_vals(core, q->soft->data, n);
		return core;
	}
	index = smt_core(q->smt, &size);
	for (unsigned i = 0; i < size; i++)
		g_array_append_val(core, g_array_index(q->soft, guint, index[i]));
	g_array_sort(core, compare_backwards);
	return core;
}

static bool question_is_late(const struct question *q)
{
	const struct deadline *until = &q->trace->record.until;

	return until->end && deadline_is_over(until);
}

/* Leaves out one after the other what is not needed, the last in the run first; as long as there
 * is time: a core that is larger than it need be is a core. */
static void minimize_definitions(const struct question *q, GArray *core)
{
	for (guint i = 0; i < core->len && !question_is_late(q);) {
		guint number = g_array_index(core, guint, i);

		g_array_remove_index(core, i);
		if (!is_unsat(q, core, core->len)) {
			g_array_insert_val(core, i, number);
			i++;
		}
	}
}

/* The definitions because of which the goal (of those before the number) does not hold. */
static GArray *why_not(struct regress_trace *t, uint32_t goal, guint before)
{
	struct question q = { .trace = t,
			      .smt = smt_new(t->pool, SMT_BITBLAST),
			      .seen = g_hash_table_new(NULL, NULL),
			      .cone = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
			      .soft = g_array_new(FALSE, FALSE, sizeof(guint)) };
	GArray *core = NULL;

	if (find_cone(&q, goal)) {
		describe_definitions(&q);
		give_branches(&q, before);
		smt_assert(q.smt, goal);
		g_array_sort(q.soft, compare_backwards);
		if (is_unsat(&q, q.soft, q.soft->len)) {
			core = core_of(&q, shortest_suffix(&q));
			minimize_definitions(&q, core);
		}
	}
	smt_free(q.smt);
	g_hash_table_unref(q.seen);
	g_array_unref(q.cone);
	g_array_unref(q.soft);
	return core;
}

static void add_sorted_number(GArray *numbers, guint number)
{
	guint i = 0;

	while (i < numbers->len && g_array_index(numbers, guint, i) < number)
		i++;
	if (i == numbers->len || g_array_index(numbers, guint, i) != number)
		g_array_insert_val(numbers, i, number);
}

static GArray *why_branch(struct regress_trace *t, guint branch)
{
	const struct definition *d = regress_definition_at(t, branch);
	/* of a switch, the expression is the address that it jumped to */
	g_autoptr(GArray) core =
		d->expr ? why_not(t, term_not(t->pool, went_as_it_did(t, d)), branch) : NULL;
	GArray *why;

	if (!core)
		return NULL;
	why = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; i < core->len; i++)
		add_sorted_number(why, g_array_index(core, guint, i));
	add_sorted_number(why, branch);
	return why;
}

/* The last branch that a term depends on, through the definitions of its variables; -1 = none. */
static gint64 last_branch(struct regress_trace *t, uint32_t term)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	gint64 last = -1;

	term_variables(t->pool, term, seen, collect_asked_variable, variables);
	for (guint i = 0; i < variables->len; i++) {
		guint number = term_node(t->pool, g_array_index(variables, uint32_t, i))->a;

		if (regress_is_branch(regress_definition_at(t, number)))
			last = MAX(last, (gint64)number);
	}
	return last;
}

/* The requirement, as long as it is one about values; else the branch that led to where the run
 * failed is to blame. */
static GArray *why_requirement(struct regress_trace *t, const struct constraint *c)
{
	g_autoptr(GArray) core = why_not(t, c->term, regress_trace_count(t));
	gint64 branch;
	GArray *why;

	if (core && core->len) {
		why = g_array_new(FALSE, FALSE, sizeof(guint));
		for (guint i = 0; i < core->len; i++)
			add_sorted_number(why, g_array_index(core, guint, i));
		return why;
	}
	branch = last_branch(t, c->term);
	if (branch >= 0)
		return why_branch(t, (guint)branch);
	/* all of it was given, as what a library returned: no statement could do otherwise */
	return g_array_new(FALSE, FALSE, sizeof(guint));
}

GArray *regress_trace_why(struct regress_trace *t, guint branch)
{
	if (branch != REGRESS_FAILURE)
		return why_branch(t, branch);
	for (guint i = t->formula->constraints->len; i-- > 0;) {
		const struct constraint *c =
			&g_array_index(t->formula->constraints, struct constraint, i);

		if (c->requirement)
			return why_requirement(t, c);
	}
	return NULL;
}
