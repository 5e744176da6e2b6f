/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Suspicion that spreads backwards along control flow.
 *
 * CP (Zhang et al., ESEC/FSE 2009) and BlockRank (Zhang, Chan, Tse, Jiang,
 * COMPSAC 2011) compare how often failed and passed tests go along each edge
 * on average.  A block has the score of where control went from it, weighted
 * by how much each edge contributes to what is suspicious about its target.
 * BlockRank also sees transitions that are missing because a run crashed in the
 * block: T is the share of entries after which the block was left.
 *
 *     W(j,k) = theta(edge j→k) / sum of theta over the edges into k, 0 if that is 0
 *     I(j)   = sum of theta over the edges into j
 *     x(j)   = sum over edges j→k of W(j,k) x(k); I(j) where no edge leaves j
 *     CP:         theta = (failed - passed)/(failed + passed); the score is x
 *     BlockRank:  theta = failed - passed; the score is T x + (1 - T) I
 *
 * BlockRank's two phases are those of the paper's example, which calibrates
 * after solving; its text can also be read as one system (coupled), where x is
 * already T times the sum plus (1 - T) I.  T is 1 for a block that no edge
 * enters, 0 for one that has such edges and was never entered.
 */
#ifndef SOLVER_RANK_FLOW_H
#define SOLVER_RANK_FLOW_H

#include "solver/limits/limits.h"
#include "solver/rank/spectrum.h"
#include "solver/rank/units.h"

enum flow_mode { FLOW_CP, FLOW_BLOCKRANK, FLOW_BLOCKRANK_COUPLED };

/* How loops were solved: each strongly connected part of a flow graph alone, by
 * sweeps until nothing changes; what has not settled after limits->flow_sweeps by
 * elimination; what has no single solution stays as the last sweep left it. */
struct flow_report {
	unsigned sweeps; /* most that a part took */
	unsigned eliminated, unsettled;
};

/* The score of each block of u; finite.  Higher is more suspicious, negative
 * less than none.  limits: NULL = the defaults; report: NULL = not wanted. */
void flow_blocks(const struct units *u, const struct spectrum *s, enum flow_mode mode,
		 const struct limits *limits, double *scores, struct flow_report *report);

/* The intermediate results of flow_blocks: theta of each edge, T of each block. */
void flow_edges(const struct units *u, const struct spectrum *s, enum flow_mode mode,
		double *theta);
void flow_transitions(const struct units *u, const struct spectrum *s, double *t);

/* The score of a statement is that of its block. Statements that are in no block come last. */
void flow_statements(const struct units *u, const double *blocks, double *statements);

#endif
