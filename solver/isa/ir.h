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

enum ir_kind {
	IR_CONST, /* value (low 64 bits; wider constants repeat by CONCAT) */
	/* guest state */
	IR_GET, /* offset */
	IR_PUT, /* a → state[offset]; width of a whole bytes */
	/* memory; addresses are width 64, little-endian */
	IR_LOAD,   /* address a */
	IR_STORE,  /* address a, value b */
	IR_STOREG, /* address a, value b, only if c (width 1) */
	IR_LOADG,  /* address a if c (width 1), else the value b */
	/* operators (SMT-LIB QF_BV) */
	IR_ADD,
	IR_SUB,
	IR_MUL,
	IR_UDIV,
	IR_SDIV,
	IR_UREM,
	IR_SREM,
	IR_AND,
	IR_OR,
	IR_XOR,
	IR_NOT,
	IR_NEG,
	IR_SHL,
	IR_LSHR,
	IR_ASHR,
	IR_EQ,
	IR_ULT,
	IR_ULE,
	IR_SLT,
	IR_SLE,
	IR_ITE,	    /* c ? a : b */
	IR_CONCAT,  /* a high, b low */
	IR_EXTRACT, /* bits [lo + width - 1 : lo] of a; lo in .value */
	IR_ZEXT,
	IR_SEXT,
	IR_CLZ,
	IR_CTZ,
	IR_POPCNT, /* of a, in a's width; of 0: the width */
	/* condition flags, lazily kept by VEX in cc_op, cc_dep1, cc_dep2,
	 * cc_ndep: see flags.h */
	IR_COND,    /* width 1: x86 condition .value (0 to 15) of a = cc_op, b = dep1,
		     * c = dep2, d = ndep */
	IR_FLAGS_C, /* width 64: carry flag as bit 0, same operands */
	IR_FLAGS,   /* width 64: O S Z A C P in rflags positions, same operands */
	/* floating point: a, b bit patterns; value = enum ir_fp; evaluated on
	 * the host in round-to-nearest */
	IR_FP, /* see enum ir_fp */
	/* control */
	IR_EXIT, /* if a (width 1): leaves for runtime address .value; the ops after
		  * it are for the other case */
	IR_NEXT, /* last op: control goes to the runtime address a */
	/* what libVEX does by a helper with side effects, or we do not model:
	 * the temporary's (or state's) new value is not known from the IR */
	IR_UNKNOWN,
};

/* What an IR_FP computes.  Operands are bit patterns of 32 or 64 bits; the
 * width of a says which.  NaN operands follow the SSE instructions. */
enum ir_fp {
	IR_FP_ADD,
	IR_FP_SUB,
	IR_FP_MUL,
	IR_FP_DIV,
	IR_FP_MIN,
	IR_FP_MAX, /* a < b ? a : b; a > b ? a : b */
	IR_FP_SQRT,
	IR_FP_EQ,
	IR_FP_LT,
	IR_FP_LE,
	IR_FP_UN,	/* width 1, ordered; UN: a or b is NaN */
	IR_FP_CONVERT,	/* to the format of .width */
	IR_FP_FROM_INT, /* signed integer a of its width, to the format of .width */
	IR_FP_TO_INT,	/* to a signed integer of .width; b (width 32) = how: 0 nearest,
			 * 1 down, 2 up, 3 toward zero; out of range: 0x80…0 */
	IR_FP_ROUND,	/* to an integral value in the same format; b as above */
	IR_FP_CALL,	/* and what follows: no instruction's, but what a function of libm
			 * returns for a (and b); see solver/library/libm.h */
};

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
