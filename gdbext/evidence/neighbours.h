/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of a suite that evidence is looked for in: some failing ones, and the
 * passing ones, those first whose profiles are most like a failing test's.  The
 * choice depends on the suite alone.
 */
#ifndef GDBEXT_EVIDENCE_NEIGHBOURS_H
#define GDBEXT_EVIDENCE_NEIGHBOURS_H

#include "gdbext/suite/run.h"

struct neighbour {
	const char *name; /* the suite's */
	unsigned number;  /* in the suite */
	struct suite_command command;
	double likeness; /* passing ones: to the failing test that is most like it, 0 to 1 */
	guint8 *lines;	 /* of the plan's units, one byte each: 1 = executed */
};

struct neighbours {
	const struct suite_result *r; /* NULL: of one test alone */
	GPtrArray *failing;	      /* struct neighbour *, most_failing of them, evenly spread */
	GPtrArray *passing; /* all that can be started without a shell, most alike first */
};

/* r must outlive it. */
struct neighbours *neighbours_new(const struct suite_result *r, unsigned most_failing);
/* One failing test alone: argv without the program, NULL-terminated; stdin_file: NULL = no
 * input.  Nothing is known of lines. */
struct neighbours *neighbours_of_one(const char *program, char *const *argv,
				     const char *stdin_file);
void neighbours_free(struct neighbours *n);

/* The line's number among the plan's units, UNIT_NONE: no test executed it, or nothing is
 * known of lines. */
unsigned neighbours_line(const struct neighbours *n, const char *file, unsigned line);

#endif
