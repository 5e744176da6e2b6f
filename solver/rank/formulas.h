/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The 42 formulas of spectrum-based fault localization, and SBI: how
 * suspicious a unit is, from the numbers of failed and passed tests that did
 * and did not execute it.  Identifiers, groups and the division into XCKX and
 * others are those of Tang, Chan, Yu, Zhang (IEEE Trans. Reliability 2017).
 *
 * In expressions: ef, ep, nf, np as in struct spectrum_counts, F = ef + nf,
 * P = ep + np, C = ef + ep, U = nf + np, N = F + P, D = ef*np - nf*ep.
 *
 * Zero denominators, term by term: 0/0 is 0, and x/0 with x > 0 is +infinity,
 * which with a failed and a passed test at least only the formulas that say so
 * can give.  Everything is computed as one fraction of integers and divided
 * once, so that equal values give equal doubles, and ties are ties.
 */
#ifndef SOLVER_RANK_FORMULAS_H
#define SOLVER_RANK_FORMULAS_H

#include <stdbool.h>

#include "solver/rank/ratio.h"
#include "solver/rank/spectrum.h"

struct formula {
	const char *id; /* "F34", "SBI" */
	const char *name;
	const char *other_name; /* NULL = none */
	const char *group;	/* "ER1a" … "ER6", or NULL; equal in rank inside each */
	const char *expression;
	const char *zero; /* what is special about zero denominators; NULL = 0/0 only */
	bool xckx;	  /* one of the 30 that theory has relations for */
	struct ratio (*value)(const struct tally *t);
};

extern const struct formula formulas[];
extern const unsigned n_formulas; /* F1 … F42, SBI */

/* Finds a formula by its id or by one of its names. Only letters and digits are compared,
 * whatever their case. NULL when there is none. */
const struct formula *formula_find(const char *name);
bool formula_same_name(const char *asked,
		       const char *name); /* in this polarity; name may be NULL */

/* Fewer than 2^30 tests.  Never NaN. */
double formula_score(const struct formula *f, const struct spectrum_counts *counts);

/* Tarantula's: the greater of the shares of failed and of passed tests that
 * executed the unit, 0 … 1. */
double formula_confidence(const struct spectrum_counts *counts);

#endif
