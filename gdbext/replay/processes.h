/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which programs a command starts: a script, a runner of tests, a build's `check'.  The command
 * is run once as it is, and each of its processes is watched by ptrace(2): what it executes, with
 * which arguments, environment and standard input, and how it ends.
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
	char **variables;  /* "NAME=VALUE" of those that are others than ours */
	char **unset;	   /* names of ours that it does not have */
	char *stdin_file;  /* the file that it reads from its beginning; NULL = there is none */
	bool reads_a_pipe; /* its standard input is a pipe */
	int status;	   /* as wait tells it */
};

/* Runs the command and returns the processes that executed a program, in the order of their ends
 * (struct process; free with g_ptr_array_unref).  What it prints is
 * lost.  directory, stdin_file: NULL = here, empty.  Until the deadline, when all are killed. NULL:
 * it cannot be run, or not be watched here. */
GPtrArray *processes_of(char *const *argv, const char *directory, const char *stdin_file,
			const struct deadline *until);
/* The command that explains it, for a shell; options: further ones, "" or with a blank behind.
 * Caller frees. */
char *process_command(const struct process *p, const char *options);
/* "exit status 4", "SIGSEGV"; caller frees. */
char *process_end(const struct process *p);

#endif
