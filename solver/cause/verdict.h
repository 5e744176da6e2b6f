/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a program found that its own test fails: from its exit status back to the comparison that
 * decided it, as the cause tree has it.
 *
 *     from  harn.c:41  return fails ? 1 : 0;    hands on
 *     from  harn.c:9   fails++;                 hands on, in a function that compares its arguments
 *     when  harn.c:7   if (got != want) {       decides
 *
 * These lines are the test's, as an assertion would be, and not what is tested.  The way ends where
 * a function does anything else than to compare, to count and to hand on: with arguments of its
 * own, it may be what is tested.
 */
#ifndef SOLVER_CAUSE_VERDICT_H
#define SOLVER_CAUSE_VERDICT_H

#include "solver/source/trace-point/trace-point.h"

/* Fills e->verdict.  status: where the exit status is, at m, where the run ends; index: has all
 * steps up to m. */
void verdict_describe(struct explanation *e, const struct trace_point *m,
		      struct reverse_index *index, const struct reverse_index_place *status);
/* The row of a line; NULL = it is none of them. */
const struct explanation_verdict *verdict_row(const struct explanation *e, const char *file,
					      unsigned line);
/* The variable in which the program counts what failed, of `fails++;'; NULL = none.  Free it. */
char *verdict_count(const struct explanation *e);
/* "check_int", "assertEqual" */
bool verdict_is_name_of_check(const char *function);
/* Has the function such a line? */
bool verdict_is_of(const struct explanation *e, const char *function);

#endif
