/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Choices: ITE trees whose leaves are constants, as `sign = up ? 1 : -1` or an
 * entry of a constant table gives them.  An operator on a choice and a constant
 * is a choice again, and a product with one is a choice of products with
 * constants, which are far smaller than a product of two unknowns.
 */
#include "solver/smt/term/term-private.h"

static bool count_leaves(const struct term_pool *p, uint32_t t, uint64_t *left)
{
	const struct term_node *n = term_node(p, t);
	term_bits v;

	if (term_const_bits(p, t, &v))
		return *left && (*left)--;
	return n->kind == IR_ITE && count_leaves(p, n->a, left) && count_leaves(p, n->b, left);
}

static bool is_choice(const struct term_pool *p, uint32_t t, uint64_t leaves)
{
	return t && term_node(p, t)->kind == IR_ITE && count_leaves(p, t, &leaves);
}

/* The operator applied to each leaf of n's operand a, or b. */
static uint32_t apply_to_leaves(struct term_pool *p, const struct term_node *n, bool to_a)
{
	const struct term_node choice = *term_node(p, to_a ? n->a : n->b);
	uint32_t side[2] = { choice.a, choice.b };

	for (unsigned i = 0; i < 2; i++)
		side[i] = term_op(p, n->kind, n->width, to_a ? side[i] : n->a,
				  to_a ? n->b : side[i], 0, n->value);
	return term_ite(p, choice.c, side[0], side[1]);
}

static bool is_const(const struct term_pool *p, uint32_t t)
{
	term_bits v;

	return term_const_bits(p, t, &v);
}

static bool is_product_or_quotient(unsigned kind)
{
	return kind == IR_MUL || ir_has(kind, IR_HAS_DIVISION);
}

/* Is t a choice that is to be taken apart?  other: the other operand, 0 = none. */
static bool is_taken_apart(const struct term_pool *p, const struct term_node *n, uint32_t t,
			   uint32_t other)
{
	const struct limits *l = term_pool_limits(p);

	if (other && !is_const(p, other))
		return is_product_or_quotient(n->kind) && is_choice(p, t, l->choice_copies);
	return is_choice(p, t, n->width == 1 ? l->choice_copies : l->choice_leaves);
}

uint32_t term_of_choice(struct term_pool *p, enum ir_kind kind, unsigned width, uint32_t a,
			uint32_t b)
{
	const struct term_node n = {
		.kind = (uint8_t)kind, .width = (uint8_t)width, .a = a, .b = b
	};
	uint32_t result;
	bool in_a = is_taken_apart(p, &n, a, b);

	if (!in_a && !(b && is_taken_apart(p, &n, b, a)))
		return 0;
	result = term_rewritten(p, &n);
	if (!result) {
		result = apply_to_leaves(p, &n, in_a);
		term_remember(p, &n, result);
	}
	return result;
}
