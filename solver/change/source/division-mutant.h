/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutants of a division of whole numbers whose quotient becomes a floating-point number, too late
 * for what is behind the point:
 *
 *     return sum / n;              `(double)' before `sum / n'
 *     float c = f * 5 / 9 - 17;    nothing: all of it is computed with whole numbers
 */
#ifndef SOLVER_CHANGE_SOURCE_DIVISION_MUTANT_H
#define SOLVER_CHANGE_SOURCE_DIVISION_MUTANT_H

#include "solver/change/source/mutant-maker.h"

/* Appends struct mutant of kind MUTANT_MISSING, whose pieces and words are x's.  addrs: uint64_t,
 * ascending, the line's instructions.  Nothing in optimized code, where variables move between
 * places. */
void division_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all);

#endif
