/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths with the meaning that they have for a process in the cage: relative to its
 * working directory or to one of its descriptors, and with its own /proc/self.
 */
#ifndef GDBEXT_REPLAY_CAGE_CAGE_PATH_H
#define GDBEXT_REPLAY_CAGE_CAGE_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* Is the file open there one of /proc? */
bool cage_is_on_proc(int fd);
/* The process that a thread belongs to, 0 = it is gone. */
pid_t cage_process_of(pid_t thread);
/* Are both the same process, or threads of it? */
bool cage_is_same_process(pid_t process, pid_t thread);

/* The name of a file that a thread in the cage used; it was copied, so the thread cannot change
 * it any more. */
struct cage_name {
	pid_t thread;
	int base; /* O_PATH: what the path starts from; -1 = it is absolute */
	char path[PATH_MAX];
};

/* Reads it from the thread's memory: the path at `address', relative to its descriptor `at'.
 * 0, else minus the error.  Clear it with cage_name_clear. */
int cage_name_read(struct cage_name *name, pid_t thread, int at, unsigned long address);
void cage_name_clear(struct cage_name *name);

/* Opens what it names with O_PATH, which has no effect on it; else minus the error.  What
 * another process has open is never given. */
int cage_name_look(const struct cage_name *name, bool follow);
/* The same for the directory in which it names something. */
int cage_name_look_parent(const struct cage_name *name);

/* Opens what an O_PATH descriptor stands for; else minus the error. */
int cage_reopen(int node, int flags);

#endif
