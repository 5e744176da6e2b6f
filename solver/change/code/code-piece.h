/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A piece of machine code that takes the place of one instruction but is executed
 * elsewhere (TRACE_ACTION_CODE in solver/format/trace.h), so that it may be longer, and
 * may lead to places that the instruction could not reach.
 *
 *     struct code_piece c = { 0 };
 *     code_piece_guard(&c, ...);              or code_piece_insns(&c, ...);
 *     code_piece_actions(&c, addr, length, actions);
 */
#ifndef SOLVER_CHANGE_CODE_CODE_PIECE_H
#define SOLVER_CHANGE_CODE_CODE_PIECE_H

#include "solver/change/code/mutant.h"
#include "solver/change/guard/guard.h"

enum { CODE_PIECE_BYTES = 512, CODE_PIECE_LINKS = 16 };

/* Four bytes that hold a distance: from the piece's byte .from to a link-time address. */
struct code_link {
	unsigned at, from;
	uint64_t to;
};

struct code_piece {
	uint8_t bytes[CODE_PIECE_BYTES];
	unsigned size, n_links;
	struct code_link links[CODE_PIECE_LINKS];
	/* It stands where it is executed, since it is as long as the instructions in whose place it
	 * comes: exceptions find their way through its calls, whose functions the unwinder knows.
	 */
	bool in_place;
};

/* These append; false when there is no room, or when an instruction cannot be executed elsewhere.
 * Then the piece is of no use any more. */

/* Instructions that stand at addr (or would), size bytes. */
bool code_piece_insns(struct code_piece *c, const uint8_t *bytes, unsigned size, uint64_t addr);
bool code_piece_mutant(struct code_piece *c, const struct mutant *m);
/* If the guard holds, the mutant's code, else what stands there now. */
bool code_piece_guard(struct code_piece *c, const struct guard *g, const struct mutant *m,
		      const struct image *im);

/* mutant_effort of the mutant under that guard. */
double guard_effort(const struct mutant *m, const struct guard *g, const struct limits *limits);

/* Appends struct trace_action: the piece in the place of the instruction at addr.  At least one
 * byte more than length, or it is filled up.  .in_place: length is not used. */
void code_piece_actions(const struct code_piece *c, uint64_t addr, unsigned length,
			GArray *actions);

#endif
