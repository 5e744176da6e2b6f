/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the failing run as a whole tells, gathered before the first walk: how often it
 * executed each instruction, and what each byte of memory held when it was loaded
 * before traced code had stored there.
 */
#ifndef SOLVER_TRACE_SUMMARY_H
#define SOLVER_TRACE_SUMMARY_H

#include "solver/trace/run.h"

struct trace_summary;

/* Summarises the chosen thread. NULL with error when the record makes no sense. */
struct trace_summary *trace_summary_new(struct trace_run *run, struct lift *lift, GError **error);
void trace_summary_free(struct trace_summary *s);

/* The registers before each execution of the instruction at which the run ends: the last
 * executions, oldest first.  The very last one is the end of the run. */
struct trace_summary_end {
	uint64_t regs[16];
};
bool trace_summary_note_end(struct trace_summary *s, struct trace_run *run, struct lift *lift,
			    GError **error);
/* struct trace_summary_end; there are none for an instruction at which the run does not end. */
const GArray *trace_summary_ends(const struct trace_summary *s, uint64_t pc);

uint64_t trace_summary_count(const struct trace_summary *s, uint64_t pc);
/* The byte's value when it was first loaded and somebody else had written it; false if that
 * never happened. */
bool trace_summary_byte(const struct trace_summary *s, uint64_t address, uint8_t *value);

#endif
