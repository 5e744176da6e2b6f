/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistical debugging: how much the way a predicate comes out has to do with
 * failing.
 *
 * CBI (Liblit et al., PLDI 2005) asks whether a test that saw an outcome fails
 * more often than one that evaluated the predicate at all.  SOBER (Liu et al.,
 * ESEC/FSE 2005) compares the shares of evaluations that came out true, in
 * passed and in failed tests.  Both are told of outcomes, or (DES, Zhang et al.,
 * ISSTA 2008) of the sequences in which the conditions were evaluated; a
 * predicate has the score of its most suspicious outcome or sequence.
 */
#ifndef SOLVER_RANK_PREDICATES_H
#define SOLVER_RANK_PREDICATES_H

#include "solver/rank/spectrum.h"
#include "solver/rank/units.h"

enum predicate_view { PREDICATE_OUTCOMES, PREDICATE_SEQUENCES };

struct predicate_score {
	bool reached; /* some test evaluated it; else score is 0 and means nothing */
	double score; /* higher is more suspicious */
};

struct predicate_cbi {
	bool reached;
	double failure, context;
	double increase; /* failure - context, -1 … 1 */
	/* Balances increase and the share of failing tests that it explains; 0 unless
	 * it increases and at least two failing tests saw it. */
	double importance;
};

/* For each predicate of u, the outcome or sequence with the greatest increase; where
 * several have it, the one with the greatest importance. */
void predicates_cbi(const struct units *u, const struct spectrum *s, enum predicate_view view,
		    struct predicate_cbi *cbi);

/* -log10 of the likelihood that failed tests are like passed ones.  +infinity
 * where all passed tests have the same share and the failed ones another; 0
 * where there are fewer than two passed or no failed tests. */
void predicates_sober(const struct units *u, const struct spectrum *s, enum predicate_view view,
		      struct predicate_score *scores);

/* The scores that rank: increase for CBI, which also tells something when a
 * single test fails. */
void predicates_cbi_score(const struct units *u, const struct spectrum *s, enum predicate_view view,
			  struct predicate_score *scores);

#endif
