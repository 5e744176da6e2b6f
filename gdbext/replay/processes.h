/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which program failed, of all that a command starts: a script, a runner of tests, a build's
 * `check'.  The command is run once as it is, and each of its processes is watched by ptrace(2):
 * what it executes, and how it ends.
 */
#ifndef GDBEXT_REPLAY_PROCESSES_H
#define GDBEXT_REPLAY_PROCESSES_H

#include "solver/base/deadline.h"

#include <glib.h>
#include <stdbool.h>

struct process {
	char *program; /* absolute path of the executable */
	char **argv;
	char *directory;
	char *library_path; /* LD_LIBRARY_PATH when it is another than ours; NULL = it is not */
	int status;	    /* as wait tells it; never 0 */
};

/* Runs the command and returns the processes that executed a program and did not end with status 0,
 * in the order of their ends (struct process; free with g_ptr_array_unref).  What it prints is
 * lost.  directory, stdin_file: NULL = here, empty.  Until the deadline, when all are killed. NULL:
 * it cannot be run, or not be watched here. */
GPtrArray *processes_failed(char *const *argv, const char *directory, const char *stdin_file,
			    const struct deadline *until);
/* The command that explains it, for a shell; caller frees. */
char *process_command(const struct process *p);
/* "exit status 4", "SIGSEGV"; caller frees. */
char *process_end(const struct process *p);

#endif
