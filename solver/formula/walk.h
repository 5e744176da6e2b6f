/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From recorded runs to a formula: the runs are walked side by side, merged
 * where their execution indices agree (Xin, Sumner, Zhang, PLDI 2008): same
 * position in the same region, where a branch's region ends at its immediate
 * post-dominator in the same frame.
 */
#ifndef SOLVER_FORMULA_WALK_H
#define SOLVER_FORMULA_WALK_H

#include "solver/formula/formula.h"
#include "solver/trace/superblock/prefix-counts.h"
#include "solver/trace/summary.h"

enum walk_granularity { WALK_BY_INSTANCE, WALK_BY_ROW, WALK_BY_LINE, WALK_BY_FUNCTION };

/* Sides of branches that no run took. */
enum walk_other_sides {
	WALK_SIDES_KNOWN, /* what the code alone tells about them is known */
	/* What the taken side wrote is free there, and everything else is as it was: the formula
	 * of a path in which a value holds under the decisions that led to it.  They ask for no
	 * run, unless there is nothing before the sides meet. */
	WALK_SIDES_FREE,
	/* The formula is left there: the formula of a path that holds under all decisions before.
	 */
	WALK_SIDES_LOST,
};

struct selector_table *selector_table_new(void);
void selector_table_free(struct selector_table *t);

struct requirement;

struct walk_options {
	struct selector_table *selectors; /* grows; not owned */
	enum walk_granularity granularity;
	enum walk_other_sides other_sides;
	bool hard_addresses; /* loads and stores stay where they were */
	/* A branch is followed at most so often beyond the first run: there a run
	 * ends for the formula. */
	unsigned unroll;
	const struct trace_summary *summary; /* of the first run; not owned */
	/* What the first run does not meet; not owned. */
	const struct requirement *requirement;
	/* What the run executed before its record begins; NULL = nothing.  Not owned. */
	const struct prefix_counts *before;
	const struct deadline *until; /* when it has to be over; NULL = never */
	const struct limits *limits;  /* NULL = the defaults; not owned */
};

/* A run to merge; the first one is the failing run. */
struct walk_run {
	struct trace_run *record;
	const struct trace_action *actions; /* it was made with */
	size_t n_actions;
	bool failed; /* ended in a failure (an assertion, a crash, a limit), else: */
	int status;  /* it exited with this one */
	bool open;   /* a static run: it is not known how it goes on behind its record */
};

/* Builds the formula of the thread that is chosen in the runs; TRACE_ERROR_LONG when that takes
 * past the deadline or too much memory.  pool is shared by successive
 * formulas and must outlive it.  Free with formula_free. */
struct formula *walk_runs(struct term_pool *pool, const struct walk_run *runs, size_t n_runs,
			  struct lift *lift, const struct walk_options *options, GError **error);
void formula_free(struct formula *f);

/* What the failing run executed, from its end back: const struct definition *, which are the
 * formula's.  What is in a register is defined where it is read, which may be much later, so that
 * the definitions themselves are in another order.  Free the array. */
GPtrArray *formula_executed(const struct formula *f);

#endif
