/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which piece of a call that prints made a byte, when all that is known of the text is how long it
 * is: the record has the call, and not what it made.
 *
 *     fprintf (m, "%d of %s;%d", 12, name, 7)      its result is 12
 *                  12 of ....;7                    byte 0 is of 12, byte 6 of name, byte 11 of 7
 *
 * The text of a string may be another one than traced code knows, so what lies between two strings
 * is not known.
 */
#ifndef SOLVER_OUTPUT_PIECE_AT_H
#define SOLVER_OUTPUT_PIECE_AT_H

#include "solver/output/printed.h"

struct piece_at {
	struct printed_piece piece; /* its .from and .to are not filled in */
	uint64_t offset;	    /* of the byte in what the piece printed */
	int byte;		    /* what it is; -1 = not known */
};

/* cursor: before the call by insn of the function with that name; length: of all that it printed,
 * UINT64_MAX = not known.  False: it is not known which piece it is. */
bool piece_at(const struct trace_cursor *cursor, const struct trace_module *module,
	      const struct trace_insn *insn, const char *name, uint64_t length, uint64_t at,
	      struct piece_at *out);

#endif
