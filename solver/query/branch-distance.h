/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a constraint is from holding, as a number that shrinks on the way
 * there: for a comparison the difference of its sides, for a conjunction the sum
 * of its parts, for a disjunction the least of them (the branch distance of
 * search-based test generation; McMinn, "Search-based software test data
 * generation", 2004).
 */
#ifndef SOLVER_QUERY_BRANCH_DISTANCE_H
#define SOLVER_QUERY_BRANCH_DISTANCE_H

#include "solver/query/incremental.h"

struct branch_distance;

/* anywhere: ways that no run went may be gone.  Else only past assertions.  Nothing
 * is owned; w is the formula's. */
struct branch_distance *branch_distance_new(const struct formula *f, const struct incremental *w,
					    bool anywhere);
void branch_distance_free(struct branch_distance *d);

/* A side that is not to be gone down: nothing can be said of what follows, and it is
 * no assertion's.  anywhere: only those where a run went on for too long. */
bool branch_distance_is_closed(const struct branch_distance *d, const struct unexplored *u);

/* After incremental_set: 0 = it holds, INFINITY = what is changed does not reach it, or
 * only through what is closed. */
double branch_distance_to(struct branch_distance *d, uint32_t boolean);

#endif
