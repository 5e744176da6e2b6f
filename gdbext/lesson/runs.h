/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compiles and runs programs of a lesson.  What a student wrote is not trusted: it is compiled
 * where the course cannot be seen, and runs in the cage, with limits of time, memory and output.
 *
 *     r = lesson_runs_new(hidden, &error);
 *     lesson_compile(r, &how, &error);
 *     lesson_run(r, program, words, &end, &error);
 *     lesson_runs_free(r);
 */
#ifndef GDBEXT_LESSON_RUNS_H
#define GDBEXT_LESSON_RUNS_H

#include <glib.h>
#include <stdbool.h>

struct lesson_runs;

/* hidden: folders of which these programs can read nothing, NULL-terminated; two are hidden from
 * the compiler, too.  It then fails where there is no cage.  NULL = they are the course's own. */
struct lesson_runs *lesson_runs_new(const char *const *hidden, GError **error);
/* Ends all that runs and removes the folder.  NULL is fine. */
void lesson_runs_free(struct lesson_runs *r);
/* A private folder that goes with r. */
const char *lesson_runs_folder(const struct lesson_runs *r);

/* Compiles source (absolute) to program (absolute).  False: *said is what the compiler said, or
 * why it was ended; free it. */
bool lesson_compile(struct lesson_runs *r, const char *source, const char *program,
		    const char *cflags, char **said, GError **error);

enum lesson_end_kind { LESSON_EXITED, LESSON_SIGNALLED, LESSON_TIMED_OUT };

struct lesson_end {
	enum lesson_end_kind kind;
	int number; /* the status, or the signal */
	char *out;  /* what it wrote to its standard output, at most 64 KiB; free it */
	char *err;  /* likewise */
};

/* Runs the program with these arguments and no input, for at most so many seconds. */
bool lesson_run(struct lesson_runs *r, const char *program, char *const *words, double seconds,
		struct lesson_end *end, GError **error);
void lesson_end_clear(struct lesson_end *end);

#endif
