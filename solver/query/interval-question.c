/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets a question up as dimensions, terms that change, and goals. */
#include "solver/query/interval-private.h"

/* A new operation of ir-ops.def does not compile before the switch here says what it does. */
#pragma GCC diagnostic error "-Wswitch-enum"

static void add_dim(struct interval_solver *b, uint32_t number, const struct definition *d)
{
	unsigned width = term_width(b->f->pool, d->variable);
	struct interval_dim dim = { .number = number,
				    .variable = d->variable,
				    .width = width,
				    .relaxed = d->expr != 0,
				    .free = true,
				    .natural = incremental_natural(b->w, d->variable),
				    .box = range_any(width) };

	g_array_append_val(b->dims, dim);
}

/* What is relaxed, and what sides that no run took may have written. */
static unsigned take_dims(struct interval_solver *b, const struct encoding_question *q)
{
	unsigned relaxed = 0;

	g_array_set_size(b->dims, 0);
	for (uint32_t i = 0; i < b->f->definitions->len; i++) {
		const struct definition *d =
			&g_array_index(b->f->definitions, struct definition, i);

		if (!incremental_matters(b->w, d->variable))
			continue;
		if (encoding_question_relaxes(q, d)) {
			add_dim(b, i, d);
			relaxed++;
		} else if (d->kind == DEF_UNKNOWN && !q->explored) {
			add_dim(b, i, d);
		}
	}
	return relaxed;
}

/* What the term is made of, where it does not change itself. */
static void know_constant(struct interval_solver *b, uint32_t t)
{
	if (!t || incremental_affects(b->w, t))
		return;
	b->of[t] = range_of(incremental_natural(b->w, t));
	b->reasons[t] = 0;
}

static void add_step(struct interval_solver *b, uint32_t t, uint32_t dim)
{
	const struct term_pool *p = b->f->pool;
	const struct term_node *n = term_node(p, t);
	struct interval_step s = { .term = t, .node = n, .dim = dim };

	if (n->kind == TERM_VAR) {
		s.expr = g_array_index(b->f->definitions, struct definition, n->a).expr;
		know_constant(b, s.expr);
	} else {
		s.a_width = (uint8_t)term_width(p, n->a);
		s.b_width = n->b ? (uint8_t)term_width(p, n->b) : 0;
		know_constant(b, n->a);
		know_constant(b, n->b);
		know_constant(b, n->c);
	}
	b->step_of[t] = b->steps->len;
	g_array_append_val(b->steps, s);
}

/* The terms that change, operands first. */
static void take_steps(struct interval_solver *b)
{
	g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	const GArray *affected;
	guint next = 0;

	for (guint i = 0; i < b->dims->len; i++)
		g_array_append_val(numbers, interval_dim_at(b, i)->number);
	incremental_change(b->w, (const uint32_t *)(const void *)numbers->data, numbers->len);
	affected = incremental_affected(b->w);
	g_array_set_size(b->steps, 0);
	b->settled = 0;
	for (guint i = 0; i < affected->len; i++) {
		uint32_t t = g_array_index(affected, uint32_t, i);

		for (; next < b->dims->len && interval_dim_at(b, next)->variable < t; next++)
			add_step(b, interval_dim_at(b, next)->variable, next);
		add_step(b, t, NO_DIM);
	}
	for (; next < b->dims->len; next++)
		add_step(b, interval_dim_at(b, next)->variable, next);
}

static void demand_bits(struct interval_solver *b, uint32_t t, unsigned bits)
{
	if (t)
		b->demanded[t] = (uint8_t)MAX(b->demanded[t], bits);
}

/* How many bits of the operands matter, when so many of the term's lowest bits do. */
static void demand_operands(struct interval_solver *b, const struct interval_step *s, unsigned bits)
{
	const struct term_node *n = s->node;

	if (n->kind == TERM_VAR) {
		demand_bits(b, s->expr, bits);
		return;
	}
	switch ((enum ir_kind)n->kind) {
	case IR_ADD:
	case IR_SUB:
	case IR_MUL:
	case IR_AND:
	case IR_OR:
	case IR_XOR:
	case IR_NOT:
	case IR_NEG:
	case IR_ITE:
		demand_bits(b, n->a, bits);
		demand_bits(b, n->b, bits);
		demand_bits(b, n->c, 1);
		break;
	case IR_EXTRACT:
		demand_bits(b, n->a, (unsigned)n->value + bits);
		break;
	case IR_ZEXT:
	case IR_SEXT:
		demand_bits(b, n->a, MIN(bits, s->a_width));
		break;
	case IR_CONCAT:
		demand_bits(b, n->b, MIN(bits, s->b_width));
		demand_bits(b, n->a, bits > s->b_width ? bits - s->b_width : 0);
		break;
	case IR_UDIV:
	case IR_SDIV:
	case IR_UREM:
	case IR_SREM:
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR:
	case IR_EQ:
	case IR_ULT:
	case IR_ULE:
	case IR_SLT:
	case IR_SLE:
	case IR_CLZ:
	case IR_CTZ:
	case IR_POPCNT:
#define IR_OTHER(NAME, ...) case IR_##NAME:
#include "solver/isa/ir-ops.def"
	case IR_N_KINDS:
		demand_bits(b, n->a, s->a_width);
		demand_bits(b, n->b, s->b_width);
		break;
	}
}

/* Registers are wide, but the values in them are often narrow. */
static void find_demanded_bits(struct interval_solver *b)
{
	for (guint i = 0; i < b->steps->len; i++)
		b->demanded[interval_step_at(b, i)->term] = 0;
	for (guint i = 0; i < b->goals->len; i++)
		demand_bits(b, g_array_index(b->goals, struct interval_goal, i).term, 1);
	for (guint i = b->steps->len; i > 0; i--) {
		const struct interval_step *s = interval_step_at(b, i - 1);

		if (b->demanded[s->term])
			demand_operands(b, s, b->demanded[s->term]);
	}
	for (guint i = 0; i < b->dims->len; i++)
		interval_dim_at(b, i)->bits = MAX(b->demanded[interval_dim_at(b, i)->variable], 1);
}

/* False when the terms that do not change contradict each other. */
static bool add_goal(struct interval_solver *b, uint32_t term, bool wanted, bool required)
{
	struct interval_goal g = { term, wanted, 0 };

	if (!incremental_affects(b->w, term)) {
		if (!required || (incremental_natural(b->w, term) != 0) == wanted)
			return true;
		interval_explain(b, term);
		return false;
	}
	g_array_append_val(b->goals, g);
	return true;
}

static bool take_goals(struct interval_solver *b, const struct encoding_question *q)
{
	bool possible = true;

	/* one contradiction is enough */
	g_array_set_size(b->goals, 0);
	for (guint i = 0; possible && i < b->f->constraints->len; i++) {
		const struct constraint *h =
			&g_array_index(b->f->constraints, struct constraint, i);

		possible = add_goal(b, h->term, true, h->requirement);
	}
	for (guint i = 0; possible && i < b->f->unexplored->len; i++)
		if (encoding_question_avoids(q, i))
			possible = add_goal(
				b, g_array_index(b->f->unexplored, struct unexplored, i).taken,
				false, true);
	return possible;
}

bool interval_take(struct interval_solver *b, const struct encoding_question *q, unsigned *relaxed)
{
	*relaxed = take_dims(b, q);
	take_steps(b);
	if (!take_goals(b, q))
		return false;
	find_demanded_bits(b);
	return true;
}
