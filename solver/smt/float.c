/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/float.h"
#include "solver/smt/float-private.h"

const struct float_format *float_format(unsigned width)
{
	static const struct float_format single = { 32, 8, 23, 127 }, both = { 64, 11, 52, 1023 };

	return width == 32 ? &single : &both;
}

uint32_t float_is_nonzero(struct term_pool *p, uint32_t t)
{
	return term_not(p, term_eq(p, t, term_const_wide(p, term_width(p, t), 0)));
}

uint32_t float_exponent(struct term_pool *p, int value)
{
	return term_const(p, EXPONENT_BITS, (uint64_t)(int64_t)value);
}

uint32_t float_exponent_plus(struct term_pool *p, uint32_t exponent, int by)
{
	return term_op2(p, IR_ADD, exponent, float_exponent(p, by));
}

static uint32_t is_all(struct term_pool *p, uint32_t t, bool ones)
{
	unsigned width = term_width(p, t);

	return term_eq(p, t, term_const_wide(p, width, ones ? ~(term_bits)0 : 0));
}

struct float_parts float_take_apart(struct term_pool *p, uint32_t bits)
{
	const struct float_format *f = float_format(term_width(p, bits));
	uint32_t field = term_extract(p, bits, f->fraction, f->exponent);
	uint32_t fraction = term_extract(p, bits, 0, f->fraction);
	uint32_t small = is_all(p, field, false), large = is_all(p, field, true);
	uint32_t no_fraction = is_all(p, fraction, false);
	struct float_parts x = { .bits = bits };

	x.sign = term_extract(p, bits, f->width - 1, 1);
	x.magnitude = term_extract(p, bits, 0, f->width - 1);
	x.exponent = term_ite(p, small, float_exponent(p, 1), term_zext(p, field, EXPONENT_BITS));
	x.significand = term_concat(p, term_not(p, small), fraction);
	x.is_nan = term_and(p, large, term_not(p, no_fraction));
	x.is_infinite = term_and(p, large, no_fraction);
	x.is_zero = term_and(p, small, no_fraction);
	return x;
}

/* Zeros above the highest bit that is set. */
static uint32_t zeros_above(struct term_pool *p, uint32_t t)
{
	return term_op(p, IR_CLZ, term_width(p, t), t, 0, 0, 0);
}

static uint32_t cut_float_to(struct term_pool *p, uint32_t t, unsigned width)
{
	return term_width(p, t) > width ? term_extract(p, t, 0, width) : term_zext(p, t, width);
}

void float_normalise(struct term_pool *p, const struct float_format *f, struct float_parts *x)
{
	uint32_t zeros = zeros_above(p, x->significand);

	g_assert(term_width(p, x->significand) == f->fraction + 1);
	x->significand = term_op2(p, IR_SHL, x->significand, zeros);
	x->exponent = term_op2(p, IR_SUB, x->exponent, cut_float_to(p, zeros, EXPONENT_BITS));
}

uint32_t float_shift_right(struct term_pool *p, uint32_t t, uint32_t by)
{
	unsigned width = term_width(p, t);
	uint32_t shifted = term_op2(p, IR_LSHR, t, by);
	uint32_t lost = term_not(p, term_eq(p, term_op2(p, IR_SHL, shifted, by), t));

	return term_op2(p, IR_OR, shifted, term_zext(p, lost, width));
}

uint32_t float_distance(struct term_pool *p, uint32_t exponent, unsigned width)
{
	uint32_t fits = term_op2(p, IR_ULT, exponent, float_exponent(p, (int)width));
	uint32_t most = term_const_wide(p, width, width);

	return term_ite(p, fits, cut_float_to(p, exponent, width), most);
}

uint32_t float_infinity(struct term_pool *p, const struct float_format *f, uint32_t sign)
{
	uint64_t field = ((uint64_t)1 << f->exponent) - 1;

	return term_concat(p, sign, term_const(p, f->width - 1, field << f->fraction));
}

uint32_t float_zero(struct term_pool *p, const struct float_format *f, uint32_t sign)
{
	return term_concat(p, sign, term_const(p, f->width - 1, 0));
}

uint32_t float_default_nan(struct term_pool *p, const struct float_format *f)
{
	uint64_t field = ((uint64_t)2 << f->exponent) - 1;

	return term_concat(p, term_true(p),
			   term_const(p, f->width - 1, field << (f->fraction - 1)));
}

uint32_t float_quiet(struct term_pool *p, const struct float_format *f, uint32_t bits)
{
	return term_op2(p, IR_OR, bits, term_const(p, f->width, (uint64_t)1 << (f->fraction - 1)));
}

/* Adding the significand with its highest bit to the field less one makes the
 * right field for normal and for subnormal numbers, and for what is rounded up to
 * the next power of two. */
uint32_t float_rounded(struct term_pool *p, const struct float_format *f, uint32_t sign,
		       uint32_t exponent, uint32_t significand)
{
	unsigned n = term_width(p, significand), wide = EXPONENT_BITS + f->fraction;
	uint32_t small = term_op2(p, IR_SLT, exponent, float_exponent(p, 1));
	uint32_t less = term_op2(p, IR_SUB, float_exponent(p, 1), exponent);
	uint32_t by = term_ite(p, small, float_distance(p, less, n), term_const_wide(p, n, 0));
	uint32_t s = float_shift_right(p, significand, by);
	uint32_t kept = term_extract(p, s, n - 1 - f->fraction, f->fraction + 1);
	uint32_t half = term_extract(p, s, n - 2 - f->fraction, 1);
	uint32_t rest = float_is_nonzero(p, term_extract(p, s, 0, n - 2 - f->fraction));
	uint32_t up = term_and(p, half, term_or(p, rest, term_extract(p, kept, 0, 1)));
	uint32_t field =
		term_ite(p, small, float_exponent(p, 0), float_exponent_plus(p, exponent, -1));
	uint32_t sum = term_concat(p, field, term_const(p, f->fraction, 0));
	uint64_t all = ((uint64_t)1 << f->exponent) - 1;
	uint32_t over;

	sum = term_op2(p, IR_ADD, sum, term_zext(p, kept, wide));
	sum = term_op2(p, IR_ADD, sum, term_zext(p, up, wide));
	over = term_op2(p, IR_ULE, term_const_wide(p, wide, (term_bits)all << f->fraction), sum);
	return term_ite(p, over, float_infinity(p, f, sign),
			term_concat(p, sign, term_extract(p, sum, 0, f->width - 1)));
}

uint32_t float_of(struct term_pool *p, const struct float_format *f, uint32_t sign,
		  uint32_t exponent, uint32_t significand)
{
	uint32_t zeros = zeros_above(p, significand);
	uint32_t nonzero = float_is_nonzero(p, significand);
	uint32_t top = term_op2(p, IR_SHL, significand, zeros);

	exponent = term_op2(p, IR_SUB, exponent, cut_float_to(p, zeros, EXPONENT_BITS));
	return term_ite(p, nonzero, float_rounded(p, f, sign, exponent, top),
			float_zero(p, f, sign));
}

/* -1 less, 0 equal, 1 ordered at all */
static uint32_t float_comparison(struct term_pool *p, enum ir_fp how, uint32_t a, uint32_t b)
{
	struct float_parts x = float_take_apart(p, a), y = float_take_apart(p, b);
	uint32_t unordered = term_or(p, x.is_nan, y.is_nan);
	uint32_t zeros = term_and(p, x.is_zero, y.is_zero);
	uint32_t equal = term_or(p, term_eq(p, a, b), zeros);
	uint32_t less = term_ite(
		p, x.sign,
		term_ite(p, y.sign, term_op2(p, IR_ULT, y.magnitude, x.magnitude),
			 term_not(p, zeros)),
		term_and(p, term_not(p, y.sign), term_op2(p, IR_ULT, x.magnitude, y.magnitude)));

	if (how == IR_FP_UN)
		return unordered;
	if (how == IR_FP_EQ)
		less = equal;
	else if (how == IR_FP_LE)
		less = term_or(p, less, equal);
	return term_and(p, term_not(p, unordered), less);
}

bool float_is_opaque(const struct term_node *n)
{
	return n->kind == IR_FP && n->value >= IR_FP_CALL;
}

uint32_t float_expanded(struct term_pool *p, uint32_t t)
{
	const struct term_node n = *term_node(p, t);

	switch ((enum ir_fp)n.value) {
	case IR_FP_ADD:
	case IR_FP_SUB:
		return float_add(p, n.a, n.b, n.value == IR_FP_SUB);
	case IR_FP_MUL:
		return float_multiply(p, n.a, n.b);
	case IR_FP_DIV:
		return float_divide(p, n.a, n.b);
	case IR_FP_MIN:
		return term_ite(p, float_comparison(p, IR_FP_LT, n.a, n.b), n.a, n.b);
	case IR_FP_MAX:
		return term_ite(p, float_comparison(p, IR_FP_LT, n.b, n.a), n.a, n.b);
	case IR_FP_SQRT:
		return float_root(p, n.a);
	case IR_FP_CONVERT:
		return float_convert(p, n.a, n.width);
	case IR_FP_FROM_INT:
		return float_from_integer(p, n.a, n.width);
	case IR_FP_TO_INT:
		return float_to_integer(p, n.a, n.b, n.width);
	case IR_FP_ROUND:
		return float_to_integral(p, n.a, n.b);
	default:
		return float_comparison(p, (enum ir_fp)n.value, n.a, n.b);
	}
}

uint64_t float_aig(const struct term_pool *p, const struct term_node *n)
{
	uint64_t w = term_width(p, n->a);

	if (float_is_opaque(n))
		return n->width;
	switch ((enum ir_fp)n->value) {
	case IR_FP_MUL:
		return 3 * w * w + 60 * w;
	case IR_FP_DIV:
	case IR_FP_SQRT:
		return 6 * w * w;
	case IR_FP_EQ:
	case IR_FP_LT:
	case IR_FP_LE:
	case IR_FP_UN:
	case IR_FP_MIN:
	case IR_FP_MAX:
		return 10 * w;
	default:
		return 80 * w;
	}
}

uint32_t float_expanded_once(struct term_pool *p, uint32_t t, GHashTable *known)
{
	gpointer made = g_hash_table_lookup(known, GUINT_TO_POINTER(t));

	if (!made) {
		made = GUINT_TO_POINTER(float_expanded(p, t));
		g_hash_table_insert(known, GUINT_TO_POINTER(t), made);
	}
	return GPOINTER_TO_UINT(made);
}
