/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of a suite that evidence is looked for in: some failing ones, and the
 * passing ones, those first whose profiles are most like a failing test's.  The
 * choice depends on the suite alone.  Each passes when it exits with status 0, or, where
 * the user said what the tests have to print, when it prints that.
 */
#ifndef GDBEXT_EVIDENCE_MUTATION_NEIGHBOURS_H
#define GDBEXT_EVIDENCE_MUTATION_NEIGHBOURS_H

#include "gdbext/options/options.h"
#include "gdbext/suite/run.h"
#include "solver/output/expected.h"

struct neighbour {
	const char *name; /* the suite's */
	unsigned number;  /* in the suite */
	struct suite_command command;
	bool hangs;	 /* it did not end in the suite's run */
	double likeness; /* passing ones: to the failing test that is most like it, 0 to 1 */
	guint8 *lines;	 /* of the plan's units, one byte each: 1 = executed */
};

struct neighbours {
	const struct suite_result *r; /* NULL: of one test alone */
	GPtrArray *failing;	      /* struct neighbour *, most_failing of them, evenly spread */
	GPtrArray *passing;	 /* all that can be started without a shell, most alike first */
	const struct options *o; /* what a test passes with; NULL = of one alone */
	const struct expected_output *of_one; /* the same of that one; NULL = status 0 */
	GHashTable *expected; /* struct neighbour * → struct expected_output *, owned */
};

/* r and o, which say what the suite is and what its tests have to print, must outlive it. */
struct neighbours *neighbours_new(const struct suite_result *r, const struct options *o);
/* One failing test alone: argv without the program, NULL-terminated; stdin_file: NULL = no
 * input; expected: what it has to print, outlives it, NULL = status 0 is enough.  Nothing is
 * known of lines. */
struct neighbours *neighbours_of_one(const char *program, char *const *argv, const char *stdin_file,
				     const struct expected_output *expected);
void neighbours_free(struct neighbours *n);

/* What the test has to print; *out is NULL when status 0 is enough, and lives as long as n.  Runs
 * the program of --golden the first time.  False: that cannot be found out. */
bool neighbours_expected(const struct neighbours *n, const struct neighbour *t,
			 const struct expected_output **out);
/* The file of --expected DIR for a test of that name; to be freed. */
char *neighbours_expected_file(const struct options *o, const struct suite_result *r,
			       const char *name);

/* Which of the plan's lines the test with this row of the spectrum executed, one byte each; to be
 * freed. */
guint8 *neighbours_lines(const struct suite_result *r, unsigned row);
/* The line's number among the plan's units, UNIT_NONE: no test executed it, or nothing is
 * known of lines. */
unsigned neighbours_line(const struct neighbours *n, const char *file, unsigned line);

#endif
