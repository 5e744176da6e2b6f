/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recorded run of one version as a formula along its path: what every statement instance
 * computed, out of what, and which way each branch went.  It is the trace formula
 * (solver/formula/formula.h) of that run alone, with every branch held on the side that it took.
 */
#ifndef SOLVER_REGRESS_TRACE_TRACE_H
#define SOLVER_REGRESS_TRACE_TRACE_H

#include "solver/base/deadline.h"
#include "solver/formula/requirement.h"
#include "solver/image/image.h"
#include "solver/limits/limits.h"

#include <glib.h>

struct regress_trace;

/* What a trace is made from; nothing is owned. */
struct regress_record {
	struct image *const *images;
	size_t n_images;
	const char *directory;
	unsigned thread;
	/* How it ended; a run that passes ended with RUN_STATUS and status 0. */
	struct requirement_end end;
	struct deadline until;	     /* .end 0 = never */
	const struct limits *limits; /* NULL = the defaults */
	const char *out, *err;	     /* .end.expected: files with what it printed */
};

/* NULL with error: the run is too long, or its end is none that can be asked about. */
struct regress_trace *regress_trace_new(const struct regress_record *record, GError **error);
void regress_trace_free(struct regress_trace *t);

/* Definitions are told by their numbers, which grow along the run. */
guint regress_trace_count(const struct regress_trace *t);

/* One definition in the words of the source.  Strings are the trace's; NULL = not known. */
struct regress_definition {
	const char *file, *function;
	unsigned line;
	const char *clause, *value;
	bool is_branch;
};
/* False when it is of no statement. */
bool regress_trace_describe(struct regress_trace *t, guint number, struct regress_definition *d);
bool regress_trace_is_branch(const struct regress_trace *t, guint number);
/* "line 3 of the output is "total 7", and not "total 8""; NULL = it failed otherwise.  The trace's.
 */
const char *regress_trace_output(const struct regress_trace *t);
/* Where the run failed; false where that has no line. */
bool regress_trace_failure(struct regress_trace *t, struct regress_definition *d);

/*
 * SEMANTIC: why a branch went the way that it did (REGRESS_FAILURE: why the run failed).  The
 * weakest precondition of the opposite goes backwards over the run, one definition after the
 * other, each branch that was taken being one more conjunct, until no values are left for it.
 * The result: the definitions that a minimal unsatisfiable core of that rests on, ascending, with
 * the branch itself; none where all was given from outside.  NULL when the solver gives up.  Free
 * with g_array_unref (guint).
 */
enum { REGRESS_FAILURE = G_MAXINT32 };
GArray *regress_trace_why(struct regress_trace *t, guint branch);

/* The definitions whose values a definition was computed from; free with g_array_unref (guint). */
GArray *regress_trace_uses(struct regress_trace *t, guint number);

/*
 * CRITICAL (AFTER, Alg. 3): the branches that decided that a definition was executed, and those on
 * whose other side what it read could have got another value.  Ascending; free with
 * g_array_unref (guint).
 */
GArray *regress_trace_critical(struct regress_trace *t, guint number);

#endif
