/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lazily kept condition flags of ir.h (IR_COND, IR_FLAGS_C, IR_FLAGS), as libVEX
 * has them.  cc_op names the operation that set the flags; dep1, dep2 and ndep are its
 * operands or results.  enum flags_kind says what each kind keeps there.  Almost always
 * cc_op is a constant of the run, so the flags are a function of the other three.
 *
 * Example: after `cmp $5,%eax', cc_op is SUB of 32 bits, dep1 = eax, dep2 = 5, and
 * IR_COND 14 (le) means SLE (EXTRACT w32 dep1) (EXTRACT w32 dep2).
 *
 * Unless a row says otherwise: Z = the result is 0, S = its sign bit, P = its low byte
 * has an even number of ones, C = unsigned and O = signed overflow, A = carry out of
 * bit 3.  Only the low .width bits of dep1 and dep2 count (shl leaves other bits
 * there).
 */
#ifndef SOLVER_ISA_FLAGS_H
#define SOLVER_ISA_FLAGS_H

#include "solver/isa/ir.h"

/* In the low .width bits (or, for COPY, in rflags positions): */
enum flags_kind {
	FLAGS_COPY,  /* dep1 = the flags themselves */
	FLAGS_ADD,   /* dep1 + dep2 */
	FLAGS_SUB,   /* dep1 - dep2 (also cmp, neg) */
	FLAGS_ADC,   /* dep1 + (dep2 ^ ndep's carry) + carry */
	FLAGS_SBB,   /* dep1 - (dep2 ^ ndep's carry) - carry */
	FLAGS_LOGIC, /* dep1 = the result; C = O = 0 */
	FLAGS_INC,   /* dep1 = the result; C as in ndep (bit 0) */
	FLAGS_DEC,
	FLAGS_SHL,    /* dep1 = the result, dep2 = the value shifted by one less: C = its sign
		       * bit, O = (dep1 ^ dep2)'s sign bit, A = 0 */
	FLAGS_SHR,    /* the same, also sar: C = dep2's bit 0 */
	FLAGS_ROL,    /* dep1 = the result; S Z A P as in ndep; C = bit 0, O = C ^ sign bit */
	FLAGS_ROR,    /* the same; C = sign bit, O = the two highest bits differ */
	FLAGS_UMUL,   /* dep1 * dep2; C = O = the high half is not 0 */
	FLAGS_SMUL,   /* C = O = the high half is not the sign of the low one */
	FLAGS_ANDN,   /* dep1 = the result; C = O = A = P = 0 */
	FLAGS_BLSI,   /* dep1 = the result, dep2 = the operand: C = it is not 0; O = A = P = 0 */
	FLAGS_BLSMSK, /* C = the operand is 0 */
	FLAGS_BLSR,   /* C = the operand is 0 */
	FLAGS_ADCX,   /* as ADC, carry only; the others as in ndep */
	FLAGS_ADOX,   /* the same with overflow in the place of carry */
	FLAGS_NONE,   /* no such cc_op */
};

struct flags_op {
	enum flags_kind kind;
	unsigned width; /* 8, 16, 32, 64 */
};

struct flags_op flags_decode(uint64_t cc_op);
const char *flags_kind_name(enum flags_kind kind);

#endif
