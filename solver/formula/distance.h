/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a constraint is from holding, as a number that shrinks on the way
 * there: for a comparison the difference of its sides, for a conjunction the sum
 * of its parts, for a disjunction the least of them (the branch distance of
 * search-based test generation; McMinn, "Search-based software test data
 * generation", 2004).
 */
#ifndef SOLVER_FORMULA_DISTANCE_H
#define SOLVER_FORMULA_DISTANCE_H

#include "solver/formula/what-if.h"

/* Branches that there is no way through, by number of the definition: outcomes
 * (1 << outcome) that lead where no run went, assertions apart.  Caller frees. */
uint8_t *distance_closed(const struct formula *f, bool anywhere);
/* Such a side: nothing can be said of what follows, and it is no assertion's.
 * anywhere: only those where a run went on for too long. */
bool distance_is_closed(const struct formula *f, const struct unexplored *u, bool anywhere);

/* After what_if_set: 0 = it holds, INFINITY = what is changed does not reach it, or
 * only through what is closed. */
double distance_to(const struct formula *f, const struct what_if *w, const uint8_t *closed,
		   uint32_t boolean);

#endif
