/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the runs of a failing test come from: the test, run just now under GDB, or a
 * record of it; and its images.  The first run tells how the test failed.
 */
#ifndef GDBEXT_QUESTION_RUNS_RUN_SOURCE_H
#define GDBEXT_QUESTION_RUNS_RUN_SOURCE_H

#include "gdbext/options/options.h"
#include "gdbext/question/runs/checks.h"
#include "gdbext/record/record.h"
#include "gdbext/replay/replay.h"

struct run_source {
	struct record *record; /* NULL = the test was run just now */
	struct replay *replay; /* NULL = it cannot be run; belongs to .record when there is one */
	struct runner *runner; /* of .replay; NULL = it cannot be run */
	bool is_shared;	       /* .replay and .images belong to another source */
	struct image *const *images;
	size_t n_images;
	const char *program;		   /* its path */
	struct checks own_checks, *checks; /* .checks: those, or another source's */
	unsigned child;	    /* of the program's children the one that .failing is of; 0 = none */
	char *real_program; /* real_program_find; NULL = the test's own process was looked at */
	int child_status;   /* as wait tells it */
	char *handled;	    /* "SIGSEGV, and ended by SIGABRT": what a handler of the program's
			     * took before .failing was recorded once more without it; NULL = nothing */
	char **words;	    /* PROG ARGS, with what chooses a test; NULL = as the
			     * user gave them */
	char **variables;   /* NAME=VALUE, what the test's framework needs; NULL = none */
	replay_is_endless_fn *is_endless; /* asked while the test goes on; NULL = nobody is */
	void *endless_arg;
	struct replay_failing failing;
	const char *not_run; /* why nothing can be run; NULL = it can; static, or the record's */
};

/* Runs the test, or opens the record, and keeps a record of the run if somebody wants it.  All
 * runs end at the deadline, which must outlive r. */
bool run_source_start(struct run_source *r, const struct options *o, const struct deadline *until,
		      GError **error);
/* Another test of the same program, on the replay of the first test, which has to stay alive.
 * *threads: how many threads were recorded. */
bool run_source_start_beside(struct run_source *r, const struct run_source *first,
			     const struct options *o, unsigned *threads, GError **error);
void run_source_clear(struct run_source *r); /* clears whatever was filled */

/* The program's name as the user gave it, and its arguments; NULL-terminated, the caller's. */
char **run_source_words(const struct run_source *r, const struct options *o);
/* The file that is its standard input; NULL = that is empty. */
const char *run_source_stdin(const struct run_source *r, const struct options *o);

#endif
