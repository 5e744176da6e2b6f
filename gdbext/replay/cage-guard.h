/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guard of one caged run (or of one fork server): it answers what the filter leaves open,
 * from our process, in the loop that waits for the run anyway; and it counts the memory that
 * no limit of the kernel's counts.
 *
 *     guard = cage_guard_new(listener, pid, place, …);
 *     poll cage_guard_fd(guard) for POLLIN  → cage_guard_answer(guard, revents);
 *     every CAGE_GUARD_TICK_MS              → cage_guard_is_within(guard), else kill the run
 *
 * When we are gone, so is the listener: then what would be asked fails, and the kernel kills the
 * run, whose parent we are.
 */
#ifndef GDBEXT_REPLAY_CAGE_GUARD_H
#define GDBEXT_REPLAY_CAGE_GUARD_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define CAGE_GUARD_TICK_MS 20

struct cage_guard;

struct cage_guard_options {
	int listener; /* the guard's from now on */
	pid_t pid;
	const char *folder; /* the run's */
	int out, err;	    /* its output files, open */
	bool serves;	    /* it may fork, and its children are the runs */
	uint64_t memory;    /* bytes that its files in memory may take, 0 = no limit */
	uint64_t disk;	    /* bytes that the files in its folder may take, 0 = no limit */
};

struct cage_guard *cage_guard_new(const struct cage_guard_options *options);
/* NULL is fine. */
void cage_guard_free(struct cage_guard *g);
int cage_guard_fd(const struct cage_guard *g);
/* What poll says of it: one call that waits is answered.  When nobody is left who could ask, the
 * descriptor becomes -1, which poll passes over. */
void cage_guard_answer(struct cage_guard *g, short events);
/* Does it keep to its limits? */
bool cage_guard_is_within(struct cage_guard *g);
/* Between two runs of a fork server: nothing is open any more. */
void cage_guard_forget(struct cage_guard *g);

#endif
