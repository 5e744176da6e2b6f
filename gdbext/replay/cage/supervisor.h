/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The supervisor is a small process between us and every program that we run: the first run under
 * GDB, caged runs, the tests of a suite, builds.  It starts them, so it is their parent.
 * Everything that they leave behind (children, daemons) becomes its child, because it is their
 * subreaper, and dies with it.  When we vanish in whatever way, SIGKILL included, the supervisor
 * sees its socket close and kills what still runs, also in GDB's session.  So nothing that a
 * program does (a new session, a daemon, no parent-death signal, ignored signals) makes it stay.
 *
 *     k = supervisor_new(NULL, NULL, 0, &error);
 *     pid = supervisor_start(k, &launch, &error);
 *     watch pid by pidfd_open(); then, or to end it early:
 *     supervisor_end(k, pid, &how, &error);
 *     supervisor_free(k);
 *
 * Several threads may call it.
 */
#ifndef GDBEXT_REPLAY_CAGE_SUPERVISOR_H
#define GDBEXT_REPLAY_CAGE_SUPERVISOR_H

#include "gdbext/replay/cage/launch.h"

struct supervisor;

/* Forks the supervisor; fork it while our process is small.  It keeps the inherited descriptors
 * open.  The cage (NULL = none) is that of all its launches that have one; it must be there now. */
struct supervisor *supervisor_new(const struct cage *cage, const int *inherited, size_t n_inherited,
				  GError **error);
/* One for caged runs alone, without .view and .stop.  It has closed on itself what is alike in the
 * cages of all runs, so that each costs less. */
struct supervisor *supervisor_new_caged(const struct cage *cage, const int *inherited,
					size_t n_inherited, GError **error);
/* Kills all that it keeps and ends it.  NULL is fine. */
void supervisor_free(struct supervisor *k);

/* Tells it GDB's session, which it clears when we vanish.  GDB itself dies with us, but a
 * process on which it tries ptrace does not. */
void supervisor_watch_session(struct supervisor *k, pid_t session);

/* Starts a program as launch_start does, but as the supervisor's child.  With .stop it stands
 * stopped (SIGSTOP) at its first instruction, for GDB to attach.  Returns 0 with error when it
 * cannot be started. */
pid_t supervisor_start(struct supervisor *k, const struct launch *l, GError **error);

struct supervised_end {
	int status; /* of wait */
	double cpu; /* seconds */
};
/* Kills the program's group and what is left of the program, waits for it, and tells how it
 * ended.  *end may be NULL.  False with error when the supervisor was killed; then all its programs
 * are killed, too. */
bool supervisor_end(struct supervisor *k, pid_t pid, struct supervised_end *end, GError **error);

/* Kills all programs and all their descendants, and waits until they are gone. */
void supervisor_kill(struct supervisor *k);

#endif
