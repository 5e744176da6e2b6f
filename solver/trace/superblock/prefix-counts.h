/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often each instruction was executed before a step of a run.  A record of a run's last
 * part counts executions from where it begins; this says what is to be added.
 */
#ifndef SOLVER_TRACE_SUPERBLOCK_PREFIX_COUNTS_H
#define SOLVER_TRACE_SUPERBLOCK_PREFIX_COUNTS_H

#include "solver/trace/superblock/superblock.h"

struct prefix_counts;

/* Counts the first `steps' instructions of the thread that is chosen.  NULL with error when the
 * record makes no sense. */
struct prefix_counts *prefix_counts_new(struct trace_run *run, struct lift *lift, uint64_t steps,
					GError **error);
/* So many steps, of which nothing is counted yet; and executions of an instruction, which are
 * added. */
struct prefix_counts *prefix_counts_empty(uint64_t steps);
void prefix_counts_add(struct prefix_counts *c, uint64_t pc, uint64_t times);
void prefix_counts_free(struct prefix_counts *c); /* NULL is fine */

/* How many steps they count, and how often the instruction is among them.  c: NULL = there is
 * nothing before. */
uint64_t prefix_counts_steps(const struct prefix_counts *c);
uint64_t prefix_counts_of(const struct prefix_counts *c, uint64_t pc);

#endif
