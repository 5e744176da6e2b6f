/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How good a ranking is, for programs whose faulty lines are known.
 */
#ifndef SOLVER_RANK_ACCURACY_H
#define SOLVER_RANK_ACCURACY_H

#include <stdbool.h>

#include "solver/rank/order.h"

/* The smallest rank among the faulty ones; 0 when there are none. */
double accuracy_rank(const struct standing *standings, const unsigned *faulty, unsigned n_faulty,
		     enum rank_scheme scheme);

/* EXAM, or T-score: the share of n that has to be looked at until a faulty one is met,
 * rank of n; 1 where it never is (rank 0). */
double accuracy_effort(double rank, unsigned n);

/* When the answer is a set without an order, a person looks at half of it on average: (n +
 * 1)/2 when the fault is in the set, else 0. */
double accuracy_rank_in_set(unsigned n, bool has_fault);

/* Over the versions of a program.  rank 0 = the fault was not found. */
struct accuracy_version {
	double rank;
	unsigned n; /* ranked */
};

struct accuracy_summary {
	unsigned versions, found;
	double mean, median;		      /* rank, of those found; 0 = none */
	unsigned top_1, top_3, top_5, top_10; /* versions whose rank is at most that */
	double mean_effort, effort_deviation; /* of all; sample deviation, 0 for one */
	/* Share of the versions found by looking at 5, 10, 15, 20 % of the code. */
	double found_at[4];
};

struct accuracy_summary accuracy_summarize(const struct accuracy_version *versions, unsigned n);

#endif
