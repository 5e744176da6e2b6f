/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs that a caged run starts in appearance.  No process is made: vfork(2), and clone(2) as
 * posix_spawn(3) calls it, return the number of a process that does not exist, and wait4(2) and
 * waitid(2) tell once of each that it exited with status 0.  What such a child does in the
 * program's memory is close to nothing before it executes another program, so the run goes on as
 * if that program had printed nothing.  fork(2) is refused here: its child goes on in the program's
 * own code.  The recorder pretends it where the first run tells how each child ended
 * (gdbext/replay/follow.h).
 */
#ifndef GDBEXT_REPLAY_CAGE_CAGE_CHILDREN_H
#define GDBEXT_REPLAY_CAGE_CAGE_CHILDREN_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct seccomp_notif;

struct cage_children {
	GArray *pids; /* int: those that were not waited for */
	unsigned made;
};

void cage_children_init(struct cage_children *c);
void cage_children_clear(struct cage_children *c);
/* Nobody waits for any of them. */
void cage_children_forget(struct cage_children *c);
/* Is it a call that starts another program, and nothing else? */
bool cage_children_starts(const struct seccomp_notif *request);
/* The number of one more; minus the error when there are too many. */
int cage_children_add(struct cage_children *c);
/* Has no process such a number?  The agent tells of children with one, too
 * (gdbext/agent/process/follow.c). */
bool cage_children_only_seem(int pid);
/* Answers a wait4 or waitid that came by the listener.  False: it waits for none of them, and is
 * the kernel's.  *result: what it returns, or minus the error. */
bool cage_children_wait(struct cage_children *c, const struct seccomp_notif *request, int listener,
			int *result);

#endif
