/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/isa/lift.h"

#include <inttypes.h>

static const char *name_of_op(const struct ir_op *op)
{
	if (op->kind >= IR_N_KINDS)
		return "?";
	if (op->kind == IR_FP && op->value < IR_FP_CALL)
		return ir_fp_info((unsigned)op->value)->name;
	return ir_info(op->kind)->name;
}

static void dump_operands(FILE *f, const struct ir_op *op)
{
	const int32_t operand[4] = { op->a, op->b, op->c, op->d };

	for (int i = 0; i < 4; i++) {
		if (operand[i] >= 0)
			fprintf(f, " %" PRId32, operand[i]);
	}
}

void ir_dump(FILE *f, const struct ir_block *b)
{
	for (uint32_t i = 0; i < b->n_ops; i++) {
		const struct ir_op *op = &b->ops[i];
		fprintf(f, "%4" PRIu32 "  ", i);
		if (op->width)
			fprintf(f, "w%-3u ", op->width);
		else
			fputs("     ", f);
		fputs(name_of_op(op), f);
		if (ir_has(op->kind, IR_HAS_OFFSET))
			fprintf(f, " [%u]", op->offset);
		if (ir_has(op->kind, IR_HAS_VALUE))
			fprintf(f, " %#" PRIx64, op->value);
		dump_operands(f, op);
		fputc('\n', f);
	}
	if (!b->complete)
		fputs("      incomplete\n", f);
}
