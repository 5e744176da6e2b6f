/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Another gdb-why that works beside us: started with `--events', heard through events
 * (event.h), cancelled, and never left behind.
 *
 *     ipc_child_new ──► on_event, any number ──► on_end, once ──► ipc_child_free
 *
 * All calls come from the main loop (GLib's default context), never from within a call of
 * ours.  The child has no terminal, and it ends when we do.
 */
#ifndef GDBEXT_IPC_CHILD_H
#define GDBEXT_IPC_CHILD_H

#include "gdbext/ipc/event.h"

struct ipc_child;

struct ipc_start {
	/* gdb-why, its command and the rest, NULL-terminated; `--events' is put behind the
	 * command. */
	char *const *argv;
	char *const *environment; /* NULL: ours */
	const char *directory;	  /* NULL: ours */
	bool is_answered;	  /* it has a standard input, for ipc_child_tell */
	/* PROGRESS, FOUND, RESULT, OUTPUT, ASK.  It may take .answer out, by setting it to NULL. */
	void (*on_event)(void *arg, struct event *e);
	void (*on_end)(void *arg); /* it has ended; it may be freed there */
	void *arg;
};

/* NULL with a sentence when it cannot be started. */
struct ipc_child *ipc_child_new(const struct ipc_start *start, GError **error);
/* Ends it and all that it has started, if it still runs, which may take some seconds; NULL is
 * fine. */
void ipc_child_free(struct ipc_child *c);

/* Sends the child a line (without its newline), if .is_answered.  It reads one after EVENT_ASK
 * only. */
void ipc_child_tell(struct ipc_child *c, const char *line);

/* What Ctrl-C does.  on_end follows within seconds, in whatever way it ends. */
void ipc_child_cancel(struct ipc_child *c);

/* Its exit status; 128 + N when signal N ended it or what it said was no event; -1: it runs. */
int ipc_child_status(const struct ipc_child *c);
/* Is its failure that the file of --record is no good? */
bool ipc_child_blames_record(const struct ipc_child *c);
/* Its notes and failures, and what became of it when it ended without a word: a sentence a
 * line; "": nothing. */
const char *ipc_child_complaints(const struct ipc_child *c);

#endif
