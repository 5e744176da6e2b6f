/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutants of a comparison that is missing: a pointer is asked for whether there is one, where it
 * should be compared with another one.
 *
 *     if (q->last)                  if (q->last == p)
 *             q->last = previous;
 *     for (i = q->first; i; ...)    for (i = q->first; i != p; ...)
 */
#ifndef SOLVER_CHANGE_SOURCE_COMPARED_MUTANT_H
#define SOLVER_CHANGE_SOURCE_COMPARED_MUTANT_H

#include "solver/change/source/mutant-maker.h"

/* Appends struct mutant of kind MUTANT_EXPRESSION, whose pieces and words are x's.  addrs:
 * uint64_t, ascending, the line's instructions.  Nothing in optimized code, where variables move
 * between places. */
void compared_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all);

#endif
