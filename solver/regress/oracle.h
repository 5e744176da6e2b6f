/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the search asks of the world: does the new version with a set of changes reverted compile,
 * and does the test pass then?  `gdbext/regress' answers with builds and runs, tests with a table.
 * Answers are cached by who gives them: asking again costs nothing.
 */
#ifndef SOLVER_REGRESS_ORACLE_H
#define SOLVER_REGRESS_ORACLE_H

#include "solver/regress/changes.h"

enum regress_verdict {
	REGRESS_PASSES,
	REGRESS_FAILS,
	REGRESS_BROKEN,	 /* it does not compile */
	REGRESS_UNKNOWN, /* the test cannot tell: it said so, or it does not do the same twice */
	REGRESS_STOPPED, /* interrupted, out of time, or nothing can be built any more */
};

/* All but each may be called from the threads that each makes. */
struct regress_oracle {
	/* Compiles? REGRESS_PASSES (it does), _BROKEN or _STOPPED. */
	enum regress_verdict (*build)(struct regress_oracle *o, const GArray *reverted);
	/* Builds, then runs the test. */
	enum regress_verdict (*test)(struct regress_oracle *o, const GArray *reverted);
	/* What the compiler said of a set that is BROKEN; free it.  NULL = not known. */
	char *(*complaint)(struct regress_oracle *o, const GArray *reverted);
	/* Calls try on the items, in this order, several at once; begins no more once one was true.
	 * True when one was. */
	bool (*each)(struct regress_oracle *o, bool (*try)(void *item), void *const *items,
		     guint n);
};

/* For oracles that do one thing at a time. */
bool regress_each_in_turn(struct regress_oracle *o, bool (*try)(void *item), void *const *items,
			  guint n);

#endif
