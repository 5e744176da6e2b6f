/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code of one line of source, and how control gets past it. */
#ifndef SOLVER_CHANGE_CODE_CODE_LINE_H
#define SOLVER_CHANGE_CODE_CODE_LINE_H

#include "solver/image/image.h"

/* The statement of the instruction at addr; NULL: it has none, or is of a prologue. */
const struct image_statement *code_statement_at(const struct image *im, uint64_t addr);
/* Is the instruction at addr one of the line, and not of a prologue? */
bool code_stands_on(const struct image *im, uint64_t addr, const char *file, unsigned line);
/* The lines over which the line's condition goes: those before and behind it that are joined by
 * `&&' or `||' at the end of one or at the beginning of the next. */
void code_condition_lines(const struct image *im, const char *file, unsigned line, unsigned *first,
			  unsigned *last);
/* struct mutant of kind MUTANT_SKIPPED (mutant.h): where the line's code is one piece, jumps
 * from its beginning to its end, and to where its branches go.  Free the array. */
GArray *code_skips(const struct image *im, const char *file, unsigned line);

#endif
