/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One build or one run of a test: a session of its own, killed whole when its first process has
 * ended, when its time is up or when we are interrupted.  What it prints goes to a file.
 */
#ifndef GDBEXT_REGRESS_WORKSHOP_PROCESS_H
#define GDBEXT_REGRESS_WORKSHOP_PROCESS_H

#include <glib.h>
#include <stdbool.h>

struct view;

enum regress_end { REGRESS_EXITED, REGRESS_SIGNALLED, REGRESS_TIMED_OUT, REGRESS_CANCELLED };

struct supervisor;

struct regress_process {
	struct supervisor *supervisor;
	char *const *argv; /* argv[0]: a path with a slash, or a name that PATH is searched for */
	char *const *envp;
	const struct view *view; /* its .onto[0] NULL = it sees what we see */
	const char *directory;	 /* as it sees it */
	const char *stdin_file;	 /* absolute; NULL = empty */
	const char *log;	 /* standard output and error go there; NULL = nowhere */
	const char *out;	 /* standard output goes there instead; NULL = it does not */
	double timeout;		 /* seconds */
};

/* Runs it and waits; may be called by several threads.  *number: the exit status or the signal.
 * False with error when it could not be started. */
bool regress_process_run(const struct regress_process *p, enum regress_end *end, int *number,
			 GError **error);

#endif
