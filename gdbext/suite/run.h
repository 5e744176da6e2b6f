/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a test suite, several tests at once, and says for each test whether it passed
 * and what it executed.
 *
 *     struct suite_options o = { .tests = "suite.txt", .program = "./p", .run_timeout = 10 };
 *     struct suite_result *r = suite_run(&o, &error);
 *     … r->outcomes, r->spectrum, profile_plan_units(r->plan) …
 *     suite_result_command(r, i, &c);      test i, to be started again
 */
#ifndef GDBEXT_SUITE_RUN_H
#define GDBEXT_SUITE_RUN_H

#include "gdbext/profile/profile.h"
#include "gdbext/suite/command.h"
#include "gdbext/suite/verdict.h"
#include "solver/limits/limits.h"

struct suite_progress {
	unsigned done, all, failed;
};

/* All zero is a good default, except for .tests, .program and .run_timeout. */
struct suite_options {
	const char *tests;     /* a file or folder, see suite.h */
	const char *program;   /* as the user named it */
	const char *directory; /* names are relative to it, and tests run there; NULL = here */
	const char *golden;    /* a program: a test passes when it does the same as with that
				* program; NULL = not so */
	const char *expected;  /* a folder: a test passes when it writes its NAME.out; NULL =
				* not so */
	unsigned jobs;	       /* how many at once; 0 = one for each processor */
	double run_timeout;    /* seconds, one test; less once several tests ran into it */
	const struct limits *limits; /* NULL = limits_default() */
	bool no_cache;
	void (*progress)(const struct suite_progress *p, void *arg); /* NULL = not wanted */
	void *arg;
};

struct suite_outcome {
	enum suite_verdict verdict;
	struct suite_end end; /* where the verdict is not SUITE_UNKNOWN */
	unsigned row;	      /* its row in the spectrum; UNIT_NONE: it counts for nothing */
	bool direct;	      /* see struct suite_command */
	bool cached;	      /* its outcome comes from the cache */
	/* What the golden program did: what it printed, the result's, and its status then.  NULL =
	 * that is not known, for example because it comes from the cache, or is long. */
	GBytes *golden_printed;
	int golden_status;
};

/* Owns everything that it points to. */
struct suite_result {
	struct suite *suite; /* .wrong also has tests that were left out while they ran */
	struct profile_plan *plan;
	struct spectrum *spectrum; /* rows in the suite's order, over the plan's units */
	GArray *outcomes;	   /* struct suite_outcome, one a test of suite->tests */
	char *program;		   /* absolute */
	char *shown;		   /* as the user named it */
	char *directory;	   /* absolute */
	unsigned passed, failed, unknown, cached;
	double ms;	  /* that they took */
	unsigned not_run; /* how many of the unknown ones were not run because of an interrupt */
};

/* Runs the tests that the cache does not know.  An interrupt (gdbext/replay/interrupt.h, when
 * installed) ends it early, with what was measured (.not_run).  Errors are sentences, of
 * SUITE_ERROR, PROFILE_ERROR, IMAGE_ERROR or REPLAY_ERROR. */
struct suite_result *suite_run(const struct suite_options *o, GError **error);
void suite_result_free(struct suite_result *r);

/* How a test is started again: in r->directory, with the environment that it had, except
 * PROG=r->program and TMPDIR (a folder of its own). */
void suite_result_command(const struct suite_result *r, unsigned test, struct suite_command *c);

#endif
