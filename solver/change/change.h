/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One change to a recorded run, in the user's words: a branch that goes the other way,
 * or a variable that gets another value.  What follows from it, a run has to show.
 */
#ifndef SOLVER_CHANGE_CHANGE_H
#define SOLVER_CHANGE_CHANGE_H

#include "solver/limits/limits.h"
#include "solver/base/deadline.h"
#include "solver/image/image.h"
#include "solver/trace/runner.h"
#include "solver/source/stop.h"

#define CHANGE_ERROR change_error_quark()
GQuark change_error_quark(void);
enum change_error {
	CHANGE_ERROR_NONE, /* there is nothing that could be changed so; a sentence */
};

struct change {
	GArray *actions; /* struct trace_action, at least one */
	char *file;	 /* where; NULL = not known */
	unsigned line;
	char *text;	/* "`y < 5' goes false instead of true" */
	bool native;	/* .actions change the code, which the processor executes as it is then */
	bool of_output; /* of an answer about what the test printed */
	char *check;	/* "list.c:40": where the check is that such an answer is about, of which it
			 * is known that it passes with the change; NULL = about none, or not known */
};
void change_clear(struct change *c);

/* The run that is to be changed: its record, and the thread that is asked about. */
struct change_of {
	struct image *const *images;
	size_t n_images;
	const char *record;
	unsigned thread;
	const struct deadline *until; /* when it has to be over; NULL = never */
	const struct limits *limits;  /* NULL = the defaults */
};

/* Turns the first branch of the line in which the stop is: its nth execution (the stop's own
 * count does not matter), or those that one of these names.  With `all', each execution goes the
 * way that it did not go in the run; an execution that the run did not have goes the way that it
 * takes by itself. */
#define CHANGE_LAST UINT64_C(0)
#define CHANGE_ALL UINT64_MAX
bool change_flip(const struct change_of *run, const struct stop *stop, uint64_t nth,
		 struct change *out, GError **error);
/* "LVALUE = VALUE", in C, takes place before the line at the stop is executed, or after it.
 * Only objects in memory can be changed. */
bool change_set(const struct change_of *run, const struct stop *stop, bool after,
		const char *assignment, struct change *out, GError **error);

/* The stack pointer when the run's record begins, as trace_point_stack gives it; false with
 * error when the record makes no sense. */
bool change_stack(const struct change_of *run, uint64_t *out, GError **error);

/* Where a changed run was when a signal killed it: "list.c:40 in insert".  record: its
 * directory.  NULL = not known.  Free it. */
char *change_end(const struct change_of *run, const char *record, const struct change *c);

#endif
