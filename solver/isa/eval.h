/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Carries an ir_block out on concrete values.  A value whose operands are not all known
 * is not known itself; when it is written, the place is not known any more.
 */
#ifndef SOLVER_ISA_EVAL_H
#define SOLVER_ISA_EVAL_H

#include "solver/isa/ir.h"

#include <stdbool.h>
#include <stdint.h>

/* A value of up to 256 bits, little-endian words. */
struct ir_value {
	uint64_t w[4];
	bool known; /* false: the IR does not tell it, and nothing was recorded */
};

/* Guest state (layout of ir.h); known[i] is 0xff when byte i is known, else 0. */
struct eval_state {
	_Alignas(32) uint8_t bytes[IR_STATE_SIZE];
	_Alignas(32) uint8_t known[IR_STATE_SIZE];
};

struct eval_memory {
	/* Reads size (1 to 32) bytes; false when any of them is not known. */
	bool (*load)(struct eval_memory *m, uint64_t address, unsigned size, uint8_t *out);
	/* bytes are the new contents, or not known. */
	void (*store)(struct eval_memory *m, uint64_t address, unsigned size, const uint8_t *bytes,
		      bool known);
};

struct eval_result {
	uint32_t n_ran;	 /* ops [0, n_ran) ran */
	bool next_known; /* the IR tells where control goes: */
	uint64_t next;
};

/* temps: room for b->n_ops. */
struct eval_result ir_eval(const struct ir_block *b, struct eval_state *s, struct eval_memory *m,
			   struct ir_value *temps);

/* Parts of the above: operators with a value or operand of more than 64 bits
 * (wa, wb: the operands' widths), and IR_FP, rounded to nearest.  False when not defined. */
bool eval_wide(const struct ir_op *op, unsigned wa, unsigned wb, const struct ir_value *a,
	       const struct ir_value *b, const struct ir_value *c, struct ir_value *out);
bool eval_fp(const struct ir_op *op, unsigned wa, uint64_t a, uint64_t b, uint64_t *out);
/* The same where the guest rounds in this mode (IR_STATE_SSEROUND): 0 to nearest, 1 down,
 * 2 up, 3 toward zero. */
bool eval_fp_rounding(const struct ir_op *op, unsigned wa, uint64_t a, uint64_t b, unsigned mode,
		      uint64_t *out);

#endif
