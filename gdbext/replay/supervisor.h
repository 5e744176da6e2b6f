/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The supervisor: a small process between us and the uncaged first run.  All that
 * the program leaves behind (children, daemons) becomes the supervisor's child,
 * because it is their subreaper, and dies with it.  When we vanish in whatever
 * way, SIGKILL included, the supervisor sees its socket close and kills what still
 * runs, in GDB's session too.
 */
#ifndef GDBEXT_REPLAY_SUPERVISOR_H
#define GDBEXT_REPLAY_SUPERVISOR_H

#include "gdbext/replay/launch.h"

struct supervisor;

/* Forks the supervisor, with a copy of *l that it will start on demand.  Fork it
 * while we are small. */
struct supervisor *supervisor_new(const struct launch *l, GError **error);
/* Kills all that it keeps and ends it.  NULL is fine. */
void supervisor_free(struct supervisor *k);

/* GDB's session: swept should we vanish.  GDB itself dies with us, but not a
 * process that it tries ptrace on. */
void supervisor_watch_session(struct supervisor *k, pid_t session);

/* Starts the program; it stands stopped (SIGSTOP) at its first instruction,
 * for GDB to attach.  0 with error when it cannot be started. */
pid_t supervisor_start(struct supervisor *k, GError **error);

/* Kills the program and all its descendants, and waits until they are gone. */
void supervisor_kill(struct supervisor *k);

#endif
