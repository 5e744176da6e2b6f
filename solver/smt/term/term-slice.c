/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building terms of parts of others: extensions, slices, concatenations. */
#include "solver/smt/term/term-private.h"

static uint32_t extended_quotient(struct term_pool *p, bool is_signed, const struct term_node *n,
				  unsigned width)
{
	uint32_t q = 0;

	if (n->kind == IR_EXTRACT)
		q = term_shifted_quotient(p, is_signed, n->a, (unsigned)n->value, n->width);
	if (!q || term_width(p, q) > width)
		return 0;
	return is_signed ? term_sext(p, q, width) : term_zext(p, q, width);
}

uint32_t term_zext(struct term_pool *p, uint32_t a, unsigned width)
{
	const struct term_node n = *term_node(p, a);
	uint32_t t;
	term_bits v;

	g_assert(width >= n.width);
	if (width == n.width)
		return a;
	if (term_const_bits(p, a, &v))
		return term_const_wide(p, width, v);
	if (n.kind == IR_ZEXT)
		return term_zext(p, n.a, width);
	if ((t = extended_quotient(p, false, &n, width)) ||
	    (t = term_of_choice(p, IR_ZEXT, width, a, 0)))
		return t;
	return term_plain(p, IR_ZEXT, width, a, 0, 0, 0);
}

uint32_t term_sext(struct term_pool *p, uint32_t a, unsigned width)
{
	const struct term_node n = *term_node(p, a);
	uint32_t folded;

	g_assert(width >= n.width);
	if (width == n.width)
		return a;
	if (term_fold(p, IR_SEXT, width, a, 0, 0, 0, &folded))
		return folded;
	if (n.kind == IR_SEXT)
		return term_sext(p, n.a, width);
	if (n.kind == IR_ZEXT)
		return term_zext(p, n.a, width);
	if ((folded = extended_quotient(p, true, &n, width)) ||
	    (folded = term_of_choice(p, IR_SEXT, width, a, 0)))
		return folded;
	return term_plain(p, IR_SEXT, width, a, 0, 0, 0);
}

/* Operators whose low result bits depend on the low operand bits only. */
static bool works_from_the_low_end(unsigned kind)
{
	switch (kind) {
	case IR_ADD:
	case IR_SUB:
	case IR_MUL:
	case IR_AND:
	case IR_OR:
	case IR_XOR:
	case IR_NOT:
	case IR_NEG:
		return true;
	default:
		return false;
	}
}

static uint32_t extract_from_extension(struct term_pool *p, const struct term_node *n, unsigned low,
				       unsigned width)
{
	unsigned inner = term_width(p, n->a);
	uint32_t a;

	if (low + width <= inner)
		return term_extract(p, n->a, low, width);
	if (low >= inner && n->kind == IR_ZEXT)
		return term_const_wide(p, width, 0);
	if (low >= inner) /* copies of the sign */
		low = inner - 1;
	a = term_extract(p, n->a, low, inner - low);
	return n->kind == IR_ZEXT ? term_zext(p, a, width) : term_sext(p, a, width);
}

static uint32_t extract_from_concat(struct term_pool *p, const struct term_node *n, unsigned low,
				    unsigned width)
{
	unsigned split = term_width(p, n->b);

	if (low >= split)
		return term_extract(p, n->a, low - split, width);
	if (low + width <= split)
		return term_extract(p, n->b, low, width);
	return term_concat(p, term_extract(p, n->a, 0, low + width - split),
			   term_extract(p, n->b, low, split - low));
}

/* Low half of a double-width quotient or remainder of extended operands, as
 * x86's div and idiv compute it: the same of the operands themselves. */
static uint32_t extract_from_division(struct term_pool *p, const struct term_node *n, unsigned low,
				      unsigned width)
{
	bool is_signed = n->kind == IR_SDIV || n->kind == IR_SREM;
	unsigned extension = is_signed ? IR_SEXT : IR_ZEXT;
	uint32_t by = n->b;
	const struct term_node a = *term_node(p, n->a), d = *term_node(p, n->b);
	term_bits v;

	if (low || a.kind != extension || term_width(p, a.a) != width)
		return 0;
	if (d.kind == extension && term_width(p, d.a) == width)
		by = d.a;
	else if (term_const_bits(p, n->b, &v) && v && !(v >> (width - 1)))
		by = term_const_wide(p, width, v);
	else
		return 0;
	return term_op2(p, n->kind, a.a, by);
}

static bool is_bitwise(unsigned kind)
{
	return kind == IR_AND || kind == IR_OR || kind == IR_XOR || kind == IR_NOT;
}

static uint32_t extract_by_rule(struct term_pool *p, uint32_t a, const struct term_node *n,
				unsigned low, unsigned width)
{
	uint32_t b;
	uint64_t by;

	switch (n->kind) {
	case IR_MUL:
		if ((b = term_quotient(p, a, low, width)))
			return b;
		break;
	case IR_EXTRACT:
		return term_extract(p, n->a, low + (unsigned)n->value, width);
	case IR_ZEXT:
	case IR_SEXT:
		return extract_from_extension(p, n, low, width);
	case IR_CONCAT:
		return extract_from_concat(p, n, low, width);
	case IR_UDIV:
	case IR_SDIV:
	case IR_UREM:
	case IR_SREM:
		return extract_from_division(p, n, low, width);
	case IR_ITE:
		return term_ite(p, n->c, term_extract(p, n->a, low, width),
				term_extract(p, n->b, low, width));
	case IR_SHL: /* by a constant, below what is taken */
		if (term_is_const(p, n->b, &by) && by <= low)
			return term_extract(p, n->a, low - (unsigned)by, width);
		return 0;
	case IR_LSHR:
		if (term_is_const(p, n->b, &by) && by + low + width <= n->width)
			return term_extract(p, n->a, low + (unsigned)by, width);
		return 0;
	default:
		break;
	}
	if (!(works_from_the_low_end(n->kind) && (low == 0 || is_bitwise(n->kind))))
		return 0;
	b = n->b ? term_extract(p, n->b, low, width) : 0;
	return term_op(p, n->kind, width, term_extract(p, n->a, low, width), b, 0, 0);
}

uint32_t term_extract(struct term_pool *p, uint32_t a, unsigned low, unsigned width)
{
	const struct term_node n = *term_node(p, a);
	term_bits v;
	uint32_t t;

	g_assert(width >= 1 && low + width <= n.width);
	if (low == 0 && width == n.width)
		return a;
	if (term_const_bits(p, a, &v))
		return term_const_wide(p, width, (v >> low) & term_mask(width));
	const struct term_node as_given = {
		.kind = IR_EXTRACT, .width = (uint8_t)width, .a = a, .value = low
	};

	if ((t = term_rewritten(p, &as_given)))
		return t;
	t = extract_by_rule(p, a, &n, low, width);
	if (!t)
		t = term_plain(p, IR_EXTRACT, width, a, 0, 0, low);
	term_remember(p, &as_given, t);
	return t;
}

/* Where the bits of t come from: t = source[low + width - 1 : low]. */
static void as_slice(const struct term_pool *p, uint32_t t, uint32_t *source, unsigned *low)
{
	const struct term_node *n = term_node(p, t);

	*source = n->kind == IR_EXTRACT ? n->a : t;
	*low = n->kind == IR_EXTRACT ? (unsigned)n->value : 0;
}

static uint32_t join_slices(struct term_pool *p, uint32_t high, uint32_t low)
{
	uint32_t high_source, low_source;
	unsigned high_at, low_at, low_width = term_width(p, low);

	as_slice(p, high, &high_source, &high_at);
	as_slice(p, low, &low_source, &low_at);
	if (high_source != low_source || high_at != low_at + low_width)
		return 0;
	return term_extract(p, low_source, low_at, low_width + term_width(p, high));
}

/* Is t the highest bit of x? */
static bool is_sign_of(const struct term_pool *p, uint32_t t, uint32_t x)
{
	const struct term_node *n = term_node(p, t);

	return n->kind == IR_EXTRACT && n->width == 1 && n->a == x &&
	       n->value == term_width(p, x) - 1;
}

uint32_t term_concat(struct term_pool *p, uint32_t high, uint32_t low)
{
	unsigned width = term_width(p, high) + term_width(p, low);
	const struct term_node h = *term_node(p, high), l = *term_node(p, low);
	term_bits vh, vl;
	uint32_t joined;

	g_assert(width <= 128);
	if (term_const_bits(p, high, &vh)) {
		if (term_const_bits(p, low, &vl))
			return term_const_wide(p, width, vh << l.width | vl);
		if (vh == 0)
			return term_zext(p, low, width);
	}
	if ((joined = join_slices(p, high, low)))
		return joined;
	if (h.kind == IR_SEXT && is_sign_of(p, h.a, low))
		return term_sext(p, low, width);
	if (l.kind == IR_CONCAT && (joined = join_slices(p, high, l.a)))
		return term_concat(p, joined, l.b);
	if (h.kind == IR_CONCAT && (joined = join_slices(p, h.b, low)))
		return term_concat(p, h.a, joined);
	if (h.kind != IR_ITE || l.kind != IR_ITE || h.c != l.c)
		return term_plain(p, IR_CONCAT, width, high, low, 0, 0);
	const struct term_node as_given = {
		.kind = IR_CONCAT, .width = (uint8_t)width, .a = high, .b = low
	};

	if ((joined = term_rewritten(p, &as_given)))
		return joined;
	joined = term_ite(p, h.c, term_concat(p, h.a, l.a), term_concat(p, h.b, l.b));
	term_remember(p, &as_given, joined);
	return joined;
}
