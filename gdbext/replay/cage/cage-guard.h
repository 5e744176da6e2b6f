/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guard of one caged run (or of one fork server).  It answers what the filter
 * leaves open.  It lives in our process, in the loop that waits for the run anyway.  It also
 * counts the memory for which the kernel has no limit.
 *
 *     guard = cage_guard_new(listener, pid, place, …);
 *     poll cage_guard_fd(guard) for POLLIN  → cage_guard_answer(guard, revents);
 *     every CAGE_GUARD_TICK_MS              → cage_guard_is_within(guard), else kill the run
 *
 * When our process is gone, the listener is gone, too.  Calls that would be asked about
 * then fail, and the supervisor kills the run.
 */
#ifndef GDBEXT_REPLAY_CAGE_CAGE_GUARD_H
#define GDBEXT_REPLAY_CAGE_CAGE_GUARD_H

#include "gdbext/replay/cage/together.h"
#include "solver/base/deadline.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#define CAGE_GUARD_TICK_MS 20

struct cage_guard;

struct cage_guard_options {
	int listener; /* belongs to the guard from now on */
	pid_t pid;
	const char *folder; /* the run's */
	int out, err;	    /* its output files, open */
	/* A file that the run writes as "out" in its folder instead, absolute; NULL = none. */
	const char *output_file, *output_before; /* as in struct cage_files; outlive the guard */
	bool serves;				 /* a fork server: see cage_guard_serve() */
	uint64_t memory; /* bytes that its files in memory may take, 0 = no limit */
	uint64_t disk;	 /* bytes that the files in its folder may take, 0 = no limit */
	uint64_t output; /* the same of each of its two output files */
	const struct deadline *until; /* then an answer that takes long is given up; NULL = never */
	/* Folders of which it reads nothing, absolute and without links, NULL-terminated;
	 * NULL = none.  They outlive the guard. */
	const char *const *hidden;
	/* Counts the programs that the run starts in appearance (cage-children.h); NULL = it can
	 * start none. */
	unsigned *started;
	/* The run starts on the guard's processor, and its guard ends that. */
	struct together together;
};

struct cage_guard *cage_guard_new(const struct cage_guard_options *options);
/* NULL is fine. */
void cage_guard_free(struct cage_guard *g);
int cage_guard_fd(const struct cage_guard *g);
/* Takes what poll says of the descriptor, and answers one call that waits.  When nobody is left
 * who could ask, the descriptor becomes -1, which poll ignores. */
void cage_guard_answer(struct cage_guard *g, short events);
/* It has asked nothing for a while. */
void cage_guard_part(struct cage_guard *g);
/* Call it before each wait for a question: ends waits of the run (cage-wait.h) that are over, and
 * says how long to wait, at most this many milliseconds. */
int cage_guard_patience(struct cage_guard *g, int ms);
/* Does the run keep to its limits? */
bool cage_guard_is_within(struct cage_guard *g);
/* The fork server stands where it will stay: from now on it may fork, and its children are the
 * runs. */
void cage_guard_serve(struct cage_guard *g);
/* Was it given files in memory, which it may have open or mapped? */
bool cage_guard_gave_files(const struct cage_guard *g);
/* Has the recorder opened its plan?  What stands in the plan afterwards may be the program's. */
bool cage_guard_took_plan(const struct cage_guard *g);
/* Is this one of its two output files; one of the pipes by which it is asked? */
bool cage_guard_is_output(const struct cage_guard *g, const struct stat *st);
bool cage_guard_is_pipe(const struct cage_guard *g, const struct stat *st);
/* Call it between two runs of a fork server: nothing is open any more. */
void cage_guard_forget(struct cage_guard *g);

#endif
