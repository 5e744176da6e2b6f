/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact fractions for formulas.c.  The numerator takes the sign, the
 * denominator is never negative; 0 for it stands until the end, where 0/0 is 0
 * and x/0 is infinite.  With fewer than 2^30 tests, products of four counts fit.
 */
#ifndef SOLVER_RANK_RATIO_H
#define SOLVER_RANK_RATIO_H

#include <stdbool.h>

typedef __int128 wide;

struct ratio {
	wide num, den;
	bool root; /* its value is the square root, with the sign of num */
};

/* The counts of a unit and the sums that formulas use, see formulas.h. */
struct tally {
	wide ef, ep, nf, np;
	wide failed, passed, covering, other, all; /* F, P, C, U, N */
	wide cross;				   /* D */
};

struct ratio ratio_of(wide num, wide den);
struct ratio ratio_root(wide num, wide den);
/* The sum, 0/0 counting as 0; neither operand may be infinite. */
struct ratio ratio_add(struct ratio a, struct ratio b);
struct ratio ratio_subtract(struct ratio a, struct ratio b);

/* Equal fractions give equal doubles, however they are written. */
double ratio_value(struct ratio r);

#endif
