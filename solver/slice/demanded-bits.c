/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/slice/demanded-bits.h"

#include <glib.h>

uint64_t bits_of_width(unsigned width)
{
	return width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
}

uint64_t bits_as_number(uint64_t value, uint64_t bits)
{
	return bits ? (value & bits) >> __builtin_ctzll(bits) : value;
}

/* All bits up to the highest one. */
static uint64_t bits_up_to(uint64_t bits)
{
	return bits ? bits_of_width(64 - (unsigned)__builtin_clzll(bits)) : 0;
}

struct demand {
	const struct ir_block *ir;
	uint64_t *bits;
};

static void demand_bits_of(const struct demand *d, int32_t operand, uint64_t bits)
{
	if (operand < 0)
		return;
	if (d->ir->ops[operand].width > 64)
		d->bits[operand] = bits || d->bits[operand] ? ~UINT64_C(0) : 0;
	else
		d->bits[operand] |= bits & bits_of_width(d->ir->ops[operand].width);
}

static bool is_constant_operand(const struct demand *d, int32_t operand, uint64_t *value)
{
	const struct ir_op *op = operand >= 0 ? &d->ir->ops[operand] : NULL;

	if (!op || op->kind != IR_CONST || op->width > 64)
		return false;
	*value = op->value & bits_of_width(op->width);
	return true;
}

static void demand_all_operands(const struct demand *d, const struct ir_op *op)
{
	const int32_t operands[] = { op->a, op->b, op->c, op->d };

	for (unsigned i = 0; i < G_N_ELEMENTS(operands); i++)
		demand_bits_of(d, operands[i], ~UINT64_C(0));
}

/* Of `x & constant' and `x | constant' only those bits of x that come through. */
static void demand_through_mask(const struct demand *d, const struct ir_op *op, uint64_t bits)
{
	const int32_t operands[] = { op->a, op->b };
	uint64_t value;

	for (unsigned i = 0; i < 2; i++) {
		uint64_t through = bits;

		if (is_constant_operand(d, operands[!i], &value))
			through &= op->kind == IR_AND ? value : ~value;
		demand_bits_of(d, operands[i], through);
	}
}

/* A sum with a constant that ends in zeros leaves as many of the lowest bits as they are. */
static void demand_through_sum(const struct demand *d, const struct ir_op *op, uint64_t bits)
{
	uint64_t value, untouched = 0;

	if (is_constant_operand(d, op->b, &value) ||
	    (op->kind == IR_ADD && is_constant_operand(d, op->a, &value)))
		untouched = value ? bits_of_width((unsigned)__builtin_ctzll(value)) : ~UINT64_C(0);
	bits = (bits & untouched) | (bits_up_to(bits) & ~untouched);
	demand_bits_of(d, op->a, bits);
	demand_bits_of(d, op->b, bits);
}

static void demand_through_shift(const struct demand *d, const struct ir_op *op, uint64_t bits)
{
	const uint64_t sign = UINT64_C(1) << (op->width - 1);
	uint64_t by;

	if (!is_constant_operand(d, op->b, &by) || by >= op->width) {
		demand_all_operands(d, op);
		return;
	}
	if (op->kind == IR_SHL)
		demand_bits_of(d, op->a, bits >> by);
	else
		demand_bits_of(d, op->a, bits << by);
	if (op->kind == IR_ASHR && by && bits & ~bits_of_width(op->width - (unsigned)by))
		demand_bits_of(d, op->a, sign);
}

/* Operations that take a value's bits elsewhere as they are. */
static void demand_through_move(const struct demand *d, const struct ir_op *op, uint64_t bits)
{
	const unsigned width = op->a >= 0 ? d->ir->ops[op->a].width : 0,
		       low = op->b >= 0 ? d->ir->ops[op->b].width : 0;

	switch (op->kind) {
	case IR_ZEXT:
		demand_bits_of(d, op->a, bits);
		break;
	case IR_SEXT:
		demand_bits_of(d, op->a, bits);
		if (bits & ~bits_of_width(width))
			demand_bits_of(d, op->a, UINT64_C(1) << (width - 1));
		break;
	case IR_EXTRACT:
		demand_bits_of(d, op->a,
			       op->value < 64 && width <= 64 ? bits << op->value : ~UINT64_C(0));
		break;
	default: /* CONCAT */
		demand_bits_of(d, op->b, bits);
		demand_bits_of(d, op->a, low < 64 ? bits >> low : 0);
	}
}

static void demand_of_operands(const struct demand *d, const struct ir_op *op, uint64_t bits)
{
	const bool is_wide = op->width > 64;

	switch (is_wide ? (unsigned)IR_UNKNOWN : op->kind) {
	case IR_AND:
	case IR_OR:
		demand_through_mask(d, op, bits);
		break;
	case IR_XOR:
	case IR_NOT:
		demand_bits_of(d, op->a, bits);
		demand_bits_of(d, op->b, bits);
		break;
	case IR_ADD:
	case IR_SUB:
		demand_through_sum(d, op, bits);
		break;
	case IR_MUL:
	case IR_NEG:
		demand_bits_of(d, op->a, bits_up_to(bits));
		demand_bits_of(d, op->b, bits_up_to(bits));
		break;
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR:
		demand_through_shift(d, op, bits);
		break;
	case IR_ITE:
		demand_bits_of(d, op->a, bits);
		demand_bits_of(d, op->b, bits);
		demand_bits_of(d, op->c, 1);
		break;
	case IR_ZEXT:
	case IR_SEXT:
	case IR_EXTRACT:
	case IR_CONCAT:
		demand_through_move(d, op, bits);
		break;
	default:
		demand_all_operands(d, op);
	}
}

/* Operands have smaller numbers, so one pass backwards goes through them all. */
void demanded_bits(const struct ir_block *ir, uint64_t *bits, bool addresses)
{
	const struct demand d = { ir, bits };

	for (uint32_t i = ir->n_ops; i > 0; i--) {
		const struct ir_op *op = &ir->ops[i - 1];

		if (bits[i - 1] && (addresses || (op->kind != IR_LOAD && op->kind != IR_LOADG)))
			demand_of_operands(&d, op, bits[i - 1]);
	}
}
