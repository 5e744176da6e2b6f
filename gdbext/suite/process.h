/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run of one test: a process group of its own.  It is killed as a whole when its
 * first process has ended, when its time is up, or when it is freed.  What flees from the
 * group (daemons) lives until the supervisor ends.  Its standard
 * error goes nowhere; of its output, the length and a digest are kept, and all of it where it is
 * short and somebody asked for that.
 */
#ifndef GDBEXT_SUITE_PROCESS_H
#define GDBEXT_SUITE_PROCESS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum suite_end_kind { SUITE_EXITED, SUITE_SIGNALLED, SUITE_TIMED_OUT };
enum { SUITE_DIGEST = 32 };

struct suite_end {
	enum suite_end_kind kind;
	int number;   /* EXITED: the status; SIGNALLED: the signal */
	gint64 usecs; /* wall-clock */
	/* What it wrote to its standard output, if somebody asked for that. */
	guint64 length;
	guint8 digest[SUITE_DIGEST];
};

struct supervisor;

struct suite_process_start {
	struct supervisor *supervisor;
	const char *path; /* absolute */
	char *const *argv, *const *envp;
	const char *directory;
	const char *stdin_file; /* absolute; NULL = empty */
	double timeout;		/* seconds */
	bool output;		/* look at what it writes */
	uint64_t keep;		/* keep that if it is no longer than so many bytes */
};

struct suite_process;
typedef void suite_process_done(const struct suite_end *end, void *arg);

/* done is called once, from a source of context, unless the run is freed before.  NULL with a
 * SUITE_ERROR: it could not be started. */
struct suite_process *suite_process_new(const struct suite_process_start *start,
					GMainContext *context, suite_process_done *done, void *arg,
					GError **error);
/* What it wrote to its standard output; to be called from done.  NULL: that was not kept.  The
 * caller owns it. */
GBytes *suite_process_printed(const struct suite_process *p);
/* May be called from done.  NULL is fine. */
void suite_process_free(struct suite_process *p);

/* The digest of a file, as of an output. */
bool suite_digest_file(const char *path, guint64 *length, guint8 *digest, GError **error);

#endif
