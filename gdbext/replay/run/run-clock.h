/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long a run has been going, as far as that is its own doing.  The time that it
 * stood in the queue for a processor is not counted, so that a busy machine does not
 * end a run that would have been over in time: how a run ends must not depend on what
 * else the machine does.  Sleeping counts, so a run that waits for ever is ended too.
 */
#ifndef GDBEXT_REPLAY_RUN_RUN_CLOCK_H
#define GDBEXT_REPLAY_RUN_RUN_CLOCK_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

struct run_clock {
	pid_t pid;
	gint64 start, limit; /* monotonic time, and a duration; microseconds */
	gint64 queued;	     /* before the start */
};

/* pid: a process that lives; its process group counts with it. */
struct run_clock run_clock_start(pid_t pid, double seconds);
/* The same for one that has just been started; it asks nothing of the kernel. */
struct run_clock run_clock_of_new(pid_t pid, double seconds);
/* Microseconds that the run has left, at most 0 when its time is up. */
gint64 run_clock_left(const struct run_clock *c);

#endif
