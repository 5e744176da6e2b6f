/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the solver asks for runs of the failing test.  It owns this interface;
 * gdbext/replay implements it with real processes, tests implement it from
 * recorded files.
 */
#ifndef SOLVER_TRACE_RUNNER_H
#define SOLVER_TRACE_RUNNER_H

#include "solver/format/trace.h"

#include <glib.h>
#include <stdbool.h>

struct image;

/* How a run ended. */
enum run_end {
	RUN_PASSED,  /* exit status 0 */
	RUN_STATUS,  /* another exit status: .status */
	RUN_ASSERT,  /* called __assert_fail */
	RUN_SIGNAL,  /* killed by .signo without an assertion */
	RUN_TIMEOUT, /* wall-clock or CPU time */
	RUN_LIMIT,   /* instruction or record limit */
};

struct run_result {
	enum run_end end;
	int status, signo;
	char *record;	       /* directory of the record; removed by run_result_clear */
	uint64_t actions_done; /* how many of the request's actions really happened */
	uint64_t insns;	       /* executed by the request's thread */
	double ms;	       /* wall-clock */
	bool forked;	       /* from a process that stood at .from */
	bool in_place;	       /* .record is where the next run leaves its own */
};
void run_result_clear(struct run_result *r);

struct run_request {
	const struct trace_action *actions;
	size_t n_actions;
	bool record; /* false: the caller only wants to know how it ends */
	uint64_t max_insns;
	/* When .from is not 0: .thread is recorded from the instruction with this number on, and
	 * the actions count executions from there.  Many runs with the same .from may be made
	 * from a process that stands there, so that only what comes after it costs time. */
	uint64_t from;
	bool repeats; /* more such runs will follow: the process is worth it for the first one */
	/* The record is looked at, and the result cleared, before the next run is made, so that the
	 * record need not be taken elsewhere. */
	bool in_place;
	unsigned thread;
	/* The images with the code that actions of kind TRACE_ACTION_CODE make (image_changed), in
	 * the place of the run's own; NULL = there are no such actions, or the run is .native. */
	struct image *const *images;
	/* The program's own code runs, changed by actions of kind TRACE_ACTION_CODE, which are
	 * then the only actions; .record is false. */
	bool native;
};

struct runner {
	/* Runs the test once more, in the cage, with these actions.  False with
	 * error when the run could not be started at all. */
	bool (*run)(struct runner *r, const struct run_request *request, struct run_result *result,
		    GError **error);
};

#endif
