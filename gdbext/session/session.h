/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A prompt around GDB: all of GDB's commands, as at its own prompt, and `why'.
 *
 * GDB runs behind its machine interface; each typed line goes to it unchanged.  The
 * program under it has a terminal of its own, which is tied to the user's while the
 * program runs, so its input and output never mix with GDB's.
 */
#ifndef GDBEXT_SESSION_SESSION_H
#define GDBEXT_SESSION_SESSION_H

#include <glib.h>
#include <stdbool.h>

#define SESSION_ERROR session_error_quark()
GQuark session_error_quark(void);
enum session_error {
	SESSION_ERROR_USAGE,	/* an option that a session cannot have */
	SESSION_ERROR_QUESTION, /* this question cannot be asked here */
};

struct session_options {
	const char *gdb;	     /* NULL: "gdb" from PATH */
	const char *const *gdb_args; /* GDB's own options and the program, as its command line
				      * takes them; NULL-terminated */
	const char *const *commands; /* these are typed before the user types; NULL-terminated */
	bool batch;		     /* these are typed, and nothing by the user */
};

/* Reads a command line as GDB takes it, without the program's name.  Strings belong to words or
 * are new and owned by *read.  False with one sentence for an option that a session cannot
 * have. */
struct session_words {
	char *gdb;
	GPtrArray *gdb_args, *commands; /* char *, NULL-terminated */
	bool batch;
};
bool session_read_words(char *const *words, struct session_words *read, GError **error);
void session_words_clear(struct session_words *read);

/* Runs until the user quits; *status is then the exit status of gdb-why.  False when GDB could
 * not be started or was lost. */
bool session_run(const struct session_options *options, int *status, GError **error);

#endif
