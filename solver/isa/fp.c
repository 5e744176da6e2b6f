/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floating point on the host, which is the machine that recorded. */
#include "solver/isa/eval.h"
#include "solver/library/libm.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static double double_of_bits(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof(d));
	return d;
}

static float as_float(uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	float f;

	memcpy(&f, &low, sizeof(f));
	return f;
}

static uint64_t double_bits(double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	return bits;
}

static uint64_t float_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

static bool double_op(enum ir_fp fp, double a, double b, uint64_t *out)
{
	double r;

	switch (fp) {
	case IR_FP_ADD:
		r = a + b;
		break;
	case IR_FP_SUB:
		r = a - b;
		break;
	case IR_FP_MUL:
		r = a * b;
		break;
	case IR_FP_DIV:
		r = a / b;
		break;
	case IR_FP_MIN:
		r = a < b ? a : b;
		break;
	case IR_FP_MAX:
		r = a > b ? a : b;
		break;
	case IR_FP_SQRT:
		r = sqrt(a);
		break;
	default:
		return false;
	}
	*out = double_bits(r);
	return true;
}

/* A double has more than twice as many digits as a float, so that rounding to it first changes no
 * sum, difference, product, quotient or root (Figueroa 1995).  The lesser and the greater of two
 * are given as they are, which matters for a signalling NaN. */
static bool float_op(enum ir_fp fp, float a, float b, uint64_t *out)
{
	uint64_t wide;
	double r;

	if (fp == IR_FP_MIN || fp == IR_FP_MAX) {
		*out = float_bits((fp == IR_FP_MIN ? a < b : a > b) ? a : b);
		return true;
	}
	if (!double_op(fp, (double)a, (double)b, &wide))
		return false;
	memcpy(&r, &wide, sizeof(r));
	*out = float_bits((float)r);
	return true;
}

/* A float's order and roundings are those of the double it converts to. */
static bool compare_doubles(enum ir_fp fp, double a, double b, uint64_t *out)
{
	switch (fp) {
	case IR_FP_EQ:
		*out = a == b;
		return true;
	case IR_FP_LT:
		*out = a < b;
		return true;
	case IR_FP_LE:
		*out = a <= b;
		return true;
	case IR_FP_UN:
		*out = isunordered(a, b);
		return true;
	default:
		return false;
	}
}

static double round_double(double a, uint64_t how)
{
	switch (how) {
	case 1:
		return floor(a);
	case 2:
		return ceil(a);
	case 3:
		return trunc(a);
	default:
		return nearbyint(a);
	}
}

static uint64_t to_integer(double a, unsigned width)
{
	double limit = ldexp(1.0, (int)width - 1);

	if (!(a >= -limit && a < limit))
		return UINT64_C(1) << (width - 1);
	return (uint64_t)(int64_t)a & (width == 64 ? ~UINT64_C(0) : UINT64_C(0xffffffff));
}

static uint64_t from_integer(uint64_t a, unsigned wa, unsigned width)
{
	int64_t i = wa == 64 ? (int64_t)a : (int32_t)a;

	return width == 64 ? double_bits((double)i) : float_bits((float)i);
}

static uint64_t quiet_bit(bool is_double)
{
	return is_double ? UINT64_C(1) << 51 : UINT64_C(1) << 22;
}

/* An SSE operation of two operands gives the first NaN of them, made quiet. */
static bool propagate_nan(enum ir_fp fp, bool is_double, uint64_t a, double x, uint64_t b, double y,
			  uint64_t *out)
{
	if (fp > IR_FP_DIV || !isunordered(x, y))
		return false;
	*out = (isnan(x) ? a : b) | quiet_bit(is_double);
	return true;
}

static bool call_libm(unsigned number, bool is_double, uint64_t a, uint64_t b, uint64_t *out)
{
	double both;
	float single;

	if (is_double ? !libm_double(number, double_of_bits(a), double_of_bits(b), &both)
		      : !libm_float(number, as_float(a), as_float(b), &single))
		return false;
	*out = is_double ? double_bits(both) : float_bits(single);
	return true;
}

/* noipa, because the compiler must not move the operation over a change of the rounding mode. */
__attribute__((noipa)) bool eval_fp(const struct ir_op *op, unsigned wa, uint64_t a, uint64_t b,
				    uint64_t *out)
{
	enum ir_fp fp = (enum ir_fp)op->value;
	bool is_double = wa == 64;
	double x = is_double ? double_of_bits(a) : (double)as_float(a);
	double y = is_double ? double_of_bits(b) : (double)as_float(b);

	if ((wa != 32 && wa != 64) || op->width > 64)
		return false;
	if (op->value >= IR_FP_CALL)
		return call_libm((unsigned)op->value - IR_FP_CALL, is_double, a, b, out);
	switch (fp) {
	case IR_FP_CONVERT:
		*out = op->width == 64 ? double_bits(x) : float_bits((float)x);
		return true;
	case IR_FP_FROM_INT:
		*out = from_integer(a, wa, op->width);
		return true;
	case IR_FP_TO_INT:
		*out = to_integer(round_double(x, b), op->width);
		return true;
	case IR_FP_ROUND:
		*out = is_double ? double_bits(round_double(x, b))
				 : float_bits((float)round_double(x, b));
		if (isnan(x))
			*out = a | quiet_bit(is_double);
		return true;
	default:
		if (compare_doubles(fp, x, y, out) || propagate_nan(fp, is_double, a, x, b, y, out))
			return true;
		if (is_double)
			return double_op(fp, x, y, out);
		return float_op(fp, as_float(a), as_float(b), out);
	}
}

bool eval_fp_rounding(const struct ir_op *op, unsigned wa, uint64_t a, uint64_t b, unsigned mode,
		      uint64_t *out)
{
	static const int modes[] = { FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO };
	int before = fegetround();
	bool defined;

	if (!mode || !ir_fp_rounds(op->value))
		return eval_fp(op, wa, a, b, out);
	fesetround(modes[mode & 3]);
	defined = eval_fp(op, wa, a, b, out);
	fesetround(before);
	return defined;
}
