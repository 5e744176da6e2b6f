/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks now and then at what a run has printed, while it goes on: one that has printed something
 * wrong, or far too much, need not come to its end.  It is looked at first after a millisecond,
 * because most runs are over by then, and then each time that it has gone on for twice as long.
 */
#ifndef GDBEXT_REPLAY_RUN_OUTPUT_WATCH_H
#define GDBEXT_REPLAY_RUN_OUTPUT_WATCH_H

#include "solver/output/expected.h"

struct output_watch {
	const struct expected_output *expected; /* NULL = nobody knows: nothing is looked at */
	const char *folder;			/* the run's */
	uint64_t more; /* it is over when it wrote so many bytes more; 0: once a byte is wrong */
	gint64 began, next; /* monotonic microseconds */
};

/* A run begins, whose folder outlives the watch. */
struct output_watch output_watch_new(const struct expected_output *expected, const char *folder,
				     uint64_t more);
/* Looks, when it is time to.  Returns the microseconds until the next time, -1 = never. *over: the
 * run need not go on; left as it is otherwise. */
gint64 output_watch_look(struct output_watch *w, bool *over);

#endif
