/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cage of forced runs.  A run that is forced down another branch, or whose
 * code or memory is changed, may do anything; the world outside of it must not
 * notice.
 *
 * The child that is to become the program puts a seccomp filter on itself before
 * it executes the program (most of it may have been put on its parent, the supervisor of caged
 * runs, before: cage_narrow_self), so no code of the program, of its libraries or of the
 * loader has ever run outside of it, and threads inherit it.  The filter is an
 * allow-list (cage-calls.h).  What it can neither allow nor refuse by itself it
 * passes to the guard (cage-guard.h), which lives in our process: opening files
 * above all.  The recorder inside the program has no privilege that the program
 * lacks.
 *
 *     cage = cage_new(&error);             once; NULL: this system gives none
 *     launch_start() with .cage            calls cage_aim and cage_close_on_self
 *     guard = cage_guard_new(…)            answers while the run lives
 */
#ifndef GDBEXT_REPLAY_CAGE_CAGE_H
#define GDBEXT_REPLAY_CAGE_CAGE_H

#include <glib.h>
#include <stdbool.h>

struct cage;
struct sock_filter;

/* NULL with REPLAY_ERROR_CAGE: the kernel, or the container that we are in, cannot give a cage.
 * The message says what is missing. */
struct cage *cage_new(GError **error);
/* NULL is fine. */
void cage_free(struct cage *cage);

/* The calls that a child makes after the filter is in force and before it is the program:
 * execve with exactly these pointers, sendmsg with this message.  Nobody gains anything by
 * guessing them, because what is executed then is in the cage, too. */
struct cage_start {
	const void *path, *argv, *envp, *message;
};
/* The filter for such a child, whose parent was narrowed or not; *n instructions.  Caller frees. */
struct sock_filter *cage_aim(const struct cage *cage, bool narrowed, const struct cage_start *start,
			     size_t *n);

/* Closes the cage on the calling process, which keeps only the rights that it needs to start caged
 * runs.  These inherit its filter and add a short one of their own, so a run starts faster.  False
 * with errno when nothing has changed. */
bool cage_narrow_self(const struct cage *cage);

/* Called in the child: from now on it is in the cage.  It calls only the kernel, because memory
 * is shared with the parent.  forks: its children, which have the filter too, are other processes
 * than it, so the guard decides about all signals.  Returns the listener for the guard, which the
 * next exec closes; -1 with errno. */
int cage_close_on_self(struct sock_filter *filter, size_t n, bool forks);

#endif
