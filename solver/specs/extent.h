/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The extents of checked calls in a recorded run: what the program executes from the entry of a
 * function, entered from its specification, until that is returned to.  Statements are lines.
 */
#ifndef SOLVER_SPECS_EXTENT_H
#define SOLVER_SPECS_EXTENT_H

#include "solver/trace/run.h"

/* A line of the program: "file:line"; a set of them is a GHashTable of such keys. */
struct extent_question {
	struct trace_run *run;
	unsigned program, specification; /* numbers of modules */
	uint64_t entry;			 /* of the function, link-time */
	/* struct trace_action that the run was made with; NULL = none */
	const GArray *actions;
};

struct extent_call {
	GHashTable *lines;    /* executed; keys are owned */
	uint64_t first, last; /* numbers of its steps */
	/* The number of the program's last step before the call.  After that step the call's
	 * demand is evaluated, and the call may get another state. */
	uint64_t before;
};

struct extent {
	GPtrArray *calls;      /* struct extent_call, in order; the last one may have no end */
	GHashTable *functions; /* const struct image_function *: of what was executed in them */
};

/* NULL with error. */
struct extent *extent_find(const struct extent_question *q, struct lift *lift, GError **error);
void extent_free(struct extent *e);

/* The lines of a function that are statements: no prologue, no closing bracket.  char *, owned,
 * in the order of the code. */
GPtrArray *extent_statements(const struct image *im, const struct image_function *f);

#endif
