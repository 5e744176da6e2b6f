/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A caged process that stands still at one point and forks a run for each request: such a
 * run costs a fork and what comes after that point (TRACE_SERVE, gdbext/agent/process/serve.c).
 */
#ifndef GDBEXT_REPLAY_SERVER_FORK_SERVER_H
#define GDBEXT_REPLAY_SERVER_FORK_SERVER_H

#include "gdbext/replay/internal.h"

struct fork_server;

/* Starts it.  native: it serves from where the program is loaded, with changes of code; otherwise
 * from request->thread's instruction number request->from on.  request's own actions, which
 * only native ones have, are done in all runs.  NULL with error.  r must outlive it, and may
 * be turned to other tests meanwhile. */
struct fork_server *fork_server_new(struct replay *r, const struct run_request *request,
				    GError **error);
/* Ends its processes and removes its folder.  NULL is fine. */
void fork_server_free(struct fork_server *s);

/* From now on a run is ended when it has written more bytes than expected, so many at least, or,
 * with more == 0, anything else than expected.  expected outlives the server; NULL = nobody knows.
 */
void fork_server_expect(struct fork_server *s, const struct expected_output *expected,
			uint64_t more);
/* Its folder, in which a run leaves its record and its output: until the next run. */
const char *fork_server_folder(const struct fork_server *s);
/* May the process be forked where it stands, with no harm to what a run sees?  Not when it has
 * threads, writable memory in common with others, or files that runs would share. */
bool fork_server_is_forkable(const struct fork_server *s);

/* Waits until it serves.  False without error when it never will: the program ended before, or
 * cannot be served; with error: interrupted. */
bool fork_server_wait(struct fork_server *s, GError **error);
/* Makes one run; the caller has waited.  A run that takes too long or too much ends the server as
 * well.  False with error: it was interrupted, or the server is gone. */
bool fork_server_run(struct fork_server *s, const struct trace_request *request,
		     struct run_ending *ending, GError **error);

#endif
