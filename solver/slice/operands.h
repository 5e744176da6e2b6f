/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From which operands the result of one executed instruction was made. */
#ifndef SOLVER_SLICE_OPERANDS_H
#define SOLVER_SLICE_OPERANDS_H

#include "solver/trace/index/reverse-index.h"

struct slice_operands {
	uint64_t registers; /* bit r: register r */
	bool loads;	    /* what it loaded went in */
};

/* The operands of the value that it wrote to the place or, when decides is set, of the
 * condition of its branch. */
struct slice_operands slice_operands_of(const struct reverse_index_insn *info,
					const struct reverse_index_place *place, bool decides);
/* Bits of the registers that chose which memory it read or wrote, without those that the
 * compiler addresses its frame with. */
uint64_t slice_address_registers(const struct reverse_index_insn *info,
				 const struct reverse_index_step *step);
/* Does the instruction only move a value, for reasons of the compiler? Such instructions copy
 * arguments, save registers, or have no source line. */
bool slice_passes_on(const struct reverse_index_insn *info);

#endif
