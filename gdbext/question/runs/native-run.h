/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that runs by itself for the test of the command line: without GDB, recorder and cage.
 */
#ifndef GDBEXT_QUESTION_RUNS_NATIVE_RUN_H
#define GDBEXT_QUESTION_RUNS_NATIVE_RUN_H

#include "gdbext/options/options.h"
#include "solver/output/printed.h"

struct native_run {
	GString *text[PRINTED_STREAMS]; /* what it wrote; never NULL */
	bool timed_out, exited;
	int status; /* when .exited */
};

/* Runs the program, a path or a command, with PROG's arguments, input and directory, and no longer
 * than a run may take.  False with error when it does not start.  Clear *run with
 * native_run_clear. */
bool native_run(const struct options *o, const char *program, struct native_run *run,
		GError **error);
void native_run_clear(struct native_run *run);

#endif
