/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of one test with changed code, of which each starts as late as its change allows: what is
 * changed is first executed behind a loop, say, so the loop need not run again.  The processes
 * from which such runs are forked wait at instructions that are executed for the first time.  One
 * is started when the runs so far have executed in vain what its start will cost.
 */
#ifndef GDBEXT_REPLAY_SERVER_LATE_SERVERS_H
#define GDBEXT_REPLAY_SERVER_LATE_SERVERS_H

#include "gdbext/replay/server/native-server.h"
#include "solver/limits/limits.h"

/* Where an instruction is executed for the first time. */
struct late_place {
	unsigned module; /* of the plan */
	uint64_t addr;	 /* link-time */
	uint64_t step;	 /* instructions before it */
};

struct late_servers;

/* The test: its arguments, standard input and what it has to write (NULL: it has to exit with
 * status 0); without a change it executes so many instructions.  Nothing is owned. */
struct late_servers *late_servers_new(struct replay *r, char *const *argv, const char *stdin_file,
				      const struct expected_output *expected, uint64_t instructions,
				      const struct limits *limits);
void late_servers_free(struct late_servers *s); /* NULL is fine */

enum late_outcome { LATE_NONE, LATE_FAILS, LATE_PASSES, LATE_CUT };
/* A run whose n changes concern nothing that is executed before the place.  most_us: what the
 * whole run may take.  LATE_NONE: it has to be made from the start. */
enum late_outcome late_servers_run(struct late_servers *s, const struct late_place *place,
				   const struct trace_action *changes, size_t n, uint64_t most_us);

#endif
