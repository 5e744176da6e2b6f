/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutants of comparisons.  A pointer is asked for whether there is one, where it should be compared
 * with another one, or for the next one of a list; a loop does one round too many.
 *
 *     if (q->last)                  if (q->last == p)
 *             q->last = previous;
 *     for (i = q->first; i; ...)    for (i = q->first; i != p; ...)
 *     while (p->next)               while (p), and the reverse
 *     for (j = 0; j < n; j++)       for (j = 0; j < n - 1; j++)
 */
#ifndef SOLVER_CHANGE_SOURCE_COMPARED_MUTANT_H
#define SOLVER_CHANGE_SOURCE_COMPARED_MUTANT_H

#include "solver/change/source/mutant-maker.h"

/* Appends struct mutant of kind MUTANT_EXPRESSION, whose pieces and words are x's.  addrs:
 * uint64_t, ascending, the line's instructions.  Nothing in optimized code, where variables move
 * between places. */
void compared_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all);

#endif
