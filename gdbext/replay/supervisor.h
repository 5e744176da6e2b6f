/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The supervisor is a small process between us and the first run, which is not caged.
 * Everything that the program leaves behind (children, daemons) becomes the
 * supervisor's child, because it is their subreaper, and dies with it.  When we vanish
 * in whatever way, SIGKILL included, the supervisor sees its socket close and kills
 * what still runs, also in GDB's session.
 */
#ifndef GDBEXT_REPLAY_SUPERVISOR_H
#define GDBEXT_REPLAY_SUPERVISOR_H

#include "gdbext/replay/launch.h"

struct supervisor;

/* Forks the supervisor, with a copy of *l that it starts when it is asked to.  Fork it while
 * our process is small. */
struct supervisor *supervisor_new(const struct launch *l, GError **error);
/* Kills all that it keeps and ends it.  NULL is fine. */
void supervisor_free(struct supervisor *k);

/* Tells it GDB's session, which it clears when we vanish.  GDB itself dies with us, but a
 * process on which it tries ptrace does not. */
void supervisor_watch_session(struct supervisor *k, pid_t session);

/* Starts the program; it stands stopped (SIGSTOP) at its first instruction,
 * for GDB to attach.  0 with error when it cannot be started. */
pid_t supervisor_start(struct supervisor *k, GError **error);

/* Kills the program and all its descendants, and waits until they are gone. */
void supervisor_kill(struct supervisor *k);

#endif
