/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutants of a comparison of strings that compares their addresses:
 *
 *     if (names[i] == name)        `strcmp(names[i], name) == 0' for it
 */
#ifndef SOLVER_CHANGE_SOURCE_TEXT_MUTANT_H
#define SOLVER_CHANGE_SOURCE_TEXT_MUTANT_H

#include "solver/change/source/mutant-maker.h"

/* Appends struct mutant of kind MUTANT_MISSING, whose pieces and words are x's.  addrs: uint64_t,
 * ascending, the line's instructions.  Unoptimized code only. */
void text_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all);

#endif
