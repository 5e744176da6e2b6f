/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A record that travels: one file with all that is needed to explain a failure
 * later, elsewhere.  archive.h is how it is written, facts.h what it says.
 *
 *     record_write(path, replay, &failing, &options, &size, &error);
 *
 *     r = record_open(path, 0, &error);          checked, unpacked
 *     record_find_program(r, program, …)         may the test be run here?
 *     images = record_images(r, &n); replay = record_replay(r); …
 *     record_free(r);
 *
 * WHAT IS RUN.  Nothing that came in a file is ever executed: an embedded
 * program is only read.  Runs are of the program on this machine, when it is
 * the same build, and all of them are caged.
 *
 * WHAT IT GIVES AWAY.  The program with its debug information and source files
 * (less with .program false), its arguments, standard input, working directory
 * and output, each value that it loaded from memory, and of the environment the
 * names, and the values of few harmless variables (is_kept in pack.c).
 */
#ifndef GDBEXT_RECORD_RECORD_H
#define GDBEXT_RECORD_RECORD_H

#include "gdbext/record/archive.h"
#include "gdbext/record/facts.h"

/* ---- writing ---- */

struct record_options {
	bool program;		     /* embed the traced files and their sources */
	const char *const *keep_env; /* names of further variables; may be NULL */
};

/* Writes path, new or in the place of what is there, all of it or nothing.  What is no regular
 * file (a pipe), or has lost its name, is written to as it is.  Only the owner may read the
 * file.  *size: bytes written. */
bool record_write(const char *path, struct replay *replay, const struct replay_failing *failing,
		  const struct record_options *options, uint64_t *size, GError **error);

/* ---- reading ---- */

struct record;

/* Checks the file and unpacks the streams, to at most so many bytes; 0 = to what is plausible
 * for a file of its size. */
struct record *record_open(const char *path, uint64_t most, GError **error);
void record_free(struct record *r);

const struct facts *record_facts(const struct record *r);
/* The file with the test's standard input, r's; NULL = that was empty. */
const char *record_stdin(const struct record *r);

struct record_place {
	const char *program;	      /* NULL = where it was when it was recorded */
	const char *directory;	      /* where to run it; NULL = where it was recorded */
	const struct deadline *until; /* as in struct replay_options */
	double run_timeout;	      /* as in struct replay_options */
	uint64_t max_bytes;
	bool jit;
	const struct limits *limits; /* as in struct replay_options */
	const char *agent;
};

/* Finds the traced files: those on this machine if they are the same, otherwise the embedded
 * ones.  False with error when there are neither, or when place->program was given and is
 * another program.  Call it once. */
bool record_find_program(struct record *r, const struct record_place *place, GError **error);

/* Call it after record_find_program.  It belongs to r, like everything that follows. */
struct image *const *record_images(const struct record *r, size_t *n);
const char *record_program(const struct record *r); /* absolute path */
/* NULL when nothing can be run here; *why says the reason then, as a clause. */
struct replay *record_replay(const struct record *r, const char **why);

/* How the test failed, as replay_record_failing says it.  Caller clears it. */
void record_failing(const struct record *r, struct replay_failing *failing);

#endif
