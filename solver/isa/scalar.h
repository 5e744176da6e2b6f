/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operators of ir.h on values of up to 64 bits: what the lifter folds
 * constants with and what the re-computation spends its time in, so inline.
 * Values are kept zero-extended to 64 bits.
 */
#ifndef SOLVER_ISA_SCALAR_H
#define SOLVER_ISA_SCALAR_H

#include "solver/isa/ir.h"

static inline uint64_t scalar_mask(unsigned width)
{
	return width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
}

static inline int64_t scalar_signed(uint64_t v, unsigned width)
{
	return (int64_t)(v << (64 - width)) >> (64 - width);
}

/* Division as SMT-LIB has it; the overflow of INT_MIN / -1 wraps. */
static inline uint64_t scalar_sdiv(uint64_t a, uint64_t b, unsigned width)
{
	int64_t x = scalar_signed(a, width), y = scalar_signed(b, width);

	if (y == 0)
		return x < 0 ? 1 : ~UINT64_C(0);
	return y == -1 ? -(uint64_t)x : (uint64_t)(x / y);
}

static inline uint64_t scalar_srem(uint64_t a, uint64_t b, unsigned width)
{
	int64_t x = scalar_signed(a, width), y = scalar_signed(b, width);

	if (y == 0)
		return (uint64_t)x;
	return y == -1 ? 0 : (uint64_t)(x % y);
}

static inline uint64_t scalar_ashr(uint64_t a, uint64_t b, unsigned width)
{
	return (uint64_t)(scalar_signed(a, width) >> (b < width ? b : width - 1));
}

/* Result of a pure operator of .width bits.  wa, wb: widths of a and b.
 * False when the kind is none that is defined here. */
static inline bool scalar_compute(const struct ir_op *op, unsigned wa, unsigned wb, uint64_t a,
				  uint64_t b, uint64_t c, uint64_t *out)
{
	unsigned w = op->width;
	uint64_t r, low = op->value;

	switch (op->kind) {
	case IR_CONST:
		r = op->value;
		break;
#define sdiv(a, b, w) scalar_sdiv(a, b, w)
#define srem(a, b, w) scalar_srem(a, b, w)
#define shl(a, b, w) ((b) < (w) ? (a) << (b) : 0)
#define lshr(a, b, w) ((b) < (w) ? (a) >> (b) : 0)
#define ashr(a, b, w) scalar_ashr(a, b, w)
#define sx(a, w) scalar_signed(a, w)
#define leading_zeros(a, w) ((a) ? (unsigned)__builtin_clzll(a) - (64 - (w)) : (w))
#define trailing_zeros(a, w) ((a) ? (unsigned)__builtin_ctzll(a) : (w))
#define ones(a) (unsigned)__builtin_popcountll(a)
#define IR_OPERATOR(NAME, name, operands, result, properties, neutral, ...) \
	case IR_##NAME:                                                     \
		r = (uint64_t)(__VA_ARGS__);                                \
		break;
#include "solver/isa/ir-ops.def"
#undef sdiv
#undef srem
#undef shl
#undef lshr
#undef ashr
#undef sx
#undef leading_zeros
#undef trailing_zeros
#undef ones
	default:
		return false;
	}
	*out = r & scalar_mask(w);
	return true;
}

#endif
