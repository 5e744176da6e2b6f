/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conditions for a single failing test: which comparisons tell some executions of a place from the
 * others?  No passing test says in which executions a change is right.  So each way to divide
 * them is tried once, with the comparison that is most like what the line says.
 *
 *     i->count -= n;      (30, 10), (2, 3), (5, 1) are the values of i->count and n:
 *                         `n > i->count' divides the second one from the others
 */
#ifndef SOLVER_CHANGE_GUARD_EXECUTIONS_H
#define SOLVER_CHANGE_GUARD_EXECUTIONS_H

#include "solver/change/guard/guard.h"

/* struct guard, the likeliest first, at most limits.condition_tries: each holds in some of the
 * executions, and not in all, and no two hold in the same ones.  line: the source's; a comparison
 * has something that stands there, or a member of it.  constants: int64_t, those of the program.
 * Free the array. */
GArray *guards_of_executions(const struct guard_samples *s, const char *line,
			     const GArray *constants, const struct limits *limits);

#endif
