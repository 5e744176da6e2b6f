/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an execution of a statement computed its value from: the values that it loaded,
 * and those that it found in registers, since control came to its line or came back to
 * it from a call.  A value that is only used as an address (a pointer that is followed,
 * or the frame) does not count, because the same numbers at another place are the same
 * operands.
 *
 * Two executions with equal operands, in whatever run, give the same value, and would
 * do so with any other expression over these operands.
 */
#ifndef SOLVER_TRACE_OPERANDS_H
#define SOLVER_TRACE_OPERANDS_H

#include "solver/trace/run.h"

/* One execution of an instruction. */
struct operand_instance {
	uint32_t module;
	uint64_t addr, nth; /* as in struct trace_action */
	GBytes *operands;   /* equal ones are equal bytes */
	uint64_t where;	    /* bytes that it stores to; 0: it stores nothing */
	uint64_t value;	    /* what stood there before the first of the actions changed it */
};

/* The executions in the run's chosen thread, in order, of the instructions that
 * actions name, the first most ones of each; free the array.  NULL with error. */
GArray *operands_of(struct trace_run *run, struct lift *lift, const struct trace_action *actions,
		    size_t n, uint64_t most, GError **error);

#endif
