/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators of the machine, and those that the source's line has: a compiler adds to find an
 * element, and multiplies by adding. */
#ifndef GDBEXT_EVIDENCE_WORDS_OPERATOR_WORDS_H
#define GDBEXT_EVIDENCE_WORDS_OPERATOR_WORDS_H

#include "solver/change/mutator.h"

/* "`-' for `+'", "`-=' for `+='" where the text has no other; of a MUTANT_OPERATOR.  Free it. */
char *operator_words(const struct image *im, const struct mutant *of, const char *text);
/* Is what the MUTANT_OPERATOR changes the operator that the text has, and not one that the compiler
 * put in?  all: struct mutant, those of the line. */
bool operator_is_of_source(const struct image *im, const GArray *all, const struct mutant *of,
			   const char *text);

#endif
