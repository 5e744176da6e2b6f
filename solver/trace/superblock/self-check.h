/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The self-check behind `explain --check': a record against its re-computation.
 *
 * Two cursors walk each thread.  One goes an instruction at a time and compares what the record
 * says with what the re-computation gives (trace_cursor_set_check); the other goes by superblocks
 * and has to know the same after each.
 */
#ifndef SOLVER_TRACE_SUPERBLOCK_SELF_CHECK_H
#define SOLVER_TRACE_SUPERBLOCK_SELF_CHECK_H

#include "solver/trace/run.h"

/* Checks all threads of r.  *checked: instructions re-computed.  False with error: the first
 * difference, with its place in the source. */
bool trace_check(struct trace_run *r, struct lift *lift, uint64_t *checked, GError **error);

#endif
