/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes the mutants of a line: one instruction of it is changed as a slip of the pen would have
 * changed it.  They are made of machine code, so no compiler is needed.  Where the source can be
 * read, there are also those that its text suggests (solver/change/source).
 *
 *     struct mutator *m = mutator_new(image, limits);
 *     GArray *all = mutator_line(m, "p.c", 9);        struct mutant
 *
 * Example, of `if (y < 5)', compiled to `cmp $5,-8(%rbp); jge ...': 5 becomes 4, 6,
 * 0, -5, another constant of the program; `<' becomes `<=', `>', ...; y becomes
 * another variable of the function that is as wide; the branch is always taken, or
 * never.
 */
#ifndef SOLVER_CHANGE_MUTATOR_H
#define SOLVER_CHANGE_MUTATOR_H

#include "solver/change/code/mutant.h"

struct mutator;

/* im and limits are not owned. */
struct mutator *mutator_new(const struct image *im, const struct limits *limits);
void mutator_free(struct mutator *m);

/* All mutants of the line's instructions, by kind; free the array. */
GArray *mutator_line(const struct mutator *m, const char *file, unsigned line);
/* For a line that is to be executed under a condition only: mutants of kind MUTANT_SKIPPED, which
 * are of no use alone; free the array. */
GArray *mutator_skips(const struct mutator *m, const char *file, unsigned line);
/* For a line in which a test crashes, or one near it: mutants of kind MUTANT_CHECK; numbers: of
 * kind MUTANT_ZERO_CHECK, for a line that may be meant for some numbers only.  Free the array. */
GArray *mutator_checks(const struct mutator *m, const char *file, unsigned line, bool numbers);
/* For a line before which output is missing: mutants of kind MUTANT_MIRRORED; free the array. */
GArray *mutator_printings(const struct mutator *m, const char *file, unsigned line);
/* The line of a MUTANT_ZERO_CHECK left out in any case; false: there is no such code. */
bool mutator_left_out(const struct mutator *m, const struct mutant *of, struct mutant *out);
/* For a line before or behind which a statement is missing: mutants of kind MUTANT_INSERTED, all
 * or only those of the statement with this .to (0 = all), INSERTED_LIKELY or INSERTED_ANEW;
 * free the array. */
GArray *mutator_insertions(const struct mutator *m, const char *file, unsigned line, int64_t only);
/* "`b[2][0]' for `b[2][2]'", "`i' and `k' exchanged", of a MUTANT_VARIABLE; NULL: one of them has
 * no name.  Free it. */
char *mutator_place_words(const struct mutator *m, const struct mutant *of);
/* Such words, saying which one of several operands of a name is meant, where that is known: "`h'
 * for the 2nd `w'".  Free it. */
char *mutator_told_words(const struct mutator *m, const struct mutant *of, const char *words);
/* Does the source have that number where the MUTANT_CONSTANT computes with it?  False, too, where
 * that is not known. */
bool mutator_number_is_certain(const struct mutator *m, const struct mutant *of,
			       const char *number);
/* int64_t: the constants of the program; m's. */
const GArray *mutator_constants(const struct mutator *m);
/* int64_t: the bits of those of type double; m's. */
const GArray *mutator_reals(const struct mutator *m);
/* Is the MUTANT_CONSTANT stored as the bits of a floating-point number? */
bool mutator_is_bits_of_real(const struct mutator *m, const struct mutant *of);
/* The mutant with another constant; false: it cannot be written.  of: a
 * MUTANT_CONSTANT. */
bool mutator_constant(const struct mutator *m, const struct mutant *of, int64_t to,
		      struct mutant *out);
/* The MUTANT_DATA of the instruction at addr with these bytes in the place of the number that it
 * reads from memory; false: it reads none. */
bool mutator_literal(const struct mutator *m, uint64_t addr, const uint8_t *bytes, unsigned size,
		     struct mutant *out);

#endif
