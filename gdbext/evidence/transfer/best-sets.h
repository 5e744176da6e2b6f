/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best of the sets of lines that explain several tests: the cheapest ones, and those of a
 * single line.  There are few of these, and they are what is looked for.
 */
#ifndef GDBEXT_EVIDENCE_TRANSFER_BEST_SETS_H
#define GDBEXT_EVIDENCE_TRANSFER_BEST_SETS_H

#include "solver/explanation.h"
#include "solver/limits/limits.h"
#include "solver/search/joint.h"

/* Nothing is owned. */
struct best_sets {
	const struct joint *joint;
	const struct limits *limits;
	bool one_line_is_enough; /* best_sets_are_settled */
};

/* Has each of them a part that mends a test?  covered: what is known to mend that; also: what else
 * is, may be NULL. */
bool best_sets_are_explained(const struct best_sets *b, const struct explanation *covered,
			     const struct explanation *also);
/* Is a set of one line left that is not known to mend the test? */
bool best_sets_of_one_line(const struct best_sets *b, const struct explanation *covered);
/* Does one of them mend the test, and are those that do not too large to be extended?  A set that
 * has more than half of the lines that an explanation may have would become one of the largest; and
 * to find out with which lines takes as long as explaining the test.  Where .one_line_is_enough, it
 * is settled as soon as a single line mends the test; what does not is dropped. */
bool best_sets_are_settled(const struct best_sets *b, const struct explanation *covered);
/* The lines ("FILE:LINE") of those that do not mend the test, or only of those of one_line; the
 * caller destroys the table.  *size: of the largest such set. */
GHashTable *best_sets_to_ask(const struct best_sets *b, const struct explanation *covered,
			     bool one_line, unsigned *size);

#endif
