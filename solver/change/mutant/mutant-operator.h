/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mutant with another operator, in words. */
#ifndef SOLVER_CHANGE_MUTANT_MUTANT_OPERATOR_H
#define SOLVER_CHANGE_MUTANT_MUTANT_OPERATOR_H

#include "solver/change/code/mutant.h"

/* "`-' for `+'", of a MUTANT_OPERATOR.  Free it. */
char *mutant_operator_words(const struct mutant *of);
/* The operator that the source has there; NULL = not known. */
const char *mutant_operator_written(const struct mutant *of);
/* The operator, `+' or `*', for which it puts one that minds the order of its operands; 0 = it does
 * no such thing.  With MUTANT_TURNED and MUTANT_TURNED_QUOTIENT the operand that the instruction
 * changes is the right one. */
char mutant_symbol_ordered(const struct mutant *of);
/* `+' or `-', where the instruction adds or subtracts a constant; else 0. */
char mutant_sum_symbol(const struct image *im, uint64_t addr);
/* False: the instruction masks or shifts, and nothing in the text is an operator of which a
 * compiler makes that. */
bool mutant_bits_are_written(const struct image *im, uint64_t addr, const char *text);

#endif
