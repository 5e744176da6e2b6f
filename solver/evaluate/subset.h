/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Smaller suites out of a larger one that still cover what it covers, chosen at random by a seed:
 * the larger suite in an order of its own, of which the first tests are a subset.  First come, in
 * random order, the tests that execute a statement which none before them did; then the
 * others, in random order.  So the suites of one seed are in each other.
 */
#ifndef SOLVER_EVALUATE_SUBSET_H
#define SOLVER_EVALUATE_SUBSET_H

#include "solver/rank/spectrum.h"

/* Puts the tests that passed or failed in an order that depends on seed.  order: room for all
 * tests.  Returns how many there are. */
unsigned subset_order(const struct spectrum *s, unsigned seed, unsigned *order);

/* Makes percent of these tests count (rounded up, at least two), the others be ignored: the
 * first of order.  Has none of them failed, or none passed, the first one of the others which did
 * takes the place of the last one.  verdicts: what each test of s said.  False when all tests
 * are of one verdict; s is then as it was. */
bool subset_take(struct spectrum *s, const enum spectrum_verdict *verdicts, const unsigned *order,
		 unsigned n, unsigned percent);

#endif
