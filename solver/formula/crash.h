/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run that a signal ended where it could not go on: what it would have taken to
 * go on there.  What comes after that no run of the formula has seen, unless
 * another walker goes on; so it is a side that no run took, and the requirement is
 * only that the instruction, or the call, does not fail:
 *
 *     n->value   with n == NULL   the address is one that the instruction had
 *                                 before, or the same offset in a heap block
 *     a[i]       outside of a     the address is within a
 *     sum / n    with n == 0      the divisor is not 0
 *     strlen(s)  with s == NULL   the argument is another one
 */
#ifndef SOLVER_FORMULA_CRASH_H
#define SOLVER_FORMULA_CRASH_H

#include "solver/formula/run-walker.h"
#include "solver/formula/walk-private.h"

/* Has a signal ended the walker at its step? l: stepped. */
bool crash_is_here(const struct walk *w, const struct run_walker *l);
/* l: as above, w's step and instance are its.  goes_on: other walkers do. */
void crash_require(struct walk *w, struct run_walker *l, bool goes_on);

#endif
