/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The meaning of one machine instruction, as bit-vector operations: what
 * lift.c makes of libVEX's IR, in a form that is small, owned by us and the
 * same for the concrete re-computation (solver/trace) and the formula
 * (solver/formula).
 *
 * An ir_block is a list of ir_ops in order.  Op number i defines temporary i
 * (width .width bits, 0 = defines nothing).  Operands a, b, c are numbers of
 * earlier ops.  Guest state is addressed by byte offset into the state
 * described below.  Widths are 1 to 64, 128 or 256; all operands of an
 * arithmetic operator have the width of the result, comparisons give width 1,
 * shift amounts have the width of the shifted value and shifts by the width or
 * more give 0 (or all sign bits), division by zero gives SMT-LIB's result
 * (udiv: all ones, urem: the dividend).
 *
 * Example, `add $1,%eax`:
 *   0 GET   w64 [rax]         5 PUT [cc_op]   4 (CONST w64)
 *   1 EXTR  w32 op0 [31:0]    6 PUT [cc_dep1] op7 (ZEXT of op1) …
 *   2 CONST w32 1             …
 *   3 ADD   w32 op1 op2       9 PUT [rax] (ZEXT w64 op3)
 */
#ifndef SOLVER_ISA_IR_H
#define SOLVER_ISA_IR_H

#include <stdbool.h>
#include <stdint.h>

/* What they compute, of which widths: the rows of ir-ops.def. */
enum ir_kind {
#define IR_OTHER(NAME, ...) IR_##NAME,
#define IR_OPERATOR(NAME, ...) IR_##NAME,
#include "solver/isa/ir-ops.def"
	IR_N_KINDS,
};

/*
 * What they do:
 *
 * CONST              .value (low 64 bits; wider constants repeat by CONCAT)
 * GET, PUT           guest state at .offset; PUT stores a, a whole number of bytes
 * LOAD, STORE        memory at the address a (width 64, little-endian); STORE: the value b
 * STOREG, LOADG      only if c (width 1); LOADG: else the value b
 * ADD … SLE          operators of SMT-LIB's QF_BV
 * ITE                c ? a : b
 * CONCAT             a high, b low
 * EXTRACT            bits [.value + .width - 1 : .value] of a
 * CLZ, CTZ, POPCNT   of a, in a's width; CLZ and CTZ of 0: the width
 * COND               x86 condition .value (0 to 15) of a = cc_op, b = dep1, c = dep2,
 *                    d = ndep, which VEX keeps lazily: see flags.h
 * FLAGS_C, FLAGS     width 64, same operands: the carry flag as bit 0; O S Z A C P in
 *                    rflags positions
 * FP                 floating point: a, b bit patterns; .value = enum ir_fp.  What has
 *                    IR_HAS_ROUNDING rounds as the guest's state says (IR_STATE_SSEROUND)
 * EXIT               if a (width 1): leaves for the runtime address .value; the ops after it
 *                    are for the other case
 * NEXT               last op: control goes to the runtime address a
 * UNKNOWN            what libVEX does by a helper with side effects, or we do not model: the
 *                    temporary's (or state's) new value is not known from the IR
 */

/* What an IR_FP computes.  Operands are bit patterns of 32 or 64 bits; the
 * width of a says which.  NaN operands follow the SSE instructions.
 *
 * MIN, MAX    a < b ? a : b; a > b ? a : b
 * EQ … UN     width 1, ordered; UN: a or b is NaN
 * CONVERT     to the format of .width
 * FROM_INT    signed integer a of its width, to the format of .width
 * TO_INT      to a signed integer of .width; b (width 32) = how: 0 nearest, 1 down, 2 up,
 *             3 toward zero; out of range: 0x80…0
 * ROUND       to an integral value in the same format; b as above
 */
enum ir_fp {
#define IR_FLOAT(NAME, ...) IR_FP_##NAME,
#include "solver/isa/ir-ops.def"
	IR_FP_CALL, /* and what follows: no instruction's, but what a function of libm
		     * returns for a (and b); see solver/library/libm.h */
};

enum ir_class {
	IR_CLASS_CONSTANT,
	IR_CLASS_STATE,
	IR_CLASS_MEMORY,
	IR_CLASS_OPERATOR,
	IR_CLASS_FLAGS,
	IR_CLASS_FLOAT,
	IR_CLASS_CONTROL,
	IR_CLASS_UNKNOWN,
};

/* How the widths of an op and of its operands belong together. */
enum ir_result {
	IR_RESULT_NONE,	  /* it defines nothing */
	IR_RESULT_FREE,	  /* .width says it */
	IR_RESULT_SAME,	  /* all of them have the result's */
	IR_RESULT_TRUTH,  /* 1, of operands of equal widths */
	IR_RESULT_CHOICE, /* a and b have it, c has 1 */
	IR_RESULT_SUM,	  /* that of a and that of b */
	IR_RESULT_PART,	  /* .value + .width is at most a's */
	IR_RESULT_WIDER,  /* at least a's */
	IR_RESULT_FLOAT,  /* as the row of enum ir_fp has it */
};

enum ir_neutral { IR_NEUTRAL_NONE, IR_NEUTRAL_ZERO, IR_NEUTRAL_ONES };

enum ir_property {
	IR_HAS_VALUE = 1,
	IR_HAS_OFFSET = 2,
	IR_HAS_EFFECT = 4, /* it counts though nothing may use its result */
	IR_HAS_LOAD = 8,
	IR_HAS_STORE = 16,
	IR_HAS_COMMUTING = 32, /* a OP b = b OP a */
	IR_HAS_DIVISION = 64,
	IR_HAS_COMPARISON = 128,
	IR_HAS_ROUNDING = 256, /* to what the format can hold */
};

struct ir_info {
	const char *name; /* for dumps */
	uint8_t group, operands, result, neutral;
	uint16_t properties;
};

/* kind < IR_N_KINDS; fp < IR_FP_CALL. */
const struct ir_info *ir_info(unsigned kind);
const struct ir_info *ir_fp_info(unsigned fp);

static inline bool ir_has(unsigned kind, enum ir_property property)
{
	return kind < IR_N_KINDS && ir_info(kind)->properties & property;
}

/* An operator on bit-vectors, or floating point: what a term can be of (solver/smt/term/term.h). */
static inline bool ir_is_operator(unsigned kind)
{
	return kind < IR_N_KINDS && (ir_info(kind)->group == IR_CLASS_OPERATOR || kind == IR_FP);
}

/* Does the IR_FP's result depend on the rounding mode of the guest's state? */
bool ir_fp_rounds(uint64_t fp);

struct ir_op {
	uint8_t kind;
	uint16_t width;
	uint16_t offset;
	int32_t a, b, c, d; /* -1 = none */
	uint64_t value;
};

struct ir_block {
	uint32_t n_ops;
	bool complete; /* no IR_UNKNOWN and no helper with side effects */
	struct ir_op *ops;
};

/* Are operands and widths of all ops as their rows say?  NULL: they are; else what is wrong with
 * the first op of which they are not, and its number. */
const char *ir_check(const struct ir_block *b, uint32_t *number);

/* Layout of the guest state (bytes).  General registers in hardware order
 * (enum trace_reg), then the lazily evaluated flags, then the low 256 bits of
 * the vector registers, then segment bases. */
enum {
	IR_STATE_GPR = 0, /* + 8 * enum trace_reg */
	IR_STATE_CC_OP = 128,
	IR_STATE_CC_DEP1 = 136,
	IR_STATE_CC_DEP2 = 144,
	IR_STATE_CC_NDEP = 152,
	IR_STATE_DFLAG = 160, /* 1 or -1 */
	IR_STATE_IDFLAG = 168,
	IR_STATE_ACFLAG = 176,
	IR_STATE_FS = 184,
	IR_STATE_GS = 192,
	IR_STATE_SSEROUND = 200,
	IR_STATE_RIP = 208,
	IR_STATE_YMM = 224,	    /* + 32 * n, 16 registers */
	IR_STATE_OTHER = 224 + 512, /* x87 and what else: writes are dropped, reads UNKNOWN */
	IR_STATE_SIZE = 224 + 512,
};

/* cc_op value that means: cc_dep1 holds the flags themselves (rflags bits). */
enum { IR_CC_OP_COPY = 0 };

#endif
