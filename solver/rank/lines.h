/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the units of each technique to statements and lines.
 */
#ifndef SOLVER_RANK_LINES_H
#define SOLVER_RANK_LINES_H

#include "solver/rank/predicates.h"
#include "solver/rank/units.h"

/* A search starts from this many predicates, as in the papers. */
enum { LINES_BEST_PREDICATES = 5 };

/* The best of the statements on each line.  A line without statements comes
 * last. */
void lines_from_statements(const struct units *u, const double *statements, double *lines);

/*
 * The T-score's order: the statements of the best predicates that were reached
 * (and of those equal to the last of them) come first, then what depends on
 * them or they on, breadth first, by the dependences of u in either direction.
 * A statement at distance d has the score 1/(1 + d), one out of reach 0.
 */
void lines_search(const struct units *u, const struct predicate_score *predicates, unsigned best,
		  double *statements);

#endif
