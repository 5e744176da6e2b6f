/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums, products, quotients and roots. */
#include "solver/smt/float-private.h"

/* The result where an operand is a NaN, and where there is none (invalid). */
static uint32_t with_nans(struct term_pool *p, const struct float_format *f,
			  const struct float_parts *x, const struct float_parts *y,
			  uint32_t invalid, uint32_t result)
{
	result = term_ite(p, invalid, float_default_nan(p, f), result);
	result = term_ite(p, y->is_nan, float_quiet(p, f, y->bits), result);
	return term_ite(p, x->is_nan, float_quiet(p, f, x->bits), result);
}

static void swap_if(struct term_pool *p, uint32_t condition, uint32_t *a, uint32_t *b)
{
	uint32_t x = *a, y = *b;

	*a = term_ite(p, condition, y, x);
	*b = term_ite(p, condition, x, y);
}

/* Three bits below the last one are enough, the lowest sticky: only where the
 * exponents differ by one or none is the sum much smaller than its operands, and
 * then nothing was lost. */
uint32_t float_add(struct term_pool *p, uint32_t a, uint32_t b, bool subtract)
{
	const struct float_format *f = float_format(term_width(p, a));
	struct float_parts x = float_take_apart(p, a), y = float_take_apart(p, b);
	uint32_t y_sign = subtract ? term_not(p, y.sign) : y.sign;
	uint32_t differ = term_not(p, term_eq(p, x.sign, y_sign));
	uint32_t swapped = term_op2(p, IR_ULT, x.magnitude, y.magnitude);
	uint32_t infinite = term_or(p, x.is_infinite, y.is_infinite);
	uint32_t both = term_and(p, x.is_infinite, y.is_infinite);
	uint32_t sign = x.sign, other = y_sign, exponent = x.exponent, lower = y.exponent;
	uint32_t large = x.significand, small = y.significand, by, sum, zero_sign, r;
	unsigned n = f->fraction + 5;

	swap_if(p, swapped, &sign, &other);
	swap_if(p, swapped, &exponent, &lower);
	swap_if(p, swapped, &large, &small);
	large = term_concat(p, term_zext(p, large, n - 3), term_const(p, 3, 0));
	small = term_concat(p, term_zext(p, small, n - 3), term_const(p, 3, 0));
	by = float_distance(p, term_op2(p, IR_SUB, exponent, lower), n);
	small = float_shift_right(p, small, by);
	sum = term_ite(p, differ, term_op2(p, IR_SUB, large, small),
		       term_op2(p, IR_ADD, large, small));
	/* -0 only where both are negative */
	zero_sign = term_and(p, x.sign, y_sign);
	sign = term_ite(p, float_is_nonzero(p, sum), sign, zero_sign);
	r = float_of(p, f, sign, float_exponent_plus(p, exponent, 1), sum);
	r = term_ite(p, infinite, float_infinity(p, f, term_ite(p, x.is_infinite, x.sign, y_sign)),
		     r);
	return with_nans(p, f, &x, &y, term_and(p, both, differ), r);
}

uint32_t float_multiply(struct term_pool *p, uint32_t a, uint32_t b)
{
	const struct float_format *f = float_format(term_width(p, a));
	struct float_parts x = float_take_apart(p, a), y = float_take_apart(p, b);
	unsigned n = 2 * f->fraction + 2;
	uint32_t sign = term_op2(p, IR_XOR, x.sign, y.sign);
	uint32_t infinite = term_or(p, x.is_infinite, y.is_infinite);
	uint32_t zero = term_or(p, x.is_zero, y.is_zero);
	uint32_t exponent = term_op2(p, IR_ADD, x.exponent, y.exponent);
	uint32_t product =
		term_op2(p, IR_MUL, term_zext(p, x.significand, n), term_zext(p, y.significand, n));
	uint32_t r =
		float_of(p, f, sign, float_exponent_plus(p, exponent, 1 - (int)f->bias), product);

	r = term_ite(p, infinite, float_infinity(p, f, sign), r);
	return with_nans(p, f, &x, &y, term_and(p, infinite, zero), r);
}

/* One step of a division or a root by hand: if it fits, rest less part, and a 1
 * after the digits found so far. */
static void next_digit(struct term_pool *p, uint32_t part, uint32_t *rest, uint32_t *digits)
{
	uint32_t fits = term_op2(p, IR_ULE, part, *rest);

	*rest = term_ite(p, fits, term_op2(p, IR_SUB, *rest, part), *rest);
	*digits = *digits ? term_concat(p, *digits, fits) : fits;
}

static uint32_t append_zero_bit(struct term_pool *p, uint32_t t)
{
	return term_concat(p, term_extract(p, t, 0, term_width(p, t) - 1), term_const(p, 1, 0));
}

/* The quotient of two normal significands is above a half and below two. */
uint32_t float_divide(struct term_pool *p, uint32_t a, uint32_t b)
{
	const struct float_format *f = float_format(term_width(p, a));
	struct float_parts x = float_take_apart(p, a), y = float_take_apart(p, b);
	unsigned n = f->fraction + 3, wide = f->fraction + 2;
	uint32_t sign = term_op2(p, IR_XOR, x.sign, y.sign), digits = 0, rest, part, exponent, r;
	uint32_t to_infinity = term_or(p, x.is_infinite, y.is_zero);
	uint32_t to_zero = term_or(p, x.is_zero, y.is_infinite);
	uint32_t invalid = term_or(p, term_and(p, x.is_infinite, y.is_infinite),
				   term_and(p, x.is_zero, y.is_zero));

	float_normalise(p, f, &x);
	float_normalise(p, f, &y);
	rest = term_zext(p, x.significand, wide);
	part = term_zext(p, y.significand, wide);
	for (unsigned i = 0; i < n; i++) {
		next_digit(p, part, &rest, &digits);
		rest = append_zero_bit(p, rest);
	}
	digits = term_concat(p, digits, float_is_nonzero(p, rest));
	exponent = term_op2(p, IR_SUB, x.exponent, y.exponent);
	r = float_of(p, f, sign, float_exponent_plus(p, exponent, (int)f->bias), digits);
	r = term_ite(p, to_zero, float_zero(p, f, sign), r);
	r = term_ite(p, to_infinity, float_infinity(p, f, sign), r);
	return with_nans(p, f, &x, &y, invalid, r);
}

/* Two digits of the number a step, the highest first; it has one more below its
 * last where the exponent is odd. */
uint32_t float_root(struct term_pool *p, uint32_t a)
{
	const struct float_format *f = float_format(term_width(p, a));
	struct float_parts x = float_take_apart(p, a);
	unsigned n = f->fraction + 2, wide = f->fraction + 5;
	uint32_t digits = 0, rest = term_const_wide(p, wide, 0), number, even, half, r;

	float_normalise(p, f, &x);
	/* the bias is odd: an odd field stands for an even exponent */
	even = term_extract(p, x.exponent, 0, 1);
	number = term_zext(p, x.significand, f->fraction + 2);
	number = term_concat(p, term_ite(p, even, number, append_zero_bit(p, number)),
			     term_const(p, f->fraction + 2, 0));
	half = float_exponent_plus(p, x.exponent, (int)f->bias);
	half = term_op2(p, IR_ASHR, half, float_exponent(p, 1));
	for (unsigned i = 0; i < n; i++) {
		uint32_t pair = term_extract(p, number, 2 * (n - 1 - i), 2);
		uint32_t part = term_const(p, 2, 1);

		rest = term_concat(p, term_extract(p, rest, 0, wide - 2), pair);
		if (digits)
			part = term_concat(p, digits, part);
		next_digit(p, term_zext(p, part, wide), &rest, &digits);
	}
	digits = term_concat(p, digits, float_is_nonzero(p, rest));
	r = float_rounded(p, f, term_false(p), half, digits);
	r = term_ite(p, x.is_infinite, x.bits, r);
	r = term_ite(p, x.sign, float_default_nan(p, f), r);
	r = term_ite(p, x.is_zero, x.bits, r);
	return term_ite(p, x.is_nan, float_quiet(p, f, x.bits), r);
}
