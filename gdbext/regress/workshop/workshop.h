/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The workshop: private copies of the new version (benches) in which sets of changes are reverted,
 * built and tested, several at once.  The user's trees are only read.
 *
 * A bench is built whole once; from then on it goes from one set to the next by writing only
 * the files that differ, whose time becomes now, so that `make' builds again what they touch and
 * nothing else.  Two things a makefile often does not know are made sure of: files that include
 * a changed file are touched, too, and when a file of the build itself has changed, or files came
 * or went, all sources are.
 *
 * What was found out about a set is kept: no set is built for the same question twice.
 */
#ifndef GDBEXT_REGRESS_WORKSHOP_WORKSHOP_H
#define GDBEXT_REGRESS_WORKSHOP_WORKSHOP_H

#include "gdbext/regress/workshop/versions.h"
#include "solver/limits/limits.h"
#include "solver/regress/oracle.h"

struct supervisor;

struct workshop_options {
	struct supervisor *supervisor;
	const struct regress_versions *versions;
	const char *folder;	/* where the benches are made */
	const char *build;	/* for a shell */
	const char *test;	/* for a shell; NULL = .program */
	char *const *program;	/* PROG ARGS... */
	const char *stdin_file; /* absolute; NULL = empty */
	double build_timeout, test_timeout;
	gint64 deadline; /* monotonic, us; 0 = none */
	unsigned jobs;
	bool verbose;  /* say on standard error what is built, and first errors */
	bool progress; /* else keep one line there with the numbers of builds and tests */
	const struct limits *limits;
};

struct workshop;

/* Everything in o must outlive it. */
struct workshop *workshop_new(const struct workshop_options *o);
void workshop_free(struct workshop *w);
/* Takes the line of the progress away. */
void workshop_hide_progress(const struct workshop *w);
/* Its questions; the workshop's. */
struct regress_oracle *workshop_oracle(struct workshop *w);

const struct limits *workshop_limits(const struct workshop *w);

/* Tests a set on which a decision rests: its test is run once more than before, and has to give
 * the same verdict.  REGRESS_UNKNOWN: it gave another one. */
enum regress_verdict workshop_test_twice(struct workshop *w, const GArray *reverted);
/* Asks whether both sets pass by their exit statuses, but print different texts, the same one
 * each time.  If so, a run passes from now on only when it prints what the first set printed.
 * Returns that text, owned by the workshop; NULL = they do not. */
GBytes *workshop_expect_output(struct workshop *w, const GArray *right, const GArray *wrong);
/* How the last test of a set ended: "exit status 1", "SIGSEGV", "out of time after 10 s"; NULL =
 * it was not run.  Free it. */
char *workshop_ending(struct workshop *w, const GArray *reverted);
/* The first line of the compiler's complaint about a set that is BROKEN; free it. */
char *workshop_first_error(struct workshop *w, const GArray *reverted);
/* A file of the build that was left out of the copies, because it holds the name of the version's
 * folder and copies have to be built elsewhere; free it.  NULL = none was. */
char *workshop_left_out(struct workshop *w);
/* What went wrong with our own files or processes when a verdict was REGRESS_STOPPED; NULL = an
 * interrupt or the deadline.  The workshop's. */
const GError *workshop_error(const struct workshop *w);
bool workshop_out_of_time(const struct workshop *w);
/* Did any test give different answers for the same build? */
bool workshop_is_flaky(const struct workshop *w);

/* Lends a bench in which the set stands built.  False: it could not be. */
bool workshop_lend(struct workshop *w, const GArray *reverted,
		   void (*use)(const char *folder, void *arg), void *arg);
/* Starts the test in a bench with that environment; waits for its end. */
bool workshop_run_test(struct workshop *w, const char *folder, char *const *envp);

/* What tests in a bench call a file in it; free it. */
char *workshop_name(const struct workshop *w, const char *folder, const char *path);
/* A file of the version as it stands in a bench: the other way round.  Free it. */
char *workshop_copy_of(const struct workshop *w, const char *folder, const char *path);

struct workshop_stats {
	unsigned builds, tests, failed_builds;
	double build_s, test_s; /* of all benches together */
};
void workshop_stats(const struct workshop *w, struct workshop_stats *stats);

#endif
