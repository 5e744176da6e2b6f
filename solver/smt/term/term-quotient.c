/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Division by a constant d, which compilers make a multiplication by M, about
 * 2^k / d, whose upper bits are taken (Granlund and Montgomery, "Division by
 * invariant integers using multiplication", 1994).  With e = M·d - 2^k > 0 and
 * operands of n bits:
 *
 *   unsigned, e <= 2^(k - n):      floor(x·M / 2^k) = x / d
 *   signed,   e <= 2^(k - n + 1):  floor(x·M / 2^k) = x / d, less 1 if x < 0
 *
 * The quotient is a far smaller circuit than the product.
 */
#include "solver/smt/term/term-private.h"

/* The divisor, 0 when this is no division; slack: n, or n - 1 when signed. */
static term_bits divisor_of(term_bits m, unsigned k, unsigned slack)
{
	term_bits two_k = (term_bits)1 << k, d, e;

	if (m < 2 || k < slack)
		return 0;
	d = two_k / m + 1;
	e = m * d - two_k;
	return e <= (term_bits)1 << (k - slack) && !(d >> slack) ? d : 0;
}

/* t = extension of *x · *m, 2n bits or more; *n: the width of x. */
static bool is_term_product(const struct term_pool *p, uint32_t t, enum ir_kind extension,
			    uint32_t *x, term_bits *m, unsigned *n)
{
	const struct term_node *mul = term_node(p, t), *a;

	if (mul->kind != IR_MUL || !term_const_bits(p, mul->b, m))
		return false;
	a = term_node(p, mul->a);
	if (a->kind != extension)
		return false;
	*x = a->a;
	*n = term_width(p, a->a);
	return *n <= 64 && mul->width >= 2 * *n;
}

/* x / d, less 1 if x < 0. */
static uint32_t signed_quotient(struct term_pool *p, uint32_t x, term_bits d)
{
	unsigned n = term_width(p, x);

	if (!d || d >> (n - 1))
		return 0;
	return term_op2(p, IR_ADD, term_op2(p, IR_SDIV, x, term_const_wide(p, n, d)),
			term_op2(p, IR_ASHR, x, term_const_wide(p, n, n - 1)));
}

static uint32_t unsigned_quotient(struct term_pool *p, uint32_t x, term_bits d)
{
	unsigned n = term_width(p, x);

	return d && !(d >> n) ? term_op2(p, IR_UDIV, x, term_const_wide(p, n, d)) : 0;
}

static bool is_negative(term_bits m, unsigned n)
{
	return m >> (n - 1) & 1;
}

/* x + the upper half of x·m, where m is negative as a number of n bits.  It is the product with
 * m + 2^n, which has one bit too many. */
static bool is_corrected_product(const struct term_pool *p, uint32_t t, uint32_t *x, term_bits *m,
				 unsigned *n)
{
	const struct term_node add = *term_node(p, t);
	uint32_t sides[2] = { add.a, add.b };

	if (add.kind != IR_ADD)
		return false;
	for (unsigned i = 0; i < 2; i++) {
		const struct term_node *upper = term_node(p, sides[i]);

		if (upper->kind == IR_EXTRACT && is_term_product(p, upper->a, IR_SEXT, x, m, n) &&
		    *x == sides[!i] && upper->value == *n && upper->width == *n &&
		    is_negative(*m, *n)) {
			*m &= term_mask(*n);
			return true;
		}
	}
	return false;
}

/* Is t what signed_quotient made? */
static bool is_signed_quotient(struct term_pool *p, uint32_t t, uint32_t *x, term_bits *d)
{
	const struct term_node add = *term_node(p, t);
	uint32_t sides[2] = { add.a, add.b };

	if (add.kind != IR_ADD)
		return false;
	for (unsigned i = 0; i < 2; i++) {
		const struct term_node q = *term_node(p, sides[i]);

		if (q.kind == IR_SDIV && term_const_bits(p, q.b, d) && !is_negative(*d, q.width) &&
		    sides[!i] ==
			    term_op2(p, IR_ASHR, q.a, term_const_wide(p, q.width, q.width - 1U))) {
			*x = q.a;
			return true;
		}
	}
	return false;
}

uint32_t term_quotient(struct term_pool *p, uint32_t a, unsigned low, unsigned width)
{
	uint32_t x, q = 0;
	term_bits m;
	unsigned n;

	if (is_term_product(p, a, IR_ZEXT, &x, &m, &n) && low < 2 * n && width >= n &&
	    m <= term_mask(n))
		q = unsigned_quotient(p, x, divisor_of(m, low, n));
	else if (is_term_product(p, a, IR_SEXT, &x, &m, &n) && low < 2 * n && width == n &&
		 m <= term_mask(n) && !is_negative(m, n))
		q = signed_quotient(p, x, divisor_of(m, low, n - 1));
	return q ? term_zext(p, q, width) : 0;
}

uint32_t term_shifted_quotient(struct term_pool *p, bool is_signed, uint32_t a, unsigned low,
			       unsigned width)
{
	uint32_t x;
	term_bits m;
	unsigned n;

	if (is_term_product(p, a, is_signed ? IR_SEXT : IR_ZEXT, &x, &m, &n) && low >= n &&
	    low - n + width == n && m <= term_mask(n) && !(is_signed && is_negative(m, n)))
		return is_signed ? signed_quotient(p, x, divisor_of(m, low, n - 1))
				 : unsigned_quotient(p, x, divisor_of(m, low, n));
	if (low + width != term_width(p, a) || !low)
		return 0;
	if (is_signed && is_corrected_product(p, a, &x, &m, &n))
		return signed_quotient(p, x, divisor_of(m, n + low, n - 1));
	if (is_signed && is_signed_quotient(p, a, &x, &m))
		return signed_quotient(p, x, m << low);
	if (!is_signed && term_node(p, a)->kind == IR_UDIV &&
	    term_const_bits(p, term_node(p, a)->b, &m))
		return unsigned_quotient(p, term_node(p, a)->a, m << low);
	return 0;
}
