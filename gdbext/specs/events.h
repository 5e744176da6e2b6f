/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run told about its checked calls: the lines of gdbext/contract/contract.h. */
#ifndef GDBEXT_SPECS_EVENTS_H
#define GDBEXT_SPECS_EVENTS_H

#include "gdbext/specs/spec/spec.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum spec_verdict {
	SPEC_HOLDS,
	SPEC_FAILS,
	SPEC_WRITES,   /* it changed what it looks at */
	SPEC_UNENDING, /* the run ended, or was ended, while it was being evaluated */
};

struct spec_event {
	unsigned constraint;
	uint64_t call; /* of its function, from 1 */
	enum spec_verdict verdict;
	int signo; /* FAILS: not 0 = the predicate crashed with it (spec_events_blame) */
};

struct spec_events {
	GArray *all;	   /* struct spec_event */
	GArray *calls;	   /* uint64_t: by function, how often it was called */
	bool is_inside;	   /* the run ended in a checked function, … */
	unsigned function; /* … this one */
	/* Lines of a state (gdbext/specs/state.h); or of several, each after a line "made", with
	 * the calls that make it.  NULL = none was told. */
	char *state;
};

/* Lines that are not ours are left out. */
void spec_events_read(const char *text, unsigned n_functions, struct spec_events *out);
void spec_events_clear(struct spec_events *e);
/* A predicate that does what a predicate must not do: one that writes, or one that did not come
 * back before anything was violated; NULL = there is none. */
const struct spec_event *spec_events_misbehaviour(const struct spec_events *e);
/* After a run that this signal ended.  A predicate that crashed when the function returned, but
 * held with the same arguments when that call began, can stand such structures: what the function
 * left is none any more, so the constraint is violated. */
void spec_events_blame(struct spec_events *e, const struct spec *s, int signo);
/* The first that does not hold, or NULL. */
const struct spec_event *spec_events_first(const struct spec_events *e);

#endif
