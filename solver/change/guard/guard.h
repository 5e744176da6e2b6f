/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Guards: a change of the code mends all failing tests but breaks passing ones.  Under which
 * condition would it do the first without the second?  What was seen at the place of the change
 * tells: a guard is a comparison `variable op constant' or `variable op variable' that holds at
 * some execution in each failing test, and at none in a passing test that the change breaks.
 * Whether it does what it promises, runs have to show.
 *
 * Example, of `if (low < 400)' that should be `if (low < 400 && high <= 600)': to leave the body
 * out mends the failing tests, where high was 700, 655, 900, and breaks passing ones, where it was
 * 20, 599, 310.  So `high > 600' is learned: 600 is a constant of the program.  Where no comparison
 * does, two of them may do so together.
 */
#ifndef SOLVER_CHANGE_GUARD_GUARD_H
#define SOLVER_CHANGE_GUARD_GUARD_H

#include "solver/change/guard/watch.h"
#include "solver/limits/limits.h"

enum guard_op {
	GUARD_LT,
	GUARD_LE,
	GUARD_GT,
	GUARD_GE,
	GUARD_EQ,
	GUARD_NE,
	GUARD_BIT, /* v & constant */
	GUARD_NO_BIT,
};

struct guard_part {
	const struct watch *v, *w; /* v: NULL = there is no such part; w: NULL = .constant */
	enum guard_op op;
	int64_t constant; /* a watch_value */
};

/* All its parts hold. */
struct guard {
	struct guard_part is, also;
	bool negated; /* not all of them do; only for guard_text */
	double cost;  /* lower is likelier; the nearest and simplest ones are below 1 */
};

/* One execution of the place. */
struct guard_hit {
	unsigned test; /* equal numbers are executions of one test */
	bool failing;  /* must it hold in one execution of this test, or in none? */
	guint first;   /* of its values */
};

struct guard_samples {
	const GPtrArray *watches; /* struct watch * */
	GArray *hits;		  /* struct guard_hit, those of one test in a row */
	GArray *values;		  /* struct trace_note, one for each watch, of each hit */
	const GArray *reals;	  /* int64_t: bits of the program's doubles; NULL = none is known */
	unsigned spare;		  /* in so many passing tests it may hold all the same: nobody knows
				   * whether the change breaks them */
};

/* The likeliest guards first, at most limits.guard_tries; struct guard.  constants: int64_t, those
 * of the program.  Free the array; what it points to belongs to the watches. */
GArray *guards_learn(const struct guard_samples *s, const GArray *constants,
		     const struct limits *limits);

/* Would it hold there? */
bool guard_holds(const struct guard_part *g, int64_t v, int64_t w);
struct guard guard_negated(const struct guard *g);
/* The condition in C: "high > 600", "!(flags & 4)", "p == NULL", "n > 0 && !open".  Free it. */
char *guard_text(const struct guard *g);

#endif
