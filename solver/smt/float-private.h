/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of float.h share. */
#ifndef SOLVER_SMT_FLOAT_PRIVATE_H
#define SOLVER_SMT_FLOAT_PRIVATE_H

#include "solver/smt/float.h"

/* Exponents are calculated in so many bits, as signed numbers. */
enum { EXPONENT_BITS = 16 };

struct float_format {
	unsigned width;	   /* 32 or 64 */
	unsigned exponent; /* bits of the field */
	unsigned fraction;
	unsigned bias;
};

/* A number, taken apart; all parts are terms. */
struct float_parts {
	uint32_t bits;	      /* as it was */
	uint32_t sign;	      /* width 1 */
	uint32_t magnitude;   /* all but the sign */
	uint32_t exponent;    /* biased, EXPONENT_BITS; of a subnormal number: 1 */
	uint32_t significand; /* fraction + 1 bits */
	uint32_t is_nan, is_infinite, is_zero;
};

const struct float_format *float_format(unsigned width);
struct float_parts float_take_apart(struct term_pool *p, uint32_t bits);
/* Shifts the significand until its highest bit is set.  For zero, infinity and NaN the result
 * means nothing. */
void float_normalise(struct term_pool *p, const struct float_format *f, struct float_parts *x);

/* The number significand · 2^…, rounded to nearest.  The significand's highest bit is set and
 * stands for 2^(exponent - bias).  It has at least fraction + 3 bits; the lowest bit is sticky:
 * it is 1 when anything below it is. */
uint32_t float_rounded(struct term_pool *p, const struct float_format *f, uint32_t sign,
		       uint32_t exponent, uint32_t significand);

/* The same for any number of bits, also when all are zero: the highest bit stands for
 * 2^(exponent - bias), and need not be set. */
uint32_t float_of(struct term_pool *p, const struct float_format *f, uint32_t sign,
		  uint32_t exponent, uint32_t significand);

uint32_t float_infinity(struct term_pool *p, const struct float_format *f, uint32_t sign);
uint32_t float_zero(struct term_pool *p, const struct float_format *f, uint32_t sign);
uint32_t float_default_nan(struct term_pool *p, const struct float_format *f);
uint32_t float_quiet(struct term_pool *p, const struct float_format *f, uint32_t bits);

/* An exponent plus a number. */
uint32_t float_exponent_plus(struct term_pool *p, uint32_t exponent, int by);
uint32_t float_exponent(struct term_pool *p, int value);
uint32_t float_is_nonzero(struct term_pool *p, uint32_t t);
/* t shifted right; its lowest bit is sticky.  by: as wide as t. */
uint32_t float_shift_right(struct term_pool *p, uint32_t t, uint32_t by);
/* A number of EXPONENT_BITS that is not negative, in `width' bits; values of `width' or more
 * become `width'. */
uint32_t float_distance(struct term_pool *p, uint32_t exponent, unsigned width);

uint32_t float_add(struct term_pool *p, uint32_t a, uint32_t b, bool subtract);
uint32_t float_multiply(struct term_pool *p, uint32_t a, uint32_t b);
uint32_t float_divide(struct term_pool *p, uint32_t a, uint32_t b);
uint32_t float_root(struct term_pool *p, uint32_t a);

uint32_t float_convert(struct term_pool *p, uint32_t a, unsigned width);
uint32_t float_from_integer(struct term_pool *p, uint32_t a, unsigned width);
/* how: as IR_FP_TO_INT's b */
uint32_t float_to_integer(struct term_pool *p, uint32_t a, uint32_t how, unsigned width);
uint32_t float_to_integral(struct term_pool *p, uint32_t a, uint32_t how);

#endif
