/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/isa/ir.h"

#include <stddef.h>

static const struct ir_info kinds[] = {
#define IR_OTHER(NAME, CLASS, OPERANDS, RESULT, PROPERTIES) \
	[IR_##NAME] = { #NAME, IR_CLASS_##CLASS, OPERANDS, IR_RESULT_##RESULT, 0, PROPERTIES },
#define IR_OPERATOR(NAME, name, OPERANDS, RESULT, PROPERTIES, NEUTRAL, ...)                       \
	[IR_##NAME] = {                                                                           \
		#NAME,	   IR_CLASS_OPERATOR, OPERANDS, IR_RESULT_##RESULT, IR_NEUTRAL_##NEUTRAL, \
		PROPERTIES                                                                        \
	},
#include "solver/isa/ir-ops.def"
};
_Static_assert(sizeof(kinds) / sizeof(kinds[0]) == IR_N_KINDS, "each kind has its row");

static const struct ir_info floats[] = {
#define IR_FLOAT(NAME, OPERANDS, RESULT, PROPERTIES)                                     \
	[IR_FP_##NAME] = {                                                               \
		"FP_" #NAME, IR_CLASS_FLOAT, OPERANDS, IR_RESULT_##RESULT, 0, PROPERTIES \
	},
#include "solver/isa/ir-ops.def"
};
_Static_assert(sizeof(floats) / sizeof(floats[0]) == IR_FP_CALL, "each float op has its row");

const struct ir_info *ir_info(unsigned kind)
{
	return &kinds[kind];
}

const struct ir_info *ir_fp_info(unsigned fp)
{
	return &floats[fp];
}

bool ir_fp_rounds(uint64_t fp)
{
	/* a function of libm rounds, too */
	return fp >= IR_FP_CALL || floats[fp].properties & IR_HAS_ROUNDING;
}

static bool widths_fit(const struct ir_op *op, enum ir_result result, unsigned operands,
		       const unsigned *w)
{
	switch (result) {
	case IR_RESULT_NONE:
		return op->width == 0;
	case IR_RESULT_FREE:
		return true;
	case IR_RESULT_SAME:
	case IR_RESULT_TRUTH:
		for (unsigned i = 1; i < operands; i++)
			if (w[i] != w[0])
				return false;
		return op->width == (result == IR_RESULT_TRUTH ? 1 : w[0]);
	case IR_RESULT_CHOICE:
		return w[0] == op->width && w[1] == op->width && w[2] == 1;
	case IR_RESULT_SUM:
		return op->width == w[0] + w[1];
	case IR_RESULT_PART:
		return op->value + op->width <= w[0];
	case IR_RESULT_WIDER:
		return op->width >= w[0];
	default: /* IR_RESULT_FLOAT: its row was looked up */
		return false;
	}
}

static const char *check_op(const struct ir_block *b, uint32_t number)
{
	const struct ir_op *op = &b->ops[number];
	const int32_t operand[4] = { op->a, op->b, op->c, op->d };
	const struct ir_info *row;
	unsigned w[4] = { 0 };

	if (op->kind >= IR_N_KINDS)
		return "it is of no kind";
	row = op->kind != IR_FP	       ? &kinds[op->kind]
	      : op->value < IR_FP_CALL ? &floats[op->value]
				       : NULL;
	if (!row)
		return "it calls a function";
	for (unsigned i = 0; i < 4; i++) {
		if ((operand[i] >= 0) != (i < row->operands))
			return "it has too few or too many operands";
		if (operand[i] >= (int32_t)number)
			return "an operand comes after it";
		w[i] = operand[i] < 0 ? 0 : b->ops[operand[i]].width;
	}
	if (row->result != IR_RESULT_NONE && !op->width && op->kind != IR_UNKNOWN)
		return "it has no width";
	return widths_fit(op, row->result, row->operands, w) ? NULL : "its widths do not fit";
}

const char *ir_check(const struct ir_block *b, uint32_t *number)
{
	for (uint32_t i = 0; i < b->n_ops; i++) {
		const char *wrong = check_op(b, i);

		if (wrong) {
			*number = i;
			return wrong;
		}
	}
	return NULL;
}
