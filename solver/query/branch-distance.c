/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/query/branch-distance.h"

#include <math.h>
#include <string.h>

/* A new operation of ir-ops.def does not compile before the switch here says what it does. */
#pragma GCC diagnostic error "-Wswitch-enum"

/* When a strict inequality is wanted, equal sides are this far away from it. */
static const double hair = 1e-300;

/* How far a term is from true and from false; kept, because many ways lead to the same term. */
struct known_distance {
	uint32_t measured[2]; /* the measurement in which it was found */
	double to[2];
};

struct branch_distance {
	const struct formula *f;
	const struct incremental *w;
	bool anywhere;
	/* Closed sides of branches, by the number of the definition: outcomes (1 << outcome)
	 * that lead where no run went. */
	uint8_t *closed;
	struct known_distance *known; /* by term */
	uint32_t measurement;
	uint64_t left;
};

static double to_truth(struct branch_distance *m, uint32_t t, bool wanted);

static const struct term_node *node_of_term(const struct branch_distance *m, uint32_t t)
{
	return term_node(m->f->pool, t);
}

/* The definition of a variable; 0 if the variable itself is changed. */
static uint32_t definition_of_variable(const struct branch_distance *m, const struct term_node *n)
{
	const struct definition *d = &g_array_index(m->f->definitions, struct definition, n->a);

	return d->expr && incremental_affects(m->w, d->expr) ? d->expr : 0;
}

static double signed_value_of_term(const struct branch_distance *m, uint32_t t)
{
	unsigned width = term_width(m->f->pool, t);
	term_bits v = incremental_value(m->w, t);

	if (width > 64)
		return (double)v;
	return (double)((int64_t)((uint64_t)v << (64 - width)) >> (64 - width));
}

static double float_value(const struct branch_distance *m, uint32_t t)
{
	uint64_t bits = (uint64_t)incremental_value(m->w, t);
	uint32_t low = (uint32_t)bits;
	float single;
	double both;

	memcpy(&single, &low, sizeof(single));
	memcpy(&both, &bits, sizeof(both));
	return term_width(m->f->pool, t) == 32 ? (double)single : both;
}

/* How far it is to a < b (or a <= b), or to its opposite, when it is not so now. */
static double to_order(double a, double b, bool wanted, double step)
{
	double off = wanted ? a - b : b - a;

	return isnan(off) ? INFINITY : fmax(off, 0) + step;
}

static double to_comparison(struct branch_distance *m, const struct term_node *n, bool wanted)
{
	switch (n->kind) {
	case IR_SLT:
	case IR_SLE:
		return to_order(signed_value_of_term(m, n->a), signed_value_of_term(m, n->b),
				wanted, 1);
	case IR_ULT:
	case IR_ULE:
		return to_order((double)incremental_value(m->w, n->a),
				(double)incremental_value(m->w, n->b), wanted, 1);
	default:
		break;
	}
	switch ((enum ir_fp)n->value) {
	case IR_FP_LT:
	case IR_FP_LE:
		return to_order(float_value(m, n->a), float_value(m, n->b), wanted, hair);
	case IR_FP_EQ:
		if (wanted)
			return fabs(float_value(m, n->a) - float_value(m, n->b));
		return hair;
	case IR_FP_UN: /* there is no way to or from a value that is not a number */
	case IR_FP_ADD:
	case IR_FP_SUB:
	case IR_FP_MUL:
	case IR_FP_DIV:
	case IR_FP_MIN:
	case IR_FP_MAX:
	case IR_FP_SQRT:
	case IR_FP_CONVERT:
	case IR_FP_FROM_INT:
	case IR_FP_TO_INT:
	case IR_FP_ROUND:
	case IR_FP_CALL:
		break;
	}
	return INFINITY;
}

/* How far it is until t has this value (or no longer has it), when it is not so now. */
static double to_value(struct branch_distance *m, uint32_t t, term_bits value, bool wanted)
{
	const struct term_node *n = node_of_term(m, t);
	uint32_t now;

	if (!incremental_affects(m->w, t))
		return INFINITY;
	if (n->width == 1)
		return to_truth(m, t, (value != 0) == wanted);
	if (!m->left)
		return 1;
	m->left--;
	switch (n->kind) {
	case TERM_VAR:
		if ((now = definition_of_variable(m, n)))
			return to_value(m, now, value, wanted);
		break;
	case IR_ZEXT:
		if (value >> term_width(m->f->pool, n->a))
			return INFINITY;
		return to_value(m, n->a, value, wanted);
	case IR_EXTRACT:
	case IR_AND: /* of a truth value, mostly */
		if (incremental_value(m->w, n->a) != incremental_value(m->w, t))
			break;
		return to_value(m, n->a, value, wanted);
	case IR_ITE:
		now = incremental_value(m->w, n->c) ? n->a : n->b;
		/* the other side may have it */
		if ((incremental_value(m->w, now == n->a ? n->b : n->a) == value) == wanted)
			return fmin(to_truth(m, n->c, !incremental_value(m->w, n->c)),
				    to_value(m, now, value, wanted));
		return to_value(m, now, value, wanted);
	default:
		break;
	}
	if (!wanted)
		return 1;
	return fabs(signed_value_of_term(m, t) -
		    (double)((int64_t)((uint64_t)value << (64 - MIN(n->width, 64))) >>
			     (64 - MIN(n->width, 64))));
}

static double to_equality(struct branch_distance *m, const struct term_node *n, bool wanted)
{
	if (n->width == 1 && term_width(m->f->pool, n->a) == 1)
		return fmin(to_truth(m, n->a, !incremental_value(m->w, n->a)),
			    to_truth(m, n->b, !incremental_value(m->w, n->b)));
	return fmin(to_value(m, n->a, incremental_value(m->w, n->b), wanted),
		    to_value(m, n->b, incremental_value(m->w, n->a), wanted));
}

static double to_connective(struct branch_distance *m, const struct term_node *n, bool wanted)
{
	bool all = (n->kind == IR_AND) == wanted;
	double a, b;

	if (n->kind == IR_XOR)
		return fmin(to_truth(m, n->a, !incremental_value(m->w, n->a)),
			    to_truth(m, n->b, !incremental_value(m->w, n->b)));
	a = to_truth(m, n->a, wanted);
	b = to_truth(m, n->b, wanted);
	return all ? a + b : fmin(a, b);
}

static double to_choice(struct branch_distance *m, const struct term_node *n, bool wanted)
{
	bool way = incremental_value(m->w, n->c);
	uint32_t now = way ? n->a : n->b, other = way ? n->b : n->a;

	return fmin(to_truth(m, now, wanted), to_truth(m, n->c, !way) + to_truth(m, other, wanted));
}

/* It is not so now, and what is changed reaches the term. */
static double distance_through(struct branch_distance *m, uint32_t t, bool wanted)
{
	const struct term_node *n = node_of_term(m, t);
	uint32_t expr;

	if (n->kind == TERM_VAR) {
		if (m->closed[n->a] >> wanted & 1)
			return INFINITY;
		expr = definition_of_variable(m, n);
		return expr ? to_truth(m, expr, wanted) : 1;
	}
	if (n->kind == IR_FP)
		return to_comparison(m, n, wanted);
	switch ((enum ir_kind)n->kind) {
	case IR_NOT:
		return to_truth(m, n->a, !wanted);
	case IR_AND:
	case IR_OR:
	case IR_XOR:
		return to_connective(m, n, wanted);
	case IR_ITE:
		return to_choice(m, n, wanted);
	case IR_EQ:
		return to_equality(m, n, wanted);
	case IR_ULT:
	case IR_ULE:
	case IR_SLT:
	case IR_SLE:
		return to_comparison(m, n, wanted);
	case IR_ADD:
	case IR_SUB:
	case IR_MUL:
	case IR_UDIV:
	case IR_SDIV:
	case IR_UREM:
	case IR_SREM:
	case IR_NEG:
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR:
	case IR_CONCAT:
	case IR_EXTRACT:
	case IR_ZEXT:
	case IR_SEXT:
	case IR_CLZ:
	case IR_CTZ:
	case IR_POPCNT:
#define IR_OTHER(NAME, ...) case IR_##NAME:
#include "solver/isa/ir-ops.def"
	case IR_N_KINDS:
		break;
	}
	return 1;
}

static double to_truth(struct branch_distance *m, uint32_t t, bool wanted)
{
	struct known_distance *k = &m->known[t];

	if ((incremental_value(m->w, t) != 0) == wanted)
		return 0;
	if (!incremental_affects(m->w, t))
		return INFINITY;
	if (k->measured[wanted] == m->measurement)
		return k->to[wanted];
	if (!m->left)
		return 1;
	m->left--;
	k->to[wanted] = distance_through(m, t, wanted);
	k->measured[wanted] = m->measurement;
	return k->to[wanted];
}

bool branch_distance_is_closed(const struct branch_distance *d, const struct unexplored *u)
{
	if (d->anywhere)
		return u->cut;
	return u->cut || u->guard == UINT32_MAX ||
	       (!u->returns &&
		g_array_index(d->f->definitions, struct definition, u->guard).selector !=
			SELECTOR_HARD);
}

struct branch_distance *branch_distance_new(const struct formula *f, const struct incremental *w,
					    bool anywhere)
{
	struct branch_distance *d = g_new0(struct branch_distance, 1);

	d->f = f;
	d->w = w;
	d->anywhere = anywhere;
	d->closed = g_new0(uint8_t, MAX(f->definitions->len, 1));
	d->known = g_new0(struct known_distance, term_pool_size(f->pool));
	for (guint i = 0; i < f->unexplored->len; i++) {
		const struct unexplored *u = &g_array_index(f->unexplored, struct unexplored, i);

		if (u->guard != UINT32_MAX && branch_distance_is_closed(d, u))
			d->closed[u->guard] |= (uint8_t)(1 << u->outcome);
	}
	return d;
}

void branch_distance_free(struct branch_distance *d)
{
	if (!d)
		return;
	g_free(d->closed);
	g_free(d->known);
	g_free(d);
}

double branch_distance_to(struct branch_distance *d, uint32_t boolean)
{
	d->measurement++;
	d->left = limits_or_default(d->f->limits)->distance_terms;
	return to_truth(d, boolean, true);
}
