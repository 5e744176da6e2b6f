/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model-based diagnosis with several observations: what would have let each of several
 * failing tests pass?
 *
 * The formulas of all tests have the selectors in common and nothing else.  So an
 * unsatisfiable core of them together is a core of some test, and a smallest set that
 * hits all of these is a smallest union of one correction set of each test.  Example:
 * {1} and {2} correct test A, {2} and {3} correct test B.  Together: {2}, {1,3}.
 */
#ifndef SOLVER_SEARCH_JOINT_H
#define SOLVER_SEARCH_JOINT_H

#include "solver/explanation.h"
#include "solver/limits/limits.h"
#include "solver/search/weighting.h"

/*
 * All of them are finished (describe.h).  es[0] becomes the answer, about all n tests:
 * its suspects are the smallest sets of lines, of up to limits->size, each of which
 * holds a proven suspect of every test; the cheapest come first.  A statement has the
 * values of the first test that needs it.  weighting: NULL = all are equally heavy.
 * False when there were too many sets to look at all (joint_sets).
 */
bool joint(struct explanation *const *es, unsigned n, const struct weighting *weighting,
	   const struct limits *limits);

#endif
