/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * x(b) = factor(b) * (sum of weight(e) * x(to(e)) over the edges e out of b)
 *        + constant(b)
 * Between flow.c, which makes the equations, and flow-solve.c.
 */
#ifndef SOLVER_RANK_FLOW_PRIVATE_H
#define SOLVER_RANK_FLOW_PRIVATE_H

#include "solver/rank/flow.h"

struct flow_system {
	unsigned n, n_edges;
	unsigned *first; /* n + 1: where the edges out of each block begin in … */
	unsigned *out;	 /* … this: numbers of edges */
	const struct unit_edge *edges;
	double *weight; /* of each edge */
	double *factor, *constant;
};

/* x: of each block, finite. */
void flow_solve(const struct flow_system *f, const struct limits *limits, double *x,
		struct flow_report *report);

#endif
