/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators on values of 128 and 256 bits. */
#include "solver/isa/eval.h"

/* A new operation of ir-ops.def does not compile before the switch here says what it does. */
#pragma GCC diagnostic error "-Wswitch-enum"

typedef unsigned __int128 uint128;

static uint128 low128(const struct ir_value *v)
{
	return (uint128)v->w[1] << 64 | v->w[0];
}

static void set128(struct ir_value *v, uint128 x)
{
	v->w[0] = (uint64_t)x;
	v->w[1] = (uint64_t)(x >> 64);
	v->w[2] = v->w[3] = 0;
}

static void wide_cut(struct ir_value *v, unsigned width)
{
	for (unsigned i = 0; i < 4; i++) {
		if (width <= 64 * i)
			v->w[i] = 0;
		else if (width < 64 * (i + 1))
			v->w[i] &= (UINT64_C(1) << (width - 64 * i)) - 1;
	}
}

static struct ir_value shift_up(const struct ir_value *v, unsigned n)
{
	struct ir_value r = { .known = true };

	for (unsigned i = n / 64; i < 4; i++) {
		r.w[i] = v->w[i - n / 64] << n % 64;
		if (n % 64 && i > n / 64)
			r.w[i] |= v->w[i - n / 64 - 1] >> (64 - n % 64);
	}
	return r;
}

static struct ir_value shift_down(const struct ir_value *v, unsigned n)
{
	struct ir_value r = { .known = true };

	for (unsigned i = 0; i + n / 64 < 4; i++) {
		r.w[i] = v->w[i + n / 64] >> n % 64;
		if (n % 64 && i + n / 64 + 1 < 4)
			r.w[i] |= v->w[i + n / 64 + 1] << (64 - n % 64);
	}
	return r;
}

static bool wide_bit(const struct ir_value *v, unsigned n)
{
	return v->w[n / 64] >> n % 64 & 1;
}

/* Ones from bit `from` on. */
static void fill_up(struct ir_value *v, unsigned from)
{
	for (unsigned i = 0; i < 4; i++) {
		if (from <= 64 * i)
			v->w[i] = ~UINT64_C(0);
		else if (from < 64 * (i + 1))
			v->w[i] |= ~UINT64_C(0) << (from - 64 * i);
	}
}

static uint128 wide_magnitude(uint128 x, bool negative)
{
	return negative ? -x : x;
}

static uint128 signed_divide(uint128 a, uint128 b, bool remainder)
{
	bool na = a >> 127, nb = b >> 127;
	uint128 x = wide_magnitude(a, na), y = wide_magnitude(b, nb);

	if (b == 0)
		return remainder ? a : na ? 1 : ~(uint128)0;
	if (remainder)
		return wide_magnitude(x % y, na);
	return wide_magnitude(x / y, na != nb);
}

static bool wide_arithmetic(const struct ir_op *op, uint128 a, uint128 b, struct ir_value *out)
{
	if (op->width != 128)
		return false;
	switch ((enum ir_kind)op->kind) {
	case IR_ADD:
		set128(out, a + b);
		return true;
	case IR_SUB:
		set128(out, a - b);
		return true;
	case IR_MUL:
		set128(out, a * b);
		return true;
	case IR_UDIV:
		set128(out, b ? a / b : ~(uint128)0);
		return true;
	case IR_UREM:
		set128(out, b ? a % b : a);
		return true;
	case IR_SDIV:
	case IR_SREM:
		set128(out, signed_divide(a, b, op->kind == IR_SREM));
		return true;
	case IR_NEG:
		set128(out, -a);
		return true;
	case IR_AND:
	case IR_OR:
	case IR_XOR:
	case IR_NOT:
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR:
	case IR_EQ:
	case IR_ULT:
	case IR_ULE:
	case IR_SLT:
	case IR_SLE:
	case IR_ITE:
	case IR_CONCAT:
	case IR_EXTRACT:
	case IR_ZEXT:
	case IR_SEXT: /* wide_compute() has these */
	case IR_CLZ:
	case IR_CTZ:
	case IR_POPCNT: /* no instruction counts in so many bits */
#define IR_OTHER(NAME, ...) case IR_##NAME:
#include "solver/isa/ir-ops.def"
	case IR_N_KINDS:
		break;
	}
	return false;
}

static bool wide_bitwise(const struct ir_op *op, const struct ir_value *a, const struct ir_value *b,
			 struct ir_value *out)
{
	for (unsigned i = 0; i < 4; i++) {
		switch (op->kind) {
		case IR_AND:
			out->w[i] = a->w[i] & b->w[i];
			break;
		case IR_OR:
			out->w[i] = a->w[i] | b->w[i];
			break;
		case IR_XOR:
			out->w[i] = a->w[i] ^ b->w[i];
			break;
		default:
			out->w[i] = ~a->w[i];
			break;
		}
	}
	return true;
}

static bool wide_shift(const struct ir_op *op, const struct ir_value *a, const struct ir_value *b,
		       struct ir_value *out)
{
	bool far = b->w[1] || b->w[2] || b->w[3] || b->w[0] >= op->width;
	unsigned n = far ? op->width : (unsigned)b->w[0];

	*out = op->kind == IR_SHL ? shift_up(a, n) : shift_down(a, n);
	if (op->kind == IR_ASHR && wide_bit(a, op->width - 1u))
		fill_up(out, op->width - n);
	return true;
}

static bool wide_compare(const struct ir_op *op, unsigned width, uint128 a, uint128 b,
			 struct ir_value *out)
{
	/* the sign bit turned, signed order is unsigned order */
	uint128 turn = (uint128)1 << 127;

	if (width > 128)
		return false;
	switch (op->kind) {
	case IR_ULT:
		out->w[0] = a < b;
		return true;
	case IR_ULE:
		out->w[0] = a <= b;
		return true;
	case IR_SLT:
		out->w[0] = (a ^ turn) < (b ^ turn);
		return true;
	default:
		out->w[0] = (a ^ turn) <= (b ^ turn);
		return true;
	}
}

static bool wide_equal(const struct ir_value *a, const struct ir_value *b)
{
	return a->w[0] == b->w[0] && a->w[1] == b->w[1] && a->w[2] == b->w[2] && a->w[3] == b->w[3];
}

static bool rearrange_lanes(const struct ir_op *op, unsigned wa, unsigned wb,
			    const struct ir_value *a, const struct ir_value *b,
			    struct ir_value *out)
{
	switch (op->kind) {
	case IR_CONCAT:
		*out = shift_up(a, wb);
		for (unsigned i = 0; i < 4; i++)
			out->w[i] |= b->w[i];
		return true;
	case IR_EXTRACT:
		*out = shift_down(a, (unsigned)op->value);
		return true;
	case IR_ZEXT:
		*out = *a;
		return true;
	case IR_SEXT:
		*out = *a;
		if (wide_bit(a, wa - 1))
			fill_up(out, wa);
		return true;
	default:
		return false;
	}
}

static bool wide_compute(const struct ir_op *op, unsigned wa, unsigned wb, const struct ir_value *a,
			 const struct ir_value *b, const struct ir_value *c, struct ir_value *out)
{
	switch (op->kind) {
	case IR_AND:
	case IR_OR:
	case IR_XOR:
	case IR_NOT:
		return wide_bitwise(op, a, b, out);
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR:
		return wide_shift(op, a, b, out);
	case IR_EQ:
		out->w[0] = wide_equal(a, b);
		return true;
	case IR_ULT:
	case IR_ULE:
	case IR_SLT:
	case IR_SLE:
		return wide_compare(op, wa, low128(a), low128(b), out);
	case IR_ITE:
		*out = c->w[0] ? *a : *b;
		return true;
	case IR_CONCAT:
	case IR_EXTRACT:
	case IR_ZEXT:
	case IR_SEXT:
		return rearrange_lanes(op, wa, wb, a, b, out);
	default:
		return wide_arithmetic(op, low128(a), low128(b), out);
	}
}

bool eval_wide(const struct ir_op *op, unsigned wa, unsigned wb, const struct ir_value *a,
	       const struct ir_value *b, const struct ir_value *c, struct ir_value *out)
{
	if (!wide_compute(op, wa, wb, a, b, c, out))
		return false;
	wide_cut(out, op->width);
	return true;
}
