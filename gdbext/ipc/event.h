/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a gdb-why that works in the background tells the one that started it: one JSON object
 * a line, on the descriptor that `--events FD' names.  README.md lists the members.
 *
 *     {"event":"progress","stage":"record","runs":0}
 *     {"event":"found","answer":{...}}          one line each time that a suspect is proven
 *     {"event":"ask","text":"..."}              it waits for a line on its standard input
 *     {"event":"answer","answer":{...}}         at most one; or with "text"
 *     {"event":"end","status":0}                always the last line
 */
#ifndef GDBEXT_IPC_EVENT_H
#define GDBEXT_IPC_EVENT_H

#include "solver/explanation.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define EVENT_ERROR event_error_quark()
GQuark event_error_quark(void);
/* Each message is a full sentence. */
enum event_error {
	EVENT_ERROR_LINE,	/* it is no event */
	EVENT_ERROR_DESCRIPTOR, /* events cannot be written to it */
};

enum event_kind {
	EVENT_PROGRESS,
	EVENT_FOUND,   /* what is known so far */
	EVENT_RESULT,  /* the whole answer */
	EVENT_OUTPUT,  /* what the failing run printed */
	EVENT_NOTE,    /* a sentence, and it goes on */
	EVENT_ASK,     /* what it has to say so far; it waits for a line on its standard input */
	EVENT_FAILURE, /* a sentence, and it ends */
	EVENT_END,
};

enum event_stage {
	EVENT_RECORD, /* the program is run for the first time, or its record is read */
	EVENT_SOLVE,  /* what it did is analysed */
	EVENT_PROVE,  /* it is run with a change */
};

struct event {
	enum event_kind kind;
	enum event_stage stage; /* PROGRESS */
	uint64_t runs;		/* PROGRESS: with a change, so far */
	int status;		/* FAILURE, END: as gdb-why's exit status */
	bool about_record;	/* FAILURE: the file of --record is no good; the test has to run */
	/* FOUND; RESULT: this, or .text.  The reader owns what it has read until event_clear. */
	struct explanation *answer;
	const char *text; /* RESULT (for a person to read), OUTPUT, NOTE, ASK, FAILURE; else NULL */
	const char *name; /* OUTPUT: "standard output", "standard error"; else NULL */
	const char *ends; /* RESULT of `try': how the run ends, "fails an assertion"; else NULL */
};

/* Reads one line, without its newline.  On success *out is filled; clear it with event_clear.
 * False with EVENT_ERROR_LINE: it is no event, or lacks a member that its kind needs. */
bool event_read(const char *line, gsize length, struct event *out, GError **error);
/* Frees what event_read has made; .answer may have been taken out before. */
void event_clear(struct event *e);

/* Checks once, before the first event, that fd can be written to, and keeps it from programs
 * that we start. */
bool event_can_write(int fd, GError **error);
/* Writes the line of e; fd 0: nobody listens, so it does nothing.  Nothing is told of a reader
 * that has gone: we are ended by a signal then. */
void event_write(int fd, const struct event *e);

#endif
