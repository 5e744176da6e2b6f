/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs in which the program becomes one of its child processes (gdbext/agent/process/follow.c). The
 * first run notes the children; one of them is chosen; a second first run, and all others, are
 * those of the child.
 *
 * Of runs of the program itself, only the first makes children: a caged run starts no process.  It
 * is told that they were made and ended as they did in the first one.
 */
#ifndef GDBEXT_REPLAY_FOLLOW_H
#define GDBEXT_REPLAY_FOLLOW_H

#include "gdbext/replay/replay.h"

/* A child, as it is written into plans. */
struct follow {
	uint32_t child; /* from 1; 0 = none is followed */
	bool is_known;	/* .forks are those of the first test */
	bool absent;	/* caged runs are told of .forks instead of making children */
	struct trace_fork forks[TRACE_MAX_FORKS];
};

/* The first child of the run that was waited for and did not end with status 0; 0 = there is
 * none.  *status: as wait tells it. */
unsigned follow_failed_child(const struct replay_failing *run, int *status);
/* Did the run start other processes?  True also when that is not known. */
bool follow_has_children(const struct replay_failing *run);
/* The followed child as one word for a record, "2:0,256"; NULL when none is followed.  The
 * caller frees it. */
char *follow_in_words(const struct follow *f);
/* False when the word makes no sense. */
bool follow_read(struct follow *f, const char *word);
/* Takes over how the children of that run ended, if it made any and all are known: none of them is
 * followed. */
void follow_tell_of_children(struct follow *f, const struct replay_failing *run);
/* Takes over how the children of that run ended. */
bool follow_take(struct follow *f, const struct replay_failing *run, unsigned child);

#endif
