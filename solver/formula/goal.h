/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is required of a run at an instance of its path, in place of "the test
 * passes": a condition when control comes to a place for the count-th time.  Every
 * path of the formula ends there; one that ends elsewhere does not meet it.
 */
#ifndef SOLVER_FORMULA_GOAL_H
#define SOLVER_FORMULA_GOAL_H

#include "solver/source/expression.h"
#include "solver/formula/run-walker.h"
#include "solver/formula/walk-private.h"

struct walk_goal {
	const uint64_t *pcs; /* runtime addresses of the place */
	unsigned n_pcs;
	uint64_t count;		      /* from 1 */
	struct expression_code *code; /* compiled for the failing run's frame there */
	int32_t truth;		      /* op of width 1: the condition */
};

/* Is the walker about to come there for the count-th time? */
bool goal_is_next(const struct walk_goal *g, const struct run_walker *l);
/* Requires the condition of the store as it is when the walker is there. */
void goal_require(struct walk *w, struct run_walker *l, const struct walk_goal *g);

#endif
