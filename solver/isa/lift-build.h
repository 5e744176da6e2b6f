/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to lift*.c: makes one ir_block, op by op.  Equal pure operators
 * become one op, constants are folded and trivial extracts and extensions
 * disappear on the way; what nothing uses goes when the block is finished.
 */
#ifndef SOLVER_ISA_LIFT_BUILD_H
#define SOLVER_ISA_LIFT_BUILD_H

#include "solver/isa/ir.h"

#include <glib.h>

struct lift_build {
	GArray *ops; /* struct ir_op */
	bool complete;
};

void lift_build_init(struct lift_build *b);
void lift_build_deinit(struct lift_build *b);
/* Empties b for the next instruction. */
void lift_build_reset(struct lift_build *b);
/* The block so far, without dead ops; heap, see lift_block_free. */
struct ir_block *lift_build_finish(struct lift_build *b);
void lift_block_free(struct ir_block *block);

unsigned lift_width(const struct lift_build *b, int32_t op);
bool lift_is_const(const struct lift_build *b, int32_t op, uint64_t *value);

/* Each gives the number of an op; width = that of the result.  Operands come from libVEX:
 * where their widths are not what the operator takes, the result is IR_UNKNOWN. */
int32_t lift_emit(struct lift_build *b, struct ir_op op);
int32_t lift_const(struct lift_build *b, unsigned width, uint64_t value);
int32_t lift_unknown(struct lift_build *b, unsigned width); /* block becomes incomplete */
int32_t lift_unary(struct lift_build *b, enum ir_kind kind, int32_t x); /* NOT NEG CLZ CTZ … */
int32_t lift_binary(struct lift_build *b, enum ir_kind kind, int32_t x, int32_t y);
int32_t lift_compare(struct lift_build *b, enum ir_kind kind, int32_t x, int32_t y);
int32_t lift_not(struct lift_build *b, int32_t x);
/* Is this rounding mode, an operand of libVEX's, the one that IR_HAS_ROUNDING ops have?  It
 * is when it is read from the state, and where libVEX leaves it out (it then says nearest). */
bool lift_rounds_as_state(const struct lift_build *b, int32_t mode);
int32_t lift_ite(struct lift_build *b, int32_t cond, int32_t x, int32_t y);
int32_t lift_extract(struct lift_build *b, int32_t x, unsigned lo, unsigned width);
int32_t lift_concat(struct lift_build *b, int32_t high, int32_t low);
int32_t lift_zext(struct lift_build *b, int32_t x, unsigned width); /* also cuts */
int32_t lift_sext(struct lift_build *b, int32_t x, unsigned width); /* also cuts */
int32_t lift_fp(struct lift_build *b, enum ir_fp fp, unsigned width, int32_t x, int32_t y,
		int32_t z);

/* Lanes: v is taken apart into pieces of `lane` bits, lowest first; out has
 * room for 32.  Returns how many.  And put together again. */
unsigned lift_split(struct lift_build *b, int32_t v, unsigned lane, int32_t *out);
int32_t lift_join(struct lift_build *b, const int32_t *lanes, unsigned n);

#endif
