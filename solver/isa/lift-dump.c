/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/isa/lift.h"

#include <inttypes.h>

static const char *const names[] = {
	[IR_CONST] = "CONST",	  [IR_GET] = "GET",	  [IR_PUT] = "PUT",
	[IR_LOAD] = "LOAD",	  [IR_STORE] = "STORE",	  [IR_STOREG] = "STOREG",
	[IR_LOADG] = "LOADG",	  [IR_ADD] = "ADD",	  [IR_SUB] = "SUB",
	[IR_MUL] = "MUL",	  [IR_UDIV] = "UDIV",	  [IR_SDIV] = "SDIV",
	[IR_UREM] = "UREM",	  [IR_SREM] = "SREM",	  [IR_AND] = "AND",
	[IR_OR] = "OR",		  [IR_XOR] = "XOR",	  [IR_NOT] = "NOT",
	[IR_NEG] = "NEG",	  [IR_SHL] = "SHL",	  [IR_LSHR] = "LSHR",
	[IR_ASHR] = "ASHR",	  [IR_EQ] = "EQ",	  [IR_ULT] = "ULT",
	[IR_ULE] = "ULE",	  [IR_SLT] = "SLT",	  [IR_SLE] = "SLE",
	[IR_ITE] = "ITE",	  [IR_CONCAT] = "CONCAT", [IR_EXTRACT] = "EXTRACT",
	[IR_ZEXT] = "ZEXT",	  [IR_SEXT] = "SEXT",	  [IR_CLZ] = "CLZ",
	[IR_CTZ] = "CTZ",	  [IR_POPCNT] = "POPCNT", [IR_COND] = "COND",
	[IR_FLAGS_C] = "FLAGS_C", [IR_FLAGS] = "FLAGS",	  [IR_FP] = "FP",
	[IR_EXIT] = "EXIT",	  [IR_NEXT] = "NEXT",	  [IR_UNKNOWN] = "UNKNOWN",
};

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
		fputs(op->kind < G_N_ELEMENTS(names) ? names[op->kind] : "?", f);
		if (op->kind == IR_GET || op->kind == IR_PUT)
			fprintf(f, " [%u]", op->offset);
		if (op->kind == IR_CONST || op->kind == IR_EXTRACT || op->kind == IR_COND ||
		    op->kind == IR_FP || op->kind == IR_EXIT)
			fprintf(f, " %#" PRIx64, op->value);
		dump_operands(f, op);
		fputc('\n', f);
	}
	if (!b->complete)
		fputs("      incomplete\n", f);
}
