/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One instruction, taken apart, changed and put together again: what makers of mutants share. */
#ifndef SOLVER_CHANGE_CODE_MUTANT_INSN_H
#define SOLVER_CHANGE_CODE_MUTANT_INSN_H

#include "solver/change/code/mutant.h"

#include <Zydis/Zydis.h>

/* An instruction, decoded so that it can be changed. */
struct insn {
	uint64_t addr;
	const uint8_t *bytes;
	ZydisDecodedInstruction i;
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
};

/* addr: link-time.  False: there is none. */
bool mutant_decode(const struct image *im, uint64_t addr, struct insn *in);
/* Does it move the stack pointer or keep a frame, which belongs to no statement? */
bool insn_is_housekeeping(const struct insn *in);
/* Does it name memory by its distance from the instruction, so that it has to stay where it is? */
bool insn_is_rip_relative(const struct insn *in);
/* Is it of that kind, and are its two operands one register? */
bool insn_has_one_register(const struct insn *in, ZydisMnemonic mnemonic);
/* Is the constant a power of 2 divided by a small number, with which compilers divide by
 * multiplying?  No source says so, and with another one nothing a person would write is
 * computed. */
bool insn_is_reciprocal(int64_t value);
/* One of the instruction, without its bytes. */
struct mutant mutant_of(const struct insn *in, enum mutant_kind kind);
/* The instruction as Zydis encodes it; false = it cannot. */
bool mutant_request(const struct insn *in, ZydisEncoderRequest *r);
/* Appends the instruction that the request describes to m's bytes.  False when there is no room, or
 * when it holds an address and would have to be moved. */
bool mutant_encode(const struct insn *in, const ZydisEncoderRequest *r, struct mutant *m);
/* Appends it, unless it is the instruction itself. */
void mutants_take(GArray *all, const struct insn *in, const struct mutant *m);

/* `test r,r' compares with 0, `add r,r' is a product with 2, and `xor r,r' stores 0. */
bool insn_tests_zero(const struct insn *in);
bool insn_adds_to_itself(const struct insn *in);
bool insn_stores_zero(const struct insn *in);

#endif
