/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mutants of an instruction, kind by kind. */
#ifndef SOLVER_CHANGE_MUTANT_INSTRUCTION_MUTANTS_H
#define SOLVER_CHANGE_MUTANT_INSTRUCTION_MUTANTS_H

#include "solver/change/code/mutant-insn.h"

struct code_piece; /* solver/change/code/code-piece.h */

/* mutant-arithmetic.c: `-' for a `+' that is computed as an address, and what a division leaves in
 * its other register. */
void mutants_of_arithmetic(const struct insn *in, GArray *all);
/* The power of two by which the instruction multiplies, 0 = it does not; and appends the one that
 * multiplies by another number. */
int64_t mutant_factor(const struct insn *in);
void mutant_of_factor(const struct insn *in, int64_t to, GArray *all);
/* mutant-together.c: appends those that change several instructions of the line as one slip would
 * have; what their .also points to is added to kept, which owns it. */
void mutants_together(GArray *all, GPtrArray *kept);
/* Appends those that exchange two variables of the line; the same. */
void mutants_exchanged(GArray *all, GPtrArray *kept);
/* mutant-copies.c: makes one of the mutants that are the same change of the source in several
 * copies of the line's code; the same. */
void mutants_of_copies(const struct image *im, const GArray *addrs, GArray *all, GPtrArray *kept);
/* Two addresses of a line are of one such copy when this is the same. */
uint64_t mutants_copy_at(const struct image *im, uint64_t addr);
/* mutant-branch.c: where the branches of a condition go, and where they go on when they are not
 * taken. */
struct mutant_targets {
	GArray *places; /* uint64_t, each once */
	uint64_t last;	/* branch of it */
};
/* Adds those of the branches among the instructions at addrs (uint64_t). */
void mutants_targets_add(const struct image *im, const GArray *addrs, struct mutant_targets *to);
/* Appends those of a branch, and of whatever else depends on a condition of the flags. */
void mutants_of_branch(const struct insn *in, const struct mutant_targets *targets, GArray *all);
/* mutant-exchange.c: two arguments of a call are exchanged, as many as the function has. */
void mutants_of_call(const struct image *im, const struct insn *in, GArray *all);
/* mutant-order.c: appends the one that executes the next line first, where control goes from the
 * one straight to the other.  addrs: the line's; its piece is added to kept, which owns it. */
void mutant_of_order(const struct image *im, const GArray *addrs, GPtrArray *kept, GArray *all);
/* mutant-operator.c: appends those with another operator. */
void mutants_of_operator(const struct insn *in, GArray *all);
/* mutant-step.c: those that take a value before or behind the step of what counts. */
void mutants_of_step(const struct image *im, const struct insn *in, GArray *all);
/* mutant-sign.c: the one with the other sign of the floating-point number that the instruction
 * computes or stores.  before: the line's instruction before it; NULL = it is the first. */
void mutants_of_sign(const struct image *im, const struct insn *in, const struct insn *before,
		     GArray *all);
/* mutant-one-more.c: in optimized code, those by which instructions of the line compute or store
 * one more or one less; addrs: the line's, ascending; pieces are added to kept, which owns them. */
void mutants_one_more(const struct image *im, const GArray *addrs, GPtrArray *kept, GArray *all);
/* mutant-literal.c: the one of the instruction with another number in the place of the one that it
 * reads; free it.  NULL: it reads none. */
struct code_piece *literal_piece(const struct image *im, uint64_t addr, const uint8_t *bytes,
				 unsigned size, struct mutant *out);

#endif
