/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The how-manieth time an instruction was executed at a step, for many steps at once: the run is
 * walked once.  `goto' and GDB's `ignore' count executions; the reverse index counts steps.
 */
#ifndef SOLVER_TRACE_SUPERBLOCK_STEP_COUNTS_H
#define SOLVER_TRACE_SUPERBLOCK_STEP_COUNTS_H

#include "solver/trace/superblock/superblock.h"

struct step_count {
	uint64_t pc, step; /* given; runtime address */
	uint64_t nth;	   /* filled: how often pc was executed in the steps up to this one */
};

/* Fills counts for the thread that is chosen; they ascend by .step.  False with error when the
 * record makes no sense or the deadline passed. */
bool step_counts_fill(struct trace_run *run, struct lift *lift, struct step_count **counts,
		      size_t n, GError **error);

#endif
