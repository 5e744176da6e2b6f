/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutants of calls: another function in the place of the one that is called.  The other function
 * is one that the program has or calls elsewhere, and that takes and returns the same.  Of the
 * program's own functions the types tell that; of library functions the rows in library.def say
 * which do alike (strchr, strrchr).
 */
#ifndef SOLVER_CHANGE_MUTANT_CALLEE_MUTANT_H
#define SOLVER_CHANGE_MUTANT_CALLEE_MUTANT_H

#include "solver/change/code/mutant.h"

struct callee_mutants;

/* Nothing is owned; im and limits must outlive it. */
struct callee_mutants *callee_mutants_new(const struct image *im, const struct limits *limits);
void callee_mutants_free(struct callee_mutants *x);

/* Appends those (struct mutant) of the call at addr, link-time, those first that lie nearest; none
 * when there is no direct call.  Their words are x's. */
void callee_mutants_of(struct callee_mutants *x, uint64_t addr, GArray *all);

#endif
