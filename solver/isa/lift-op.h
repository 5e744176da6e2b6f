/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to lift*.c: libVEX's primitive operators as ops of ours.  iop is an
 * IROp, args its operands (already converted, with the widths that libVEX
 * gives them).  Both give -1 for an operator that is none of
 * theirs.
 */
#ifndef SOLVER_ISA_LIFT_OP_H
#define SOLVER_ISA_LIFT_OP_H

#include "solver/isa/lift-build.h"

/* Integers of up to 128 bits, conversions, scalar floating point. */
int32_t lift_scalar_op(struct lift_build *b, unsigned iop, const int32_t *args);
/* Vectors of 128 and 256 bits, lane by lane. */
int32_t lift_lane_op(struct lift_build *b, unsigned iop, const int32_t *args);

/* The statements of an IRSB (one instruction at pc, next instruction at
 * pc + length) are appended to b.  False when libVEX could not decode it. */
bool lift_statements(struct lift_build *b, const void *irsb, uint64_t pc, size_t length);

/* The whole of an instruction that libVEX is not to be asked about. */
bool lift_by_hand(struct lift_build *b, uint64_t pc, const uint8_t *bytes, size_t length);
/* libVEX's account of it is not exact: xgetbv; cmpxchg of 32 bits writes the upper
 * half of a register that the processor leaves alone. */
bool lift_is_inexact(const uint8_t *bytes, size_t length);

#endif
