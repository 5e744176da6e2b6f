/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/term/range.h"
#include "solver/smt/term/term-private.h"

/* An operator's operands. */
/* A new operation of ir-ops.def does not compile before the switch here says what it does. */
#pragma GCC diagnostic error "-Wswitch-enum"

struct operands {
	struct range a, b;
	unsigned a_width, b_width;
	unsigned width; /* of the result */
};

struct bounds {
	term_bits least, most;
};

struct signed_bounds {
	__int128 least, most;
};

struct range range_any(unsigned width)
{
	return (struct range){ 0, term_mask(width) };
}

struct range range_boolean(bool may_be_false, bool may_be_true)
{
	return (struct range){ !may_be_false, may_be_false && may_be_true };
}

bool range_holds(struct range r, unsigned width, term_bits value)
{
	return ((value - r.lo) & term_mask(width)) <= r.span;
}

/* The range from one value up to another; both have that width already. */
static struct range from_to(term_bits least, term_bits most, unsigned width)
{
	return (struct range){ least, (most - least) & term_mask(width) };
}

struct range range_join(struct range a, struct range b, unsigned width)
{
	term_bits mask = term_mask(width), to_b = (b.lo - a.lo) & mask, to_a = (a.lo - b.lo) & mask;
	term_bits b_end = to_b + b.span, a_end = to_a + a.span; /* seen from a, from b */
	struct range up = { a.lo, MAX(a.span, b_end) }, down = { b.lo, MAX(b.span, a_end) };

	if (b_end < to_b || b_end > mask)
		up = range_any(width);
	if (a_end < to_a || a_end > mask)
		down = range_any(width);
	return up.span <= down.span ? up : down;
}

static struct bounds bounds_of(struct range r, unsigned width)
{
	term_bits mask = term_mask(width);

	return r.span <= mask - r.lo ? (struct bounds){ r.lo, r.lo + r.span }
				     : (struct bounds){ 0, mask };
}

static __int128 signed_bound(term_bits v, unsigned width)
{
	term_bits sign = (term_bits)1 << (width - 1);

	return (__int128)((v ^ sign) - sign);
}

static struct signed_bounds signed_bounds_of(struct range r, unsigned width)
{
	term_bits mask = term_mask(width), sign = (term_bits)1 << (width - 1);

	if (r.span <= mask - ((r.lo + sign) & mask))
		return (struct signed_bounds){ signed_bound(r.lo, width),
					       signed_bound((r.lo + r.span) & mask, width) };
	return (struct signed_bounds){ signed_bound(sign, width), signed_bound(sign - 1, width) };
}

/* All integers from least to most, cut to the width. */
static struct range wrap_range(__int128 least, __int128 most, unsigned width)
{
	term_bits span = (term_bits)most - (term_bits)least, mask = term_mask(width);

	return span >= mask ? range_any(width) : (struct range){ (term_bits)least & mask, span };
}

static struct range range_added(struct range a, struct range b, unsigned width)
{
	term_bits mask = term_mask(width);

	if (a.span > mask - b.span)
		return range_any(width);
	return (struct range){ (a.lo + b.lo) & mask, a.span + b.span };
}

static struct range range_negated(struct range a, unsigned width)
{
	return (struct range){ -(a.lo + a.span) & term_mask(width), a.span };
}

/* Multiplies by a constant, taken as positive or as negative, whichever number is smaller. */
static struct range multiplied_by(struct range a, term_bits by, unsigned width)
{
	term_bits mask = term_mask(width), other = -by & mask;

	if (other < by)
		return multiplied_by(range_negated(a, width), other, width);
	if (by && a.span > mask / by)
		return range_any(width);
	return (struct range){ a.lo * by & mask, a.span * by };
}

static bool fits_in_63_bits(struct signed_bounds x)
{
	__int128 most = (__int128)1 << 62;

	return x.least > -most && x.most < most;
}

static struct range range_of_corners(const __int128 value[4], unsigned width)
{
	__int128 least = value[0], most = value[0];

	for (int i = 1; i < 4; i++) {
		least = MIN(least, value[i]);
		most = MAX(most, value[i]);
	}
	return wrap_range(least, most, width);
}

static struct range range_of_product(const struct operands *o)
{
	struct signed_bounds x, y;

	if (!o->b.span)
		return multiplied_by(o->a, o->b.lo, o->width);
	if (!o->a.span)
		return multiplied_by(o->b, o->a.lo, o->width);
	x = signed_bounds_of(o->a, o->width);
	y = signed_bounds_of(o->b, o->width);
	if (!fits_in_63_bits(x) || !fits_in_63_bits(y))
		return range_any(o->width);
	return range_of_corners((const __int128[4]){ x.least * y.least, x.least * y.most,
						     x.most * y.least, x.most * y.most },
				o->width);
}

static struct range range_of_quotient(const struct operands *o)
{
	struct bounds x = bounds_of(o->a, o->width), y = bounds_of(o->b, o->width);

	if (!y.least)
		return range_any(o->width);
	return from_to(x.least / y.most, x.most / y.least, o->width);
}

static struct range divided_signed(const struct operands *o)
{
	struct signed_bounds x = signed_bounds_of(o->a, o->width);
	struct signed_bounds y = signed_bounds_of(o->b, o->width);

	/* the one that overflows: the least number divided by -1 */
	if ((y.least <= 0 && y.most >= 0) || (y.least <= -1 && y.most >= -1 && o->width > 127))
		return range_any(o->width);
	return range_of_corners((const __int128[4]){ x.least / y.least, x.least / y.most,
						     x.most / y.least, x.most / y.most },
				o->width);
}

static struct range remainder_of(const struct operands *o)
{
	struct bounds x = bounds_of(o->a, o->width), y = bounds_of(o->b, o->width);

	if (!y.least)
		return range_any(o->width);
	if (!o->b.span && x.least / y.least == x.most / y.least)
		return from_to(x.least % y.least, x.most % y.least, o->width);
	return from_to(0, MIN(x.most, y.most - 1), o->width);
}

static struct range remainder_signed(const struct operands *o)
{
	struct signed_bounds x = signed_bounds_of(o->a, o->width);
	struct signed_bounds y = signed_bounds_of(o->b, o->width);
	__int128 most;

	if (y.least <= 0)
		return range_any(o->width);
	if (!o->b.span && x.least / y.least == x.most / y.least && (x.least < 0) == (x.most < 0))
		return wrap_range(x.least % y.least, x.most % y.least, o->width);
	most = y.most - 1;
	return wrap_range(x.least < 0 ? MAX(x.least, -most) : 0, x.most > 0 ? MIN(x.most, most) : 0,
			  o->width);
}

/* The highest bits, which all members share, and those below, which they do not. */
struct known_bits {
	term_bits ones, unknown;
};

static struct known_bits known_bits_of(struct range r, unsigned width)
{
	struct bounds x = bounds_of(r, width);
	term_bits differ = x.least ^ x.most;

	for (unsigned by = 1; by < 128; by *= 2)
		differ |= differ >> by;
	return (struct known_bits){ x.least & ~differ, differ };
}

static struct range range_bitwise(unsigned kind, const struct operands *o)
{
	struct known_bits x = known_bits_of(o->a, o->width), y = known_bits_of(o->b, o->width);
	term_bits may_x = x.ones | x.unknown, may_y = y.ones | y.unknown, least, most;

	switch (kind) {
	case IR_AND:
		least = x.ones & y.ones;
		most = may_x & may_y;
		break;
	case IR_OR:
		least = x.ones | y.ones;
		most = may_x | may_y;
		break;
	default:
		least = (x.ones ^ y.ones) & ~(x.unknown | y.unknown);
		most = least | x.unknown | y.unknown;
		break;
	}
	return from_to(least, most, o->width);
}

/* The low bits, counted from 2^width. */
static struct range range_cut(struct range a, unsigned width)
{
	term_bits mask = term_mask(width);

	return a.span >= mask ? range_any(width) : (struct range){ a.lo & mask, a.span };
}

static struct range range_shifted_right(struct range a, unsigned width, term_bits by)
{
	struct bounds x = bounds_of(a, width);

	return by >= width ? range_of(0)
			   : from_to(x.least >> (unsigned)by, x.most >> (unsigned)by, width);
}

static struct range range_shifted(unsigned kind, const struct operands *o)
{
	struct signed_bounds x;
	unsigned by;

	if (o->b.span)
		return range_any(o->width);
	by = (unsigned)MIN(o->b.lo, 127);
	switch (kind) {
	case IR_SHL:
		return o->b.lo >= o->width ? range_of(0)
					   : multiplied_by(o->a, (term_bits)1 << by, o->width);
	case IR_LSHR:
		return range_shifted_right(o->a, o->width, o->b.lo);
	default:
		x = signed_bounds_of(o->a, o->width);
		return wrap_range(x.least >> by, x.most >> by, o->width);
	}
}

/* A mask of low bits keeps an interval that does not wrap there. */
static struct range range_masked(const struct operands *o)
{
	term_bits mask = o->b.span ? o->a.lo : o->b.lo;
	struct range other = o->b.span ? o->a : o->b, kept = o->b.span ? o->b : o->a;

	if (!other.span && !(mask & (mask + 1)) && (kept.lo & mask) + kept.span <= mask)
		return (struct range){ kept.lo & mask, kept.span };
	return range_bitwise(IR_AND, o);
}

static struct range put_together(const struct operands *o)
{
	struct bounds low = bounds_of(o->b, o->b_width);
	term_bits mask = term_mask(o->a_width);

	if (o->a.span == mask)
		return o->b.span ? range_any(o->width)
				 : (struct range){ low.least, mask << o->b_width };
	return (struct range){ o->a.lo << o->b_width | low.least,
			       (o->a.span << o->b_width) + (low.most - low.least) };
}

static struct range taken_out(const struct operands *o, unsigned low)
{
	return range_cut(low ? range_shifted_right(o->a, o->a_width, low) : o->a, o->width);
}

static struct range range_extended(const struct operands *o)
{
	struct bounds x = bounds_of(o->a, o->a_width);

	return from_to(x.least, x.most, o->width);
}

static struct range extended_signed(const struct operands *o)
{
	struct signed_bounds x = signed_bounds_of(o->a, o->a_width);

	return wrap_range(x.least, x.most, o->width);
}

static struct range range_of_equality(const struct operands *o)
{
	bool may = range_holds(o->a, o->a_width, o->b.lo) || range_holds(o->b, o->a_width, o->a.lo);

	return range_boolean(o->a.span || o->b.span || !may, may);
}

static struct range range_of_less(const struct operands *o, bool or_equal)
{
	struct bounds x = bounds_of(o->a, o->a_width), y = bounds_of(o->b, o->a_width);

	if (or_equal)
		return range_boolean(x.most > y.least, x.least <= y.most);
	return range_boolean(x.most >= y.least, x.least < y.most);
}

static struct range less_signed(const struct operands *o, bool or_equal)
{
	struct signed_bounds x = signed_bounds_of(o->a, o->a_width);
	struct signed_bounds y = signed_bounds_of(o->b, o->a_width);

	if (or_equal)
		return range_boolean(x.most > y.least, x.least <= y.most);
	return range_boolean(x.most >= y.least, x.least < y.most);
}

static struct range of_intervals(const struct term_node *n, const struct operands *o)
{
	unsigned w = o->width;

	switch ((enum ir_kind)n->kind) {
	case IR_ADD:
		return range_added(o->a, o->b, w);
	case IR_SUB:
		return range_added(o->a, range_negated(o->b, w), w);
	case IR_NEG:
		return range_negated(o->a, w);
	case IR_NOT:
		return range_added(range_negated(o->a, w), range_of(term_mask(w)), w);
	case IR_MUL:
		return range_of_product(o);
	case IR_UDIV:
		return range_of_quotient(o);
	case IR_SDIV:
		return divided_signed(o);
	case IR_UREM:
		return remainder_of(o);
	case IR_SREM:
		return remainder_signed(o);
	case IR_AND:
		return range_masked(o);
	case IR_OR:
	case IR_XOR:
		return range_bitwise(n->kind, o);
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR:
		return range_shifted(n->kind, o);
	case IR_EQ:
		return range_of_equality(o);
	case IR_ULT:
	case IR_ULE:
		return range_of_less(o, n->kind == IR_ULE);
	case IR_SLT:
	case IR_SLE:
		return less_signed(o, n->kind == IR_SLE);
	case IR_CONCAT:
		return put_together(o);
	case IR_EXTRACT:
		return taken_out(o, (unsigned)n->value);
	case IR_ZEXT:
		return range_extended(o);
	case IR_SEXT:
		return extended_signed(o);
	case IR_CLZ:
	case IR_CTZ:
	case IR_POPCNT:
	case IR_ITE: /* range_apply() joins its sides */
#define IR_OTHER(NAME, ...) case IR_##NAME:
#include "solver/isa/ir-ops.def"
	case IR_N_KINDS:
		break;
	}
	return range_any(w);
}

struct range range_apply(const struct term_node *n, struct range a, unsigned a_width,
			 struct range b, unsigned b_width, struct range c)
{
	const struct operands o = { a, b, a_width, b_width, n->width };

	if (n->kind == IR_ITE && !c.span)
		return c.lo ? a : b;
	if (n->kind == IR_ITE)
		return range_join(a, b, n->width);
	if (!a.span && !b.span)
		return range_of(term_apply(n->kind, n->width, a.lo, a_width, b.lo, b_width, c.lo,
					   n->value));
	return of_intervals(n, &o);
}
