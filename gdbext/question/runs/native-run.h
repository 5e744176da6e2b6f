/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that runs by itself for the test of the command line: without GDB, recorder and cage.
 */
#ifndef GDBEXT_QUESTION_RUNS_NATIVE_RUN_H
#define GDBEXT_QUESTION_RUNS_NATIVE_RUN_H

#include "gdbext/options/options.h"

struct native_run {
	GString *text; /* what it wrote to the stream; never NULL */
	bool timed_out, exited;
	int status; /* when .exited */
};

/* Runs the program, a path or a command, with PROG's arguments, input and directory, and no longer
 * than a run may take.  error_stream: .text is of standard error, else of standard output; the
 * other one is lost.  False with error when it does not start.  Clear *run with native_run_clear.
 */
bool native_run(const struct options *o, const char *program, bool error_stream,
		struct native_run *run, GError **error);
void native_run_clear(struct native_run *run);

#endif
