/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutants of a check that is missing: where a pointer that the line has is NULL, the line is left
 * out, or its condition is decided without being looked at.
 *
 *     while (strcmp(table[i].key, k) != 0)       while (table[i].key && ...)
 *     last->next = n;                            if (last) ...
 *     c->n = l->n;                               if (!l) return 0;  before it
 */
#ifndef SOLVER_CHANGE_MISSING_NULL_CHECK_MUTANT_H
#define SOLVER_CHANGE_MISSING_NULL_CHECK_MUTANT_H

#include "solver/change/source/mutant-maker.h"

/* Appends struct mutant of kind MUTANT_CHECK, whose pieces and words are x's.  addrs: uint64_t,
 * ascending, the line's instructions.  Nothing in optimized code, where variables move between
 * places. */
void null_check_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all);
/* The same of kind MUTANT_ZERO_CHECK, for numbers that the line has: `index < 0 &&' is missing.
 * .link_to is where control goes on without the line. */
void zero_check_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all);
/* The line left out, whatever the number is: a check that mends no more than that says nothing.
 * False: there is no room. */
bool zero_check_left_out(struct mutant_maker *x, const struct mutant *of, struct mutant *out);

#endif
