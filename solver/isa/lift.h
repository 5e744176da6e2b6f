/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From machine code to ir.h, by libVEX: the one door to it.  One instruction
 * at a time, so that every PUT and GET is explicit and no value can bypass the
 * register or variable (and so the statement) that carries it.
 *
 * libVEX has global state: one thread only.
 */
#ifndef SOLVER_ISA_LIFT_H
#define SOLVER_ISA_LIFT_H

#include "solver/isa/ir.h"

#include <glib.h>
#include <stdio.h>

struct lift; /* cache of lifted instructions by address and code; owns the blocks */

struct lift *lift_new(void);
void lift_free(struct lift *l);

/* The meaning of the instruction of `length` bytes at runtime address `pc`
 * (rip-relative operands are computed for that address).  Cached by pc and
 * bytes, since another run may have another library there; owned by l.  Never NULL: what libVEX
 * cannot decode gives a block whose only op is IR_UNKNOWN with complete = false.  About 2 µs the
 * first time. */
const struct ir_block *lift_insn(struct lift *l, uint64_t pc, const uint8_t *bytes, size_t length);

/* Concrete flags, from VEX's own helpers: rflags bits O S Z A C P. */
uint64_t lift_flags(uint64_t cc_op, uint64_t dep1, uint64_t dep2, uint64_t ndep);
bool lift_condition(unsigned cond, uint64_t cc_op, uint64_t dep1, uint64_t dep2, uint64_t ndep);

void ir_dump(FILE *f, const struct ir_block *b);

#endif
