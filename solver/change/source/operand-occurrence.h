/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which one of several operands with one name a mutant changes.
 *
 *     s += a[i][k] * b[j][k];      "`j' and `k' exchanged" -> "`j' and the 2nd `k' exchanged"
 */
#ifndef SOLVER_CHANGE_SOURCE_OPERAND_OCCURRENCE_H
#define SOLVER_CHANGE_SOURCE_OPERAND_OCCURRENCE_H

#include "solver/change/source/mutant-maker.h"

/* The words "`b' for `a'" or "`a' and `b' exchanged" of a MUTANT_VARIABLE, saying which one where
 * the line has the name several times.  As they are where that is not certain: the line's loads
 * have to be of the source's names in their order.  addrs: uint64_t, ascending, the line's
 * instructions.  Free it. */
char *operand_occurrence_words(struct mutant_maker *x, const GArray *addrs,
			       const struct mutant *mutant, const char *words);
/* The words "1 for 0" of a MUTANT_CONSTANT, with what gets the number, or is compared with it,
 * where the line has the number several times: "`sign = 1' for `sign = 0'".  As they are where that
 * is not known.  Free it. */
char *operand_occurrence_of_number(struct mutant_maker *x, const struct mutant *mutant,
				   const char *words);
/* Does the source have that number, as text, where the MUTANT_CONSTANT stores it or compares with
 * it? False, too, where that is not known. */
bool operand_occurrence_is_of_source(struct mutant_maker *x, const struct mutant *mutant,
				     const char *number);

#endif
