/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many runs of the test to which r is turned, each with its own change of the code
 * (TRACE_ACTION_CODE).  They are neither counted nor recorded.  A process that is ready to
 * start the program forks once for each run, in the cage, like other changed runs.
 */
#ifndef GDBEXT_REPLAY_SERVER_NATIVE_SERVER_H
#define GDBEXT_REPLAY_SERVER_NATIVE_SERVER_H

#include "gdbext/replay/replay.h"

struct replay_server;
/* changes: n that are made in each run.  NULL with error.  r must outlive it, and may be turned to
 * other tests. */
struct replay_server *replay_server_new(struct replay *r, const struct trace_action *changes,
					size_t n, GError **error);
/* The same with a process that waits before an instruction of the program is executed for the first
 * time: it makes runs with changes of what was not executed before.  addr: its link-time address in
 * this module of the plan. */
struct replay_server *replay_server_new_at(struct replay *r, unsigned module, uint64_t addr,
					   GError **error);
/* Waits until the process has come there, and says whether it can be forked there.  Otherwise it is
 * of no use. */
bool replay_server_has_arrived(struct replay_server *s);
/* Ends its processes.  NULL is fine. */
void replay_server_free(struct replay_server *s);
/* From now on its runs pass when they write and exit so; expected must outlive it. */
void replay_server_expect(struct replay_server *s, const struct expected_output *expected);
/* Makes a run with n more changes, at most TRACE_MOST_SERVED, that is killed after most_us of its
 * own processor time.  *passes: it exits with status 0, or as is expected; *took_us: the processor
 * time of the run and its children (either may be NULL).  False with error: it was interrupted, or
 * cannot be run like that. */
bool replay_server_run(struct replay_server *s, const struct trace_action *changes, size_t n,
		       uint64_t most_us, bool *passes, uint64_t *took_us, GError **error);
/* What the last run noted (TRACE_ACTION_CODE_NOTE): struct trace_note, *n_values of them each time
 * that control came there; *all is false when there was no room for more.  Free the array. */
GArray *replay_server_notes(const struct replay_server *s, unsigned *n_values, bool *all);

#endif
