/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where one more statement can be executed at a line of unoptimized code: before it, and behind it
 * where a block ends. */
#ifndef SOLVER_CHANGE_MISSING_INSERTED_SPOT_H
#define SOLVER_CHANGE_MISSING_INSERTED_SPOT_H

#include "solver/change/code/code-piece.h"
#include "solver/change/code/code-statement.h"
#include "solver/change/source/expression-texts.h"

enum { INSERTED_SPOTS = 2 };

struct inserted_spot {
	const struct trace_insn *insn; /* in whose place the piece is executed */
	bool behind;		       /* the statement comes behind the instruction */
	const char *words;	       /* "before", "behind" */
};

/* Writes those of the line, and returns how many there are; 0: it has no code, or its function is
 * optimized. */
unsigned inserted_spots(const struct image *im, struct expression_texts *texts, const char *file,
			unsigned line, struct inserted_spot out[INSERTED_SPOTS]);
/* Appends the code of the spot's instruction and the statement.  False: there is no room. */
bool inserted_spot_write(const struct image *im, const struct inserted_spot *at,
			 const struct code_statement *s, struct code_piece *c);

/* The statement's text in the source; NULL: it is not there.  Free it. */
char *inserted_statement_text(struct expression_texts *texts, const struct image_statement *st);
/* Does a statement that is put there, at this line of the file, name a variable that is declared
 * further down?  That has its place on the stack already. */
bool inserted_spot_is_early(const struct image *im, const struct inserted_spot *at,
			    const char *statement, const char *file, unsigned line);

/* Would the statement change a member of the object that function f leaves alone, as `size() const'
 * does? */
bool inserted_spot_keeps_object(const struct image *im, const struct image_function *f,
				const char *statement);

#endif
