/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutants of an assignment that is made only where the value is larger, or smaller, than the one
 * that is there:
 *
 *     last->hi = next->hi;             if (next->hi > last->hi)
 *                                              last->hi = next->hi;
 */
#ifndef SOLVER_CHANGE_MISSING_LARGER_MUTANT_H
#define SOLVER_CHANGE_MISSING_LARGER_MUTANT_H

#include "solver/change/source/mutant-maker.h"

/* Appends struct mutant of kind MUTANT_MIRRORED, whose pieces and words are x's.  addrs: uint64_t,
 * ascending, the line's instructions, unoptimized. */
void larger_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all);

#endif
