/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a constraint is from holding, as a number that shrinks on the way there.  For
 * a comparison it is the difference of its sides, for a conjunction the sum of its
 * parts, for a disjunction the least of them (the branch distance of search-based test
 * generation; McMinn, "Search-based software test data generation", 2004).
 */
#ifndef SOLVER_QUERY_BRANCH_DISTANCE_H
#define SOLVER_QUERY_BRANCH_DISTANCE_H

#include "solver/query/incremental.h"

struct branch_distance;

/* anywhere: the path may also take ways that no run took; otherwise it may only go past
 * assertions.  Nothing is owned; w belongs to the formula. */
struct branch_distance *branch_distance_new(const struct formula *f, const struct incremental *w,
					    bool anywhere);
void branch_distance_free(struct branch_distance *d);

/* Closes a side: the path must not go down it, because nothing can be said of what follows, and
 * it does not only go past an assertion.  anywhere: closes only sides where a run went on for
 * too long. */
bool branch_distance_is_closed(const struct branch_distance *d, const struct unexplored *u);

/* Call it after incremental_set.  0 = the constraint holds; INFINITY = what is changed does not
 * reach it, or only through sides that are closed. */
double branch_distance_to(struct branch_distance *d, uint32_t boolean);

#endif
