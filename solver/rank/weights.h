/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clause weighting (Jin, Orso, "Improving Efficiency and Scalability of
 * Formula-based Debugging"): changing a statement costs the more, the less
 * suspicious it is.
 */
#ifndef SOLVER_RANK_WEIGHTS_H
#define SOLVER_RANK_WEIGHTS_H

/*
 * weights[i] = 1/scores[i], positive and finite.  Where the score is 0 or less,
 * the largest weight: more than the sum of all others, so that no set with such
 * a statement is cheaper than one without.  Where it is infinite, half the
 * least of the others (1 if there are none).  Returns the largest weight, for
 * statements that no test knows.  n scores, none NaN.
 */
double weights_of(const double *scores, unsigned n, double *weights);

#endif
