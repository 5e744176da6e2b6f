/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the result of one executed instruction was made of. */
#ifndef SOLVER_SLICE_OPERANDS_H
#define SOLVER_SLICE_OPERANDS_H

#include "solver/trace/reverse-index.h"

struct slice_operands {
	uint64_t registers; /* bit r: register r */
	bool loads;	    /* what it loaded went in */
};

/* Of what it wrote to the place; decides: of which way its branch went. */
struct slice_operands slice_operands_of(const struct reverse_index_insn *site,
					const struct reverse_index_place *place, bool decides);
/* Bits of the registers that chose which memory it read or wrote, without those that the
 * compiler addresses its frame with. */
uint64_t slice_address_registers(const struct reverse_index_insn *site,
				 const struct reverse_index_step *step);
/* Does it only put a value elsewhere, for the compiler's reasons: copies of arguments, saved
 * registers, code without a line? */
bool slice_passes_on(const struct reverse_index_insn *site);

#endif
