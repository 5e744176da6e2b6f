/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process that sees a folder in the place of other ones: absolute names of files in those, which
 * `configure' and the like write into what they make, then mean files of that folder.
 *
 * It is a mount namespace of the process's own (mount_namespaces(7)); without the right to mount,
 * in a user namespace in which the process keeps its user and group.  Nobody else sees the mounts,
 * and they end with the last process that is started in it.
 */
#ifndef GDBEXT_REPLAY_CAGE_VIEW_H
#define GDBEXT_REPLAY_CAGE_VIEW_H

#include <stdbool.h>
#include <stddef.h>

enum { VIEW_MOST = 2 };

struct view {
	const char *folder;	     /* absolute */
	const char *onto[VIEW_MOST]; /* absolute folders that are there; NULL = no more */
};

/* Enters it; for a process that has just been forked, also one that shares our memory.  False with
 * errno. */
bool view_enter(const struct view *v);

/* Is the system one on which this works?  Tries it in a process of its own. */
bool view_is_possible(const struct view *v);

#endif
