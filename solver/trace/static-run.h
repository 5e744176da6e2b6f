/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run that was never made: what the code alone tells of a side of a branch.  It begins as a
 * recorded run does, up to one execution of a conditional branch, goes the other way there,
 * and carries out what the instructions mean, into calls of traced functions and out again,
 * loops as often as their conditions say.  It becomes a struct trace_run like any other, so
 * the walk merges it with recorded ones.  No process takes part, and no file.
 *
 *     recorded:    ... cmp  jle (not taken)  mov  call f ... assert fails
 *     static run:  ... cmp  jle (taken)      what stands there, as the code says
 *
 * What the code and the record do not tell ends it early (STATIC_RUN_UNKNOWN): a byte of memory
 * that nobody stored or loaded, a result of a library's function, an instruction without a
 * meaning.  Nothing unknown is ever taken for a number.
 */
#ifndef SOLVER_TRACE_STATIC_RUN_H
#define SOLVER_TRACE_STATIC_RUN_H

#include "solver/trace/run.h"
#include "solver/trace/summary.h"

enum static_run_end {
	STATIC_RUN_EXITS,   /* main returns, or exit is called: .status */
	STATIC_RUN_FAILS,   /* a function is called that fails a test, or does not return */
	STATIC_RUN_LOOPS,   /* a branch is executed more often than .rounds allow */
	STATIC_RUN_UNKNOWN, /* the code does not tell how it goes on */
};

struct static_run_request {
	const struct trace_action *actions; /* that the recorded run was made with */
	size_t n_actions;
	/* The execution of a conditional branch, counted from the record's beginning. */
	uint64_t pc, nth;
	bool taken; /* where it goes now */
	/* What memory held at first in the failing run, and how often that executed each branch.
	 * The static run executes a branch at most .rounds times more. */
	const struct trace_summary *summary;
	uint64_t rounds;
	uint64_t max_insns; /* so many at most are carried out */
	bool output_counts; /* it matters what is printed, so a function that may print ends it */
};

struct static_run_result {
	enum static_run_end end;
	int status;	 /* STATIC_RUN_EXITS */
	const char *why; /* STATIC_RUN_UNKNOWN: what is not known, static */
	uint64_t insns;	 /* that were carried out behind the branch */
};

/* from: the recorded run, or a static one, of one thread.  NULL without error where that branch
 * is not there or there are several threads.  Owned by the caller, like a recorded run. */
struct trace_run *static_run_new(struct trace_run *from, const struct static_run_request *request,
				 struct lift *lift, struct static_run_result *result,
				 GError **error);

#endif
