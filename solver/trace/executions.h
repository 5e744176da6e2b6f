/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was in the place of an action after each execution of its instruction, in a run that the
 * action does not change.
 */
#ifndef SOLVER_TRACE_EXECUTIONS_H
#define SOLVER_TRACE_EXECUTIONS_H

#include "solver/trace/run.h"

struct trace_execution {
	size_t of;	/* the number of the action */
	uint64_t step;	/* of the run */
	uint64_t nth;	/* of this instruction, from 1 */
	uint64_t where; /* TRACE_ACTION_MEM: where this execution stores, which may be elsewhere */
	uint64_t value; /* the low bytes, as many as the action has */
};

/* Goes through the chosen thread.  Of each action only the instruction and the register or the size
 * of the place count.  Gives struct trace_execution in the order of the run; the caller unrefs the
 * array.  An execution is left out where its value is not known, which is always so for vector
 * registers, and for what is larger than 8 bytes.  NULL: the record makes no sense. */
GArray *trace_executions(struct trace_run *run, struct lift *lift,
			 const struct trace_action *actions, size_t n);
/* The one of that action by its number; NULL = there is none. */
const struct trace_execution *trace_execution_find(const GArray *executions, size_t of,
						   uint64_t nth);

#endif
