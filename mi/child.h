/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The GDB process behind a connection: three pipes and a session of its own.
 *
 * Everything that GDB starts is in that session unless it leaves it by itself.
 * The session is swept before GDB is reaped, while its id cannot be reused.
 */
#ifndef MI_CHILD_H
#define MI_CHILD_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

struct mi_child {
	pid_t pid;	  /* 0: none, or reaped */
	int in, out, err; /* our ends, non-blocking; -1: closed */
};

/* Starts argv[0] (looked up in our PATH) with this environment, in this
 * directory (NULL: here).  It is killed when the calling thread ends. */
bool mi_child_start(struct mi_child *child, char **argv, char **envp, const char *directory,
		    GError **error);

/* Has it ended?  Does not reap it. */
bool mi_child_has_ended(const struct mi_child *child);

/* Writes what fits now.  Bytes taken, or -1 when no one reads any more.  Never
 * raises SIGPIPE. */
gssize mi_child_write(struct mi_child *child, const void *bytes, size_t n);

/* Closes the pipes, kills what is left in its session, reaps it.  Returns how
 * it had ended, "was killed by signal 9 (Killed)"; free it. */
char *mi_child_finish(struct mi_child *child);

/* Kills the processes of the session until none is left, or until some seconds are over. */
void mi_child_sweep(pid_t session);

#endif
