/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run of a program with its specification: the program itself, neither recorded nor caged. */
#ifndef GDBEXT_SPECS_WATCH_H
#define GDBEXT_SPECS_WATCH_H

#include "gdbext/specs/events.h"
#include "gdbext/specs/spec/spec.h"
#include "solver/base/deadline.h"
#include "solver/limits/limits.h"

struct watch_options {
	char *const *argv;	/* as the user gave it; its first word is what the program sees */
	const char *stdin_file; /* NULL = /dev/null */
	const char *directory;	/* NULL = here */
	bool stop;		/* at the first violation */
	const struct deadline *until;
	const struct limits *limits;
};

struct watched {
	struct spec_events events;
	bool exited; /* with .number as its status; else by signal .number */
	int number;
	bool was_ended; /* by us: a predicate did not end, or the time was up */
};

/* Runs it and waits.  Its output goes where ours goes.  False with a sentence when it cannot be
 * run, or was interrupted. */
bool watch_run(const struct spec *s, const struct spec_built *built, const struct watch_options *o,
	       struct watched *out, GError **error);
void watched_clear(struct watched *w);

#endif
