/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/query/encode.h"

#include <string.h>

/* Numbers of variables that are no definition's. */
enum {
	FIRST_AVOID = 1 << 27,
	FIRST_KEEP = 1 << 28,
	FIRST_NEAR = 1 << 29,
	EXPLORED_VARIABLE = 1 << 30,
	FIRST_SELECTOR
};

/* The Boolean variable of a selector. */
static uint32_t selector_literal(const struct formula *f, unsigned selector)
{
	return term_var(f->pool, 1, FIRST_SELECTOR + selector);
}

static uint32_t explored_literal(const struct formula *f)
{
	return term_var(f->pool, 1, EXPLORED_VARIABLE);
}

static void collect_encoded_variable(void *arg, uint32_t variable)
{
	g_array_append_val((GArray *)arg, variable);
}

static void take_encoded_variables(const struct encoding *e, uint32_t term, GHashTable *seen,
				   GArray *open)
{
	term_variables(e->formula->pool, inlined_term(e->inlined, term), seen,
		       collect_encoded_variable, open);
}

/* Follows the definitions of the variables from that one on. */
static void follow_definitions(const struct encoding *e, guint from, GHashTable *seen, GArray *open)
{
	for (guint i = from; i < open->len && !deadline_is_over(smt_deadline(e->smt)); i++) {
		const struct definition *d = formula_definition(
			e->formula, term_node(e->formula->pool, g_array_index(open, uint32_t, i)));

		if (d->expr)
			take_encoded_variables(e, d->expr, seen, open);
	}
}

static void mark_part(const struct encoding *e, uint32_t term, GByteArray *marks)
{
	uint32_t t = inlined_term(e->inlined, term);
	guint known = marks->len;

	if (t >= known) {
		g_byte_array_set_size(marks, t + 1);
		memset(marks->data + known, 0, t + 1 - known);
	}
	marks->data[t] = 1;
}

/* The terms that constraints and unexplored sides are made of: a small part of the pool, which has
 * the terms of other questions, too. */
static GArray *parts_of_constraints(const struct encoding *e)
{
	const struct formula *f = e->formula;
	g_autoptr(GByteArray) marks = g_byte_array_new();
	GArray *parts = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	mark_part(e, 0, marks);
	for (guint i = 0; i < f->constraints->len; i++)
		mark_part(e, g_array_index(f->constraints, struct constraint, i).term, marks);
	for (guint i = 0; i < f->unexplored->len; i++)
		mark_part(e, g_array_index(f->unexplored, struct unexplored, i).taken, marks);
	for (uint32_t t = marks->len - 1; t > 0; t--) {
		const struct term_node *node = term_node(f->pool, t);

		if (!marks->data[t] || node->kind == IR_CONST || node->kind == TERM_VAR)
			continue;
		marks->data[node->a] = marks->data[node->b] = marks->data[node->c] = 1;
	}
	for (uint32_t t = 1; t < marks->len; t++)
		if (marks->data[t])
			g_array_append_val(parts, t);
	return parts;
}

/* What a term depends on. */
enum { WITHIN = 1 /* nothing but relevant variables */, TOUCHES = 2 /* one of them */ };

/* For each part of a constraint, what it depends on; seen holds the relevant variables.  Operands
 * come before the terms that use them.  The caller frees the array. */
static uint8_t *dependence_of_parts(const struct encoding *e, GHashTable *seen)
{
	const struct term_pool *p = e->formula->pool;
	guint n = e->parts->len;
	uint8_t *of = g_new0(uint8_t, n ? g_array_index(e->parts, uint32_t, n - 1) + 1 : 1);

	of[0] = WITHIN; /* no operand */
	for (guint i = 0; i < n; i++) {
		uint32_t t = g_array_index(e->parts, uint32_t, i);
		const struct term_node *node = term_node(p, t);

		if (node->kind == IR_CONST)
			of[t] = WITHIN;
		else if (node->kind != TERM_VAR)
			of[t] = (of[node->a] & of[node->b] & of[node->c] & WITHIN) |
				((of[node->a] | of[node->b] | of[node->c]) & TOUCHES);
		else if (g_hash_table_contains(seen, GUINT_TO_POINTER(t)))
			of[t] = WITHIN | TOUCHES;
	}
	return of;
}

/* A constraint on something relevant makes the rest of it relevant, too.  If it were left out
 * because of a variable that may change (whether the path gets there, for example), what it
 * forbids would be allowed.  True when there was one. */
static bool take_constraints(const struct encoding *e, GHashTable *seen, GArray *open)
{
	const struct formula *f = e->formula;
	g_autofree uint8_t *of = dependence_of_parts(e, seen);
	guint before = open->len;

	for (guint i = 0; i < f->constraints->len && !deadline_is_over(smt_deadline(e->smt)); i++) {
		uint32_t term = g_array_index(f->constraints, struct constraint, i).term;

		if (of[inlined_term(e->inlined, term)] == TOUCHES)
			take_encoded_variables(e, term, seen, open);
	}
	follow_definitions(e, before, seen, open);
	return open->len > before;
}

/* All variables that the requirements depend on, and those that say where the formula is left;
 * definitions are followed.  constraints: also what other constraints say about them. */
static GArray *cone_of_requirements(const struct encoding *e, bool constraints, GHashTable *seen)
{
	const struct formula *f = e->formula;
	GArray *open = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (guint i = 0; i < f->constraints->len; i++) {
		const struct constraint *h = &g_array_index(f->constraints, struct constraint, i);

		if (h->requirement)
			take_encoded_variables(e, h->term, seen, open);
	}
	for (guint i = 0; i < f->unexplored->len; i++) {
		const struct unexplored *u = &g_array_index(f->unexplored, struct unexplored, i);

		if (!u->returns)
			take_encoded_variables(e, u->taken, seen, open);
	}
	follow_definitions(e, 0, seen, open);
	while (constraints && !deadline_is_over(smt_deadline(e->smt)) &&
	       take_constraints(e, seen, open))
		;
	return open;
}

static void give_to_solver(struct encoding *e, uint32_t term)
{
	smt_assert(e->smt, term);
	e->clauses++;
}

static void give_definition(struct encoding *e, const struct definition *d)
{
	const struct formula *f = e->formula;
	uint32_t equation;

	if (!d->expr)
		return;
	equation = term_eq(f->pool, d->variable, inlined_term(e->inlined, d->expr));
	if (d->selector != SELECTOR_HARD) {
		uint32_t selector = selector_literal(f, d->selector);

		equation = term_or(f->pool, term_not(f->pool, selector), equation);
	}
	give_to_solver(e, equation);
}

static gint compare_selector_numbers(gconstpointer a, gconstpointer b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

static void assert_definitions(struct encoding *e, const GArray *variables)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < variables->len && !deadline_is_over(smt_deadline(e->smt)); i++) {
		uint32_t v = g_array_index(variables, uint32_t, i);
		const struct definition *d =
			formula_definition(e->formula, term_node(e->formula->pool, v));

		g_hash_table_add(e->relevant, GUINT_TO_POINTER(v));
		smt_expect(e->smt, v, d->actual);
		give_definition(e, d);
		if (d->selector != SELECTOR_HARD &&
		    g_hash_table_add(seen, GUINT_TO_POINTER(d->selector)))
			g_array_append_val(e->selectors, d->selector);
	}
	g_array_sort(e->selectors, compare_selector_numbers);
}

static bool term_is_const_true(const struct term_pool *p, uint32_t term)
{
	uint64_t v;

	return term_is_const(p, term, &v) && v;
}

static void give_constraints(struct encoding *e)
{
	const struct formula *f = e->formula;
	g_autofree uint8_t *of = dependence_of_parts(e, e->relevant);

	for (guint i = 0; i < f->constraints->len; i++) {
		const struct constraint *h = &g_array_index(f->constraints, struct constraint, i);
		uint32_t term = inlined_term(e->inlined, h->term);

		if ((h->requirement || of[term] & WITHIN) && !term_is_const_true(f->pool, term))
			give_to_solver(e, term);
	}
	for (guint i = 0; i < f->unexplored->len; i++) {
		const struct unexplored *u = &g_array_index(f->unexplored, struct unexplored, i);
		uint32_t taken = inlined_term(e->inlined, u->taken);

		if (of[taken] & WITHIN)
			give_to_solver(e, term_not(f->pool,
						   term_and(f->pool, explored_literal(f), taken)));
	}
}

struct encoding *encode(const struct formula *f, struct smt *smt, const struct inlined_scope *scope,
			struct incremental *w)
{
	struct encoding *e = g_new0(struct encoding, 1);
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) variables = NULL;

	e->formula = f;
	e->smt = smt;
	e->inlined = inlined_new(f, scope, w, smt_deadline(smt));
	e->parts = parts_of_constraints(e);
	e->relevant = g_hash_table_new(NULL, NULL);
	e->kept = g_hash_table_new(NULL, NULL);
	e->selectors = g_array_new(FALSE, FALSE, sizeof(unsigned));
	/* cores need few variables, and they stay cores without the constraints */
	variables = cone_of_requirements(e, scope->only, seen);
	assert_definitions(e, variables);
	give_constraints(e);
	return e;
}

void encoding_free(struct encoding *e)
{
	if (!e)
		return;
	g_hash_table_destroy(e->relevant);
	g_hash_table_destroy(e->kept);
	inlined_free(e->inlined);
	g_array_free(e->parts, TRUE);
	g_array_free(e->selectors, TRUE);
	g_free(e);
}

static bool is_relaxed_selector(unsigned selector, const unsigned *relaxed, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (relaxed[i] == selector)
			return true;
	return false;
}

bool encoding_question_relaxes(const struct encoding_question *q, const struct definition *d)
{
	return d->expr && is_relaxed_selector(d->selector, q->relaxed, q->n);
}

bool encoding_is_relaxed(const struct encoding *e, const struct definition *d,
			 const struct encoding_question *q)
{
	return encoding_question_relaxes(q, d) &&
	       g_hash_table_contains(e->relevant, GUINT_TO_POINTER(d->variable));
}

/* The literal that says: the path does not take the unexplored side of this index. */
static uint32_t avoid_literal(struct encoding *e, uint32_t unexplored)
{
	struct term_pool *p = e->formula->pool;
	const struct unexplored *u =
		&g_array_index(e->formula->unexplored, struct unexplored, unexplored);
	uint32_t literal = term_var(p, 1, FIRST_AVOID + unexplored);

	if (g_hash_table_add(e->kept, GUINT_TO_POINTER(literal)))
		give_to_solver(
			e, term_not(p, term_and(p, literal, inlined_term(e->inlined, u->taken))));
	return literal;
}

bool encoding_question_avoids(const struct encoding_question *q, uint32_t unexplored)
{
	bool found = q->explored;

	for (guint i = 0; !found && q->avoid && i < q->avoid->len; i++)
		found = g_array_index(q->avoid, uint32_t, i) == unexplored;
	return found;
}

uint32_t encoding_keep(struct encoding *e, uint32_t number)
{
	struct term_pool *p = e->formula->pool;
	const struct definition *d =
		&g_array_index(e->formula->definitions, struct definition, number);
	uint32_t literal = term_var(p, 1, FIRST_KEEP + number);

	if (g_hash_table_add(e->kept, GUINT_TO_POINTER(literal)))
		give_to_solver(e,
			       term_or(p, term_not(p, literal),
				       term_eq(p, d->variable, inlined_term(e->inlined, d->expr))));
	return literal;
}

uint32_t encoding_near(struct encoding *e, uint32_t number, uint64_t distance)
{
	struct term_pool *p = e->formula->pool;
	const struct definition *d =
		&g_array_index(e->formula->definitions, struct definition, number);
	unsigned width = term_width(p, d->variable);
	uint32_t literal = term_var(p, 1, FIRST_NEAR + e->near++);
	uint32_t above = term_op2(
		p, IR_ADD, term_op2(p, IR_SUB, d->variable, inlined_term(e->inlined, d->expr)),
		term_const_wide(p, width, distance));
	uint32_t far = term_op2(p, IR_ULT, term_const_wide(p, width, 2 * distance), above);

	give_to_solver(e, term_or(p, term_not(p, literal), term_not(p, far)));
	return literal;
}

void encoding_assume(struct encoding *e, const struct encoding_question *q, GArray *literals,
		     GArray *numbers)
{
	for (guint i = 0; i < e->selectors->len; i++) {
		unsigned s = g_array_index(e->selectors, unsigned, i);
		uint32_t literal = selector_literal(e->formula, s);

		if (is_relaxed_selector(s, q->relaxed, q->n))
			continue;
		g_array_append_val(literals, literal);
		if (numbers)
			g_array_append_val(numbers, s);
	}
	if (q->explored) {
		uint32_t literal = explored_literal(e->formula);

		g_array_append_val(literals, literal);
		return;
	}
	for (guint i = 0; q->avoid && i < q->avoid->len; i++) {
		uint32_t literal = avoid_literal(e, g_array_index(q->avoid, uint32_t, i));

		g_array_append_val(literals, literal);
	}
}

enum smt_answer encoding_check(struct encoding *e, const struct encoding_question *q,
			       unsigned effort_ms, GArray *core)
{
	g_autoptr(GArray) assumed = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(unsigned));
	enum smt_answer answer;
	const unsigned *index;
	unsigned n_core;

	encoding_assume(e, q, assumed, numbers);
	answer =
		smt_check(e->smt, (const uint32_t *)(void *)assumed->data, assumed->len, effort_ms);
	g_array_set_size(core, 0);
	if (answer != SMT_UNSAT)
		return answer;
	index = smt_core(e->smt, &n_core);
	for (unsigned i = 0; i < n_core; i++)
		if (index[i] < numbers->len)
			g_array_append_val(core, g_array_index(numbers, unsigned, index[i]));
	return answer;
}

static term_bits value_in_encoding_so_far(void *arg, uint32_t number)
{
	return ((term_bits *)arg)[number];
}

/* Operands of a definition have smaller numbers, so one pass gives them all. */
term_bits *encoding_model(struct encoding *e, const struct encoding_question *q)
{
	const struct formula *f = e->formula;
	term_bits *values = g_new0(term_bits, MAX(f->definitions->len, 1));
	struct term_memo *memo = term_memo_new(f->pool, value_in_encoding_so_far, values);

	for (guint i = 0; i < f->definitions->len; i++) {
		const struct definition *d = &g_array_index(f->definitions, struct definition, i);
		bool chosen = encoding_is_relaxed(e, d, q);

		if (chosen ||
		    (!d->expr && g_hash_table_contains(e->relevant, GUINT_TO_POINTER(d->variable))))
			values[i] = smt_value(e->smt, d->variable);
		else if (d->expr)
			values[i] = term_eval(memo, d->expr);
	}
	term_memo_free(memo);
	return values;
}
