/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What plan.c, plan-order.c and plan-words.c share: a plan while it is made. */
#ifndef SOLVER_OUTPUT_PLAN_PRIVATE_H
#define SOLVER_OUTPUT_PLAN_PRIVATE_H

#include "solver/output/plan.h"

struct planning {
	struct output_plan *plan;
	const struct printed *p;
	const GString *expected;
	const char *name; /* of the stream, in words */
	struct trace_run *run;
	unsigned stream;
	GArray *actual_lines, *expected_lines; /* struct text_line */
	bool ended;			       /* nothing behind the last check can be said */
	GHashTable *shifted; /* uint64_t *: calls that should be made once more, or less, before */
};

/* Nothing was said yet: later differences only add checks. */
bool plan_is_first(const struct planning *g);
/* Fill .sentence, .line, .actual and .expected of the plan; lines are counted from 0. */
void plan_say_changed(struct planning *g, guint actual, guint expected);
void plan_say_missing(struct planning *g, guint actual, guint expected);
void plan_say_extra(struct planning *g, guint actual);

/* Sorts checks by the steps of their calls, because texts may be made in another order than they
 * are printed in.  The first check that does not keep what was printed becomes the plan's. */
void plan_put_in_order(struct output_plan *plan);
/* Leaves out checks that are at least so many steps behind the plan's first one. */
void plan_leave_out_late_checks(struct output_plan *plan, uint64_t steps);

#endif
