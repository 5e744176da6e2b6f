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
	uint64_t r;

	switch (op->kind) {
	case IR_CONST:
		r = op->value;
		break;
	case IR_ADD:
		r = a + b;
		break;
	case IR_SUB:
		r = a - b;
		break;
	case IR_MUL:
		r = a * b;
		break;
	case IR_UDIV:
		r = b ? a / b : ~UINT64_C(0);
		break;
	case IR_UREM:
		r = b ? a % b : a;
		break;
	case IR_SDIV:
		r = scalar_sdiv(a, b, w);
		break;
	case IR_SREM:
		r = scalar_srem(a, b, w);
		break;
	case IR_AND:
		r = a & b;
		break;
	case IR_OR:
		r = a | b;
		break;
	case IR_XOR:
		r = a ^ b;
		break;
	case IR_NOT:
		r = ~a;
		break;
	case IR_NEG:
		r = -a;
		break;
	case IR_SHL:
		r = b < w ? a << b : 0;
		break;
	case IR_LSHR:
		r = b < w ? a >> b : 0;
		break;
	case IR_ASHR:
		r = scalar_ashr(a, b, w);
		break;
	case IR_EQ:
		r = a == b;
		break;
	case IR_ULT:
		r = a < b;
		break;
	case IR_ULE:
		r = a <= b;
		break;
	case IR_SLT:
		r = scalar_signed(a, wa) < scalar_signed(b, wa);
		break;
	case IR_SLE:
		r = scalar_signed(a, wa) <= scalar_signed(b, wa);
		break;
	case IR_ITE:
		r = c ? a : b;
		break;
	case IR_CONCAT:
		r = a << wb | b;
		break;
	case IR_EXTRACT:
		r = a >> op->value;
		break;
	case IR_ZEXT:
		r = a;
		break;
	case IR_SEXT:
		r = (uint64_t)scalar_signed(a, wa);
		break;
	case IR_CLZ:
		r = a ? (unsigned)__builtin_clzll(a) - (64 - wa) : wa;
		break;
	case IR_CTZ:
		r = a ? (unsigned)__builtin_ctzll(a) : wa;
		break;
	case IR_POPCNT:
		r = (unsigned)__builtin_popcountll(a);
		break;
	default:
		return false;
	}
	*out = r & scalar_mask(w);
	return true;
}

#endif
