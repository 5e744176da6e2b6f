/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From scores to ranks.  The highest score is first; equal scores tie and share
 * the positions they take together: with scores 9 5 5 1 the tie takes 2 … 3,
 * whose best is 2, average 2.5, worst 3.
 */
#ifndef SOLVER_RANK_ORDER_H
#define SOLVER_RANK_ORDER_H

enum rank_scheme { RANK_BEST, RANK_AVERAGE, RANK_WORST, RANK_SCHEMES };

/* The positions, from 1, that a unit shares with those equal to it: it is tied
 * where last > first. */
struct standing {
	unsigned first, last;
};

/* scores: n of them, infinity allowed, NaN not. */
void order_standings(const double *scores, unsigned n, struct standing *standings);
double order_rank(struct standing s, enum rank_scheme scheme);
/* The numbers 0 … n - 1, highest score first, equal ones ascending. */
void order_sort(const double *scores, unsigned n, unsigned *sorted);

/* Makes scores that differ by rounding only equal, so that they tie: by no more
 * than 1e-10 of themselves, or 1e-13 of the largest. */
void order_settle(double *scores, unsigned n);

/*
 * One ranking out of several, for instance of the explanations of several
 * failing tests.  What more of them name comes first, then what they rank
 * better on average.
 */
struct order_vote {
	unsigned unit;
	unsigned n;	/* rankings that name it */
	double average; /* of its rank in these */
};

struct order_naming {
	const unsigned *units; /* each once */
	const double *ranks;   /* from 1 */
	unsigned n;
};

/* votes: room for n_units, of which those named by any are filled, best first
 * (ties ascending by unit); returns how many.  Units are 0 … n_units - 1. */
unsigned order_combine(const struct order_naming *namings, unsigned n_namings, unsigned n_units,
		       struct order_vote *votes);

#endif
