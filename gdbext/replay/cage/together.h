/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A caged run that starts asks its guard for each file that it opens, and one of the two always
 * waits for the other.  As long as that goes on they share a processor, since a question to
 * another processor, which has to wake up first, costs several times as much.  The guard does not
 * push the run off that processor either when it wakes (SCHED_BATCH), since the run is about to
 * wait for it anyway: that saves two switches for each answer.  The run must not
 * notice: before it can see on which processors it may run, and as soon as it asks no more,
 * they part.
 */
#ifndef GDBEXT_REPLAY_CAGE_TOGETHER_H
#define GDBEXT_REPLAY_CAGE_TOGETHER_H

#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

#define TOGETHER_MS 2 /* without a question */

struct together {
	bool holds, yields;
	cpu_set_t one, all; /* when .holds: where they are, and where they may be else */
};

/* The calling thread stays on the processor that it is on, and pushes nobody off it. */
void together_begin(struct together *t);
/* What pid starts from now on starts there, too; until it is released. */
void together_bring(const struct together *t, pid_t pid);
void together_release(const struct together *t, pid_t pid);
/* The calling thread and all threads of pid (0 = there is none) may be anywhere again.  No more
 * than once. */
void together_end(struct together *t, pid_t pid);

#endif
