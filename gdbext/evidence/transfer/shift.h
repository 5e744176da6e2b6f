/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values that one test's change suggests for another place of the same test.
 *
 * Which value mends a test often depends on the test: the height has to be 3765 in one, and 31806
 * in the next.  Where a known change mends the test at one place, by so much more or less than the
 * test has there, another place that the value comes from or goes to is mended by as much more or
 * less:
 *
 *     int own = height_after(…);      4350; would be mended by 3765
 *     return own - other;             884; is mended by 299, which is 585 less
 *
 *     s = shift_new(run, lift, actions, n)         the run fails; the actions name places
 *     shift_by(s, mends, place)                    what to try there
 */
#ifndef GDBEXT_EVIDENCE_TRANSFER_SHIFT_H
#define GDBEXT_EVIDENCE_TRANSFER_SHIFT_H

#include "solver/trace/run.h"

struct shift;

/* Looks at the failing run for what is in the places of these actions, each time.  NULL: the record
 * makes no sense.  The actions are copied. */
struct shift *shift_new(struct trace_run *run, struct lift *lift,
			const struct trace_action *actions, size_t n);
void shift_free(struct shift *s);

/* mends: an action that mends the run; place: its instruction is to be changed.  Both are equal to
 * actions that s was made of, but for .nth, .where and .value.  Gives struct trace_action, the
 * executions first that are nearest to that of mends; the caller unrefs the array. */
GArray *shift_by(const struct shift *s, const struct trace_action *mends,
		 const struct trace_action *place);
/* Is it about the same register of the same instruction, or memory that this stores to? */
bool shift_is_same_place(const struct trace_action *a, const struct trace_action *b);

#endif
