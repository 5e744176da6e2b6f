/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the formula against the runs that it was made from.  It is evaluated along a
 * run's way, with the changes that the run was made with, and must say of each run what
 * the run itself showed.  Tests use it and, with GDB_WHY_LOG, the search.
 */
#ifndef SOLVER_FORMULA_MODEL_REPLAY_CHECK_H
#define SOLVER_FORMULA_MODEL_REPLAY_CHECK_H

#include "solver/formula/walk.h"

struct replay_check {
	term_bits *values; /* by variable number */
	const struct constraint
		*violated; /* a hard constraint that does not hold, NULL if all do */
	bool leaves;	   /* the way goes down a side that no run took … */
	uint32_t guard;	   /* … at this definition */
};

/* run: the number of one of the runs that f was made from, in the order given there.  The first
 * run gives modules and load addresses.  Clear with replay_check_clear. */
struct replay_check replay_check_run(const struct formula *f, const struct walk_run *run,
				     const struct trace_run *first);
void replay_check_clear(struct replay_check *t);

#endif
