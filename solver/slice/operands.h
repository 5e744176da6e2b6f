/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From which operands the result of one executed instruction was made. */
#ifndef SOLVER_SLICE_OPERANDS_H
#define SOLVER_SLICE_OPERANDS_H

#include "solver/trace/index/reverse-index.h"

struct slice_operands {
	uint64_t registers; /* bit r: register r */
	bool loads;	    /* what it loaded went in */
	uint64_t bits[16];  /* of general registers: the bits that went in */
	uint64_t loaded;    /* bits of what it loaded; 0 = all of them */
};

/* The operands of the value that it wrote to the place or, when decides is set, of the
 * condition of its branch: of those bits of the place that matter. */
struct slice_operands slice_operands_of(const struct reverse_index_insn *info,
					const struct reverse_index_place *place, bool decides);
/* A register as a place of which those bits matter that went in. */
struct reverse_index_place slice_operand_register(const struct slice_operands *from, unsigned reg);
/* The same of what was loaded, as the i-th of the step's events tells: a load may be several. .size
 * is 0 when no bit of it matters. */
struct reverse_index_place slice_operand_memory(const struct slice_operands *from,
						const struct reverse_index_event *events,
						unsigned i);
/* A place in memory as a part of what the instruction stored there, so that only these bytes of its
 * operands went in: .bits of a store of 8 bytes at most. */
struct reverse_index_place slice_place_in_store(const struct reverse_index_place *place,
						const struct reverse_index_event *store);
/* What of a store is the place: its address, size and value.  False: all of it, or it is not known.
 */
bool slice_part_of_store(const struct reverse_index_place *place,
			 const struct reverse_index_event *store, struct reverse_index_event *out);
/* Of an instruction that only moves a vector register to memory, from it or to another one: the
 * operand's bytes that went to the place, which is a part of what it writes.  events: n, the
 * step's.  False: it is no such instruction. */
bool slice_part_moved(const struct reverse_index_insn *info,
		      const struct reverse_index_place *place,
		      const struct reverse_index_event *events, unsigned n,
		      struct reverse_index_place *out);
/* Bits of the registers that chose which memory it read or wrote, without those that the
 * compiler addresses its frame with. */
uint64_t slice_address_registers(const struct reverse_index_insn *info,
				 const struct reverse_index_step *step);
/* Does the instruction only move a value, for reasons of the compiler? Such instructions copy
 * arguments, save registers, or have no source line. */
bool slice_passes_on(const struct reverse_index_insn *info);

#endif
