/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a caged run gets when it opens a file:
 *   - to read: the files and directories themselves, with descriptions of their own;
 *   - to write: a copy in memory, or an empty file in memory when there is no such file;
 *   - the run's own files (its output, its record): themselves;
 *   - devices: null, zero, full, random, urandom;
 *   - everything at which one cannot look without an effect on others (terminals and other
 *     devices, named pipes, sockets, what other processes have open): an error.
 * A path is first opened with O_PATH, and then exactly what that found is opened, so
 * nothing can be put in its place in between.
 */
#ifndef GDBEXT_REPLAY_CAGE_CAGE_OPEN_H
#define GDBEXT_REPLAY_CAGE_CAGE_OPEN_H

#include "solver/base/deadline.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The files that one run has. */
struct cage_files {
	const char *folder; /* the folder with its plan and its record */
	int folder_fd;	    /* O_PATH */
	dev_t out_dev[2];   /* of its output files */
	ino_t out_ino[2];
	pid_t server; /* the fork server itself, which has pipes and its notes in the folder; else 0
		       */
	/* A file that takes the place of the run's standard output: the run gets "out" in its
	 * folder instead.  NULL = there is none. */
	const char *output_name; /* in the folder that is: */
	dev_t output_dev;
	ino_t output_ino;
	const char
		*output_before; /* a file: what was in it before the test; NULL = there was none */
	GArray *in_memory; /* int: files in memory that it was given, kept here to be counted */
	uint64_t room;	   /* bytes that a copy may have */
	const struct deadline *until; /* nothing is copied any more */
	bool plan_taken;	      /* the recorder was loaded, and has opened its plan */
	const char *const *hidden;    /* as in struct cage_guard_options */
	/* Called before a file of /proc is opened, or copied: it may tell of the run; NULL = no. */
	void (*before_proc)(void *data);
	void *data;
};

/* open(2) for a thread of the run: the path at `address', relative to its descriptor `at'.
 * Returns a descriptor of ours that is to be given to it; else minus the error. */
int cage_open(struct cage_files *files, pid_t thread, int at, unsigned long address, int flags);
/* The same for memfd_create(2). */
int cage_open_memory(struct cage_files *files, unsigned flags);

#endif
