/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversions between the formats, and to and from integers. */
#include "solver/smt/float-private.h"

/* A NaN's fraction keeps its highest bits. */
static uint32_t converted_nan(struct term_pool *p, const struct float_format *from,
			      const struct float_format *to, const struct float_parts *x)
{
	uint32_t fraction = term_extract(p, x->bits, 0, from->fraction);
	uint32_t field = term_const(p, to->exponent, ~UINT64_C(0));

	if (from->fraction > to->fraction)
		fraction = term_extract(p, fraction, from->fraction - to->fraction, to->fraction);
	else if (from->fraction < to->fraction)
		fraction =
			term_concat(p, fraction, term_const(p, to->fraction - from->fraction, 0));
	return float_quiet(p, to, term_concat(p, term_concat(p, x->sign, field), fraction));
}

static uint32_t at_least(struct term_pool *p, uint32_t t, unsigned width)
{
	unsigned n = term_width(p, t);

	return n < width ? term_concat(p, t, term_const(p, width - n, 0)) : t;
}

uint32_t float_convert(struct term_pool *p, uint32_t a, unsigned width)
{
	const struct float_format *from = float_format(term_width(p, a)), *to = float_format(width);
	struct float_parts x = float_take_apart(p, a);
	uint32_t exponent = float_exponent_plus(p, x.exponent, (int)to->bias - (int)from->bias);
	uint32_t r =
		float_of(p, to, x.sign, exponent, at_least(p, x.significand, to->fraction + 3));

	r = term_ite(p, x.is_infinite, float_infinity(p, to, x.sign), r);
	return term_ite(p, x.is_nan, converted_nan(p, from, to, &x), r);
}

static uint32_t negated_if(struct term_pool *p, uint32_t condition, uint32_t t)
{
	return term_ite(p, condition, term_op(p, IR_NEG, term_width(p, t), t, 0, 0, 0), t);
}

uint32_t float_from_integer(struct term_pool *p, uint32_t a, unsigned width)
{
	const struct float_format *f = float_format(width);
	unsigned n = term_width(p, a);
	uint32_t negative = term_extract(p, a, n - 1, 1);
	uint32_t size = at_least(p, negated_if(p, negative, a), f->fraction + 3);

	return float_of(p, f, negative, float_exponent(p, (int)(f->bias + n - 1)), size);
}

static uint32_t how_is(struct term_pool *p, uint32_t how, unsigned mode)
{
	return term_eq(p, how, term_const(p, term_width(p, how), mode));
}

/* The number without its sign, rounded to an integer of n bits; what is 2^n or
 * more gives anything.  Calculated with fraction + 2 bits after the point. */
static uint32_t integer_part(struct term_pool *p, const struct float_format *f,
			     const struct float_parts *x, uint32_t how, unsigned n)
{
	unsigned after = f->fraction + 2, wide = n + after;
	uint32_t by = float_exponent_plus(p, x->exponent, 2 - (int)f->bias);
	uint32_t tiny = term_op2(p, IR_SLT, by, float_exponent(p, 0));
	uint32_t there = float_is_nonzero(p, x->significand);
	uint32_t v = term_op2(p, IR_SHL, term_zext(p, x->significand, wide),
			      float_distance(p, by, wide));
	uint32_t whole, half, rest, inexact, up, to_even;

	v = term_ite(p, tiny, term_zext(p, there, wide), v);
	whole = term_extract(p, v, after, n);
	half = term_extract(p, v, after - 1, 1);
	rest = float_is_nonzero(p, term_extract(p, v, 0, after - 1));
	inexact = term_or(p, half, rest);
	to_even = term_and(p, half, term_or(p, rest, term_extract(p, whole, 0, 1)));
	up = term_ite(p, how_is(p, how, 1), term_and(p, x->sign, inexact),
		      term_ite(p, how_is(p, how, 2), term_and(p, term_not(p, x->sign), inexact),
			       term_ite(p, how_is(p, how, 3), term_false(p), to_even)));
	return term_op2(p, IR_ADD, whole, term_zext(p, up, n));
}

/* One bit more than the result has, for what is rounded up beyond it. */
uint32_t float_to_integer(struct term_pool *p, uint32_t a, uint32_t how, unsigned width)
{
	const struct float_format *f = float_format(term_width(p, a));
	struct float_parts x = float_take_apart(p, a);
	uint32_t least = term_const(p, width, (uint64_t)1 << (width - 1));
	uint32_t limit = term_zext(p, least, width + 1);
	uint32_t bound = float_exponent(p, (int)(f->bias + width));
	uint32_t large = term_op2(p, IR_SLE, bound, x.exponent);
	uint32_t size = integer_part(p, f, &x, how, width + 1);
	uint32_t fits = term_or(p, term_op2(p, IR_ULT, size, limit),
				term_and(p, x.sign, term_eq(p, size, limit)));

	fits = term_and(p, fits, term_not(p, term_or(p, large, x.is_nan)));
	size = term_extract(p, size, 0, width);
	return term_ite(p, fits, negated_if(p, x.sign, size), least);
}

uint32_t float_to_integral(struct term_pool *p, uint32_t a, uint32_t how)
{
	const struct float_format *f = float_format(term_width(p, a));
	struct float_parts x = float_take_apart(p, a);
	uint32_t whole =
		term_op2(p, IR_SLE, float_exponent(p, (int)(f->bias + f->fraction)), x.exponent);
	uint32_t size = integer_part(p, f, &x, how, f->fraction + 3);
	uint32_t exponent = float_exponent(p, (int)(f->bias + f->fraction + 2));
	uint32_t r = term_ite(p, whole, a, float_of(p, f, x.sign, exponent, size));

	return term_ite(p, x.is_nan, float_quiet(p, f, a), r);
}
