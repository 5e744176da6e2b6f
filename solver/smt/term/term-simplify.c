/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Building terms.  Each rule here and in term-slice.c replaces a term by a smaller or
 * more regular one of the same value; tests/solver/smt/term/term-test.c evaluates both sides
 * on random operands.
 */
#include "solver/smt/term/term-private.h"

uint32_t term_plain(struct term_pool *p, enum ir_kind kind, unsigned width, uint32_t a, uint32_t b,
		    uint32_t c, uint64_t value)
{
	struct term_node n = { .kind = (uint8_t)kind,
			       .width = (uint8_t)width,
			       .a = a,
			       .b = b,
			       .c = c,
			       .value = value };

	return term_intern(p, &n);
}

static bool is_zero_term(const struct term_pool *p, uint32_t t)
{
	term_bits v;

	return term_const_bits(p, t, &v) && v == 0;
}

static bool is_ones(const struct term_pool *p, uint32_t t)
{
	term_bits v;

	return term_const_bits(p, t, &v) && v == term_mask(term_width(p, t));
}

static bool is_kind(const struct term_pool *p, uint32_t t, unsigned kind)
{
	return term_node(p, t)->kind == kind;
}

bool term_fold(struct term_pool *p, enum ir_kind kind, unsigned width, uint32_t a, uint32_t b,
	       uint32_t c, uint64_t value, uint32_t *out)
{
	term_bits va, vb = 0, vc = 0;

	if (!term_const_bits(p, a, &va) || (b && !term_const_bits(p, b, &vb)) ||
	    (c && !term_const_bits(p, c, &vc)))
		return false;
	*out = term_const_wide(p, width,
			       term_apply(kind, width, va, term_width(p, a), vb,
					  b ? term_width(p, b) : 0, vc, value));
	return true;
}

uint32_t term_ite(struct term_pool *p, uint32_t c, uint32_t yes, uint32_t no)
{
	uint64_t v;
	const struct term_node n = *term_node(p, c);

	if (term_is_const(p, c, &v))
		return v ? yes : no;
	if (yes == no)
		return yes;
	if (n.kind == IR_NOT)
		return term_ite(p, n.a, no, yes);
	if (is_kind(p, yes, IR_ITE) && term_node(p, yes)->c == c)
		return term_ite(p, c, term_node(p, yes)->a, no);
	if (is_kind(p, no, IR_ITE) && term_node(p, no)->c == c)
		return term_ite(p, c, yes, term_node(p, no)->b);
	if (term_width(p, yes) == 1) {
		if (term_is_const(p, yes, &v))
			return v ? term_or(p, c, no) : term_and(p, term_not(p, c), no);
		if (term_is_const(p, no, &v))
			return v ? term_or(p, term_not(p, c), yes) : term_and(p, c, yes);
	}
	return term_plain(p, IR_ITE, term_width(p, yes), yes, no, c, 0);
}

static uint32_t simplified_equality(struct term_pool *p, uint32_t a, uint32_t b);

/* n equals the constant v: solves that for n's operand where that is possible; 0 = there is no
 * rule.  In this way addresses become comparisons of indices. */
static uint32_t equal_to_const(struct term_pool *p, const struct term_node *n, term_bits v)
{
	unsigned inner = n->a ? term_width(p, n->a) : 0;
	uint32_t low;
	term_bits c;

	switch (n->kind) {
	case IR_ZEXT:
		return v >> inner ? term_false(p)
				  : simplified_equality(p, n->a, term_const_wide(p, inner, v));
	case IR_SEXT:
		low = term_const_wide(p, inner, v & term_mask(inner));
		if (term_sext(p, low, n->width) != term_const_wide(p, n->width, v))
			return term_false(p);
		return simplified_equality(p, n->a, low);
	case IR_ADD:
		if (term_const_bits(p, n->b, &c))
			return simplified_equality(
				p, n->a,
				term_const_wide(p, n->width, (v - c) & term_mask(n->width)));
		if (term_const_bits(p, n->a, &c))
			return simplified_equality(
				p, n->b,
				term_const_wide(p, n->width, (v - c) & term_mask(n->width)));
		return 0;
	case IR_SUB:
		if (term_const_bits(p, n->b, &c))
			return simplified_equality(
				p, n->a,
				term_const_wide(p, n->width, (v + c) & term_mask(n->width)));
		if (term_const_bits(p, n->a, &c))
			return simplified_equality(
				p, n->b,
				term_const_wide(p, n->width, (c - v) & term_mask(n->width)));
		return 0;
	default:
		return 0;
	}
}

static uint32_t simplified_equality(struct term_pool *p, uint32_t a, uint32_t b)
{
	uint32_t solved;
	term_bits v;

	if (a == b)
		return term_true(p);
	if (term_const_bits(p, a, &v)) {
		uint32_t t = a;

		/* constants are shared: two that differ are not equal */
		if (term_const_bits(p, b, &v))
			return term_false(p);

		a = b;
		b = t;
	}
	const struct term_node n = *term_node(p, a);

	if (!term_const_bits(p, b, &v))
		return term_plain(p, IR_EQ, 1, MIN(a, b), MAX(a, b), 0, 0);
	if (n.width == 1)
		return v ? a : term_not(p, a);
	if ((solved = equal_to_const(p, &n, v)))
		return solved;
	if (n.kind == IR_CONCAT)
		return term_and(
			p,
			simplified_equality(
				p, n.a,
				term_const_wide(p, term_width(p, n.a), v >> term_width(p, n.b))),
			simplified_equality(p, n.b,
					    term_const_wide(p, term_width(p, n.b),
							    v & term_mask(term_width(p, n.b)))));
	if (n.kind != IR_ITE || !(term_const_bits(p, n.a, &v) || term_const_bits(p, n.b, &v)))
		return term_plain(p, IR_EQ, 1, a, b, 0, 0);
	const struct term_node as_given = { .kind = IR_EQ, .width = 1, .a = a, .b = b };
	uint32_t known = term_rewritten(p, &as_given);

	if (known)
		return known;
	known = term_ite(p, n.c, simplified_equality(p, n.a, b), simplified_equality(p, n.b, b));
	term_remember(p, &as_given, known);
	return known;
}

uint32_t term_not(struct term_pool *p, uint32_t a)
{
	const struct term_node n = *term_node(p, a);
	uint32_t folded;

	if (term_fold(p, IR_NOT, n.width, a, 0, 0, 0, &folded))
		return folded;
	if (n.kind == IR_NOT)
		return n.a;
	if (n.kind == IR_ULT)
		return term_op2(p, IR_ULE, n.b, n.a);
	if (n.kind == IR_ULE)
		return term_op2(p, IR_ULT, n.b, n.a);
	if (n.kind == IR_SLT)
		return term_op2(p, IR_SLE, n.b, n.a);
	if (n.kind == IR_SLE)
		return term_op2(p, IR_SLT, n.b, n.a);
	return term_plain(p, IR_NOT, n.width, a, 0, 0, 0);
}

static uint32_t simplify_sum(struct term_pool *p, uint32_t a, uint32_t b)
{
	const struct term_node na = *term_node(p, a);

	if (is_zero_term(p, b))
		return a;
	if (is_kind(p, b, IR_NEG))
		return term_op2(p, IR_SUB, a, term_node(p, b)->a);
	/* (x + c1) + c2: constants gather at the right */
	if (na.kind == IR_ADD && is_kind(p, b, IR_CONST) && is_kind(p, na.b, IR_CONST))
		return term_op2(p, IR_ADD, na.a, term_op2(p, IR_ADD, na.b, b));
	return 0;
}

static uint32_t simplified_difference(struct term_pool *p, uint32_t a, uint32_t b)
{
	unsigned width = term_width(p, a);
	uint64_t v;

	if (a == b)
		return term_const_wide(p, width, 0);
	if (is_zero_term(p, b))
		return a;
	if (term_is_const(p, b, &v) && width <= 64)
		return term_op2(p, IR_ADD, a, term_const(p, width, -v));
	if (is_kind(p, a, IR_ADD) && (term_node(p, a)->a == b || term_node(p, a)->b == b))
		return term_node(p, a)->a == b ? term_node(p, a)->b : term_node(p, a)->a;
	return 0;
}

static uint32_t simplified_bitwise(struct term_pool *p, enum ir_kind kind, uint32_t a, uint32_t b)
{
	unsigned width = term_width(p, a);

	if (a == b)
		return kind == IR_XOR ? term_const_wide(p, width, 0) : a;
	if (is_zero_term(p, b))
		return kind == IR_AND ? b : a;
	if (is_ones(p, b))
		return kind == IR_AND ? a : kind == IR_OR ? b : term_not(p, a);
	if ((is_kind(p, a, IR_NOT) && term_node(p, a)->a == b) ||
	    (is_kind(p, b, IR_NOT) && term_node(p, b)->a == a))
		return kind == IR_AND ? term_const_wide(p, width, 0)
				      : term_const_wide(p, width, term_mask(width));
	/* low bits of an AND with 0…01…1 */
	uint64_t v;

	if (kind == IR_AND && width <= 64 && term_is_const(p, b, &v) && (v & (v + 1)) == 0) {
		unsigned low = 64 - (unsigned)__builtin_clzll(v);

		return term_zext(p, term_extract(p, a, 0, low), width);
	}
	return 0;
}

static uint32_t simplified_shift(struct term_pool *p, enum ir_kind kind, uint32_t a, uint32_t b)
{
	unsigned width = term_width(p, a);
	term_bits by;

	if (!term_const_bits(p, b, &by))
		return 0;
	if (by == 0)
		return a;
	if (by >= width) {
		if (kind != IR_ASHR)
			return term_const_wide(p, width, 0);
		by = width - 1;
	}
	unsigned n = (unsigned)by;

	if (kind == IR_LSHR)
		return term_zext(p, term_extract(p, a, n, width - n), width);
	if (kind == IR_ASHR)
		return term_sext(p, term_extract(p, a, n, width - n), width);
	return term_concat(p, term_extract(p, a, 0, width - n), term_const_wide(p, n, 0));
}

static uint32_t simplified_comparison(struct term_pool *p, enum ir_kind kind, uint32_t a,
				      uint32_t b)
{
	const struct term_node na = *term_node(p, a), nb = *term_node(p, b);

	if (a == b)
		return kind == IR_ULE || kind == IR_SLE ? term_true(p) : term_false(p);
	if (kind == IR_ULT && is_zero_term(p, b))
		return term_false(p);
	if (kind == IR_ULE && is_zero_term(p, a))
		return term_true(p);
	/* comparing what was widened the same way */
	if (na.kind == nb.kind && (na.kind == IR_ZEXT || na.kind == IR_SEXT) &&
	    term_width(p, na.a) == term_width(p, nb.a)) {
		if (na.kind == IR_SEXT)
			return term_op2(p, kind, na.a, nb.a);
		return term_op2(p,
				kind == IR_SLT	 ? IR_ULT
				: kind == IR_SLE ? IR_ULE
						 : kind,
				na.a, nb.a);
	}
	return 0;
}

static uint32_t simplified_by_rule(struct term_pool *p, enum ir_kind kind, uint32_t a, uint32_t b)
{
	switch (kind) {
	case IR_ADD:
		return simplify_sum(p, a, b);
	case IR_SUB:
		return simplified_difference(p, a, b);
	case IR_MUL: {
		uint64_t v;

		if (!term_is_const(p, b, &v))
			return 0;
		return v == 0 ? b : v == 1 ? a : 0;
	}
	case IR_AND:
	case IR_OR:
	case IR_XOR:
		return simplified_bitwise(p, kind, a, b);
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR:
		return simplified_shift(p, kind, a, b);
	case IR_ULT:
	case IR_ULE:
	case IR_SLT:
	case IR_SLE:
		return simplified_comparison(p, kind, a, b);
	default:
		return 0;
	}
}

/* There is one canonical order: a constant stands on the right, otherwise the older term on the
 * left. */
static void order_operands(const struct term_pool *p, enum ir_kind kind, uint32_t *a, uint32_t *b)
{
	term_bits v;

	if (!ir_has(kind, IR_HAS_COMMUTING))
		return;
	if (term_const_bits(p, *a, &v) || (!term_const_bits(p, *b, &v) && *a > *b)) {
		uint32_t t = *a;

		*a = *b;
		*b = t;
	}
}

uint32_t term_op(struct term_pool *p, enum ir_kind kind, unsigned width, uint32_t a, uint32_t b,
		 uint32_t c, uint64_t value)
{
	uint32_t t;

	switch (kind) {
	case IR_NOT:
		return term_not(p, a);
	case IR_EQ:
		return simplified_equality(p, a, b);
	case IR_ITE:
		return term_ite(p, c, a, b);
	case IR_CONCAT:
		return term_concat(p, a, b);
	case IR_EXTRACT:
		return term_extract(p, a, (unsigned)value, width);
	case IR_ZEXT:
		return term_zext(p, a, width);
	case IR_SEXT:
		return term_sext(p, a, width);
	default:
		break;
	}
	if (term_fold(p, kind, width, a, b, c, value, &t))
		return t;
	if (kind == IR_FP)
		return term_plain(p, kind, width, a, b, c, value);
	order_operands(p, kind, &a, &b);
	if (b && (t = simplified_by_rule(p, kind, a, b)))
		return t;
	if (!c && (t = term_of_choice(p, kind, width, a, b)))
		return t;
	if (kind == IR_NEG && is_kind(p, a, IR_NEG))
		return term_node(p, a)->a;
	return term_plain(p, kind, width, a, b, c, 0);
}

uint32_t term_op2(struct term_pool *p, enum ir_kind kind, uint32_t a, uint32_t b)
{
	return term_op(p, kind, ir_has(kind, IR_HAS_COMPARISON) ? 1 : term_width(p, a), a, b, 0, 0);
}

uint32_t term_and(struct term_pool *p, uint32_t a, uint32_t b)
{
	return term_op2(p, IR_AND, a, b);
}

uint32_t term_or(struct term_pool *p, uint32_t a, uint32_t b)
{
	return term_op2(p, IR_OR, a, b);
}

uint32_t term_eq(struct term_pool *p, uint32_t a, uint32_t b)
{
	g_assert(term_width(p, a) == term_width(p, b));
	return simplified_equality(p, a, b);
}
