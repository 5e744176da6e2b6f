/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loop in which a record ends: of a run that was stopped because it does not end.
 *
 * A loop is known by its jump back: from the first time that it is taken until control leaves the
 * instructions between the jump and its target in the same frame, each time ends a round.
 */
#ifndef SOLVER_TRACE_ENDLESS_LOOP_H
#define SOLVER_TRACE_ENDLESS_LOOP_H

#include "solver/limits/limits.h"
#include "solver/trace/run.h"

struct endless_loop {
	uint64_t pc, sp; /* runtime: the jump back, and the stack pointer there */
	uint64_t since;	 /* the number of the step that took it first */
	uint64_t cut;	 /* the number of one step that executes it: until there the loop has gone
			  * round often enough to show what it does */
	uint64_t rounds; /* that were complete then */
	bool repeats;	 /* the last of them did the same as the one before: it read the same values
			  * and left the same registers, so it will do so for ever */
	bool is_alone;	 /* .repeats, and nothing but traced code ran in these two */
};

/* run: recorded when it was in the loop for long already.  Fills .pc and .sp of the innermost loop
 * that goes on during the second half of the record.  False with error; *found: there is one. */
bool endless_loop_find(struct trace_run *run, unsigned thread, struct endless_loop *loop,
		       bool *found, GError **error);
/* The same of a recursion without end: run: its beginning; back: the runtime address to which a
 * call that makes it go deeper would return.  .pc becomes that call's, and a round is from one such
 * call to the next one, which is in it; limits as for a loop. */
bool endless_recursion_rounds(struct trace_run *run, unsigned thread, const struct limits *limits,
			      uint64_t back, struct endless_loop *loop, bool *found,
			      GError **error);
/* run: its beginning, in which the loop was entered.  Fills in the rest.  limits: endless_rounds,
 * endless_steps.  False with error; *found: the record has the loop, and enough of its rounds. */
bool endless_loop_rounds(struct trace_run *run, unsigned thread, const struct limits *limits,
			 struct endless_loop *loop, bool *found, GError **error);

#endif
