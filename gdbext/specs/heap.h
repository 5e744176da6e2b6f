/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * States that a checked call may get, and which of them take another path (`--input heap').
 */
#ifndef GDBEXT_SPECS_HEAP_H
#define GDBEXT_SPECS_HEAP_H

#include "gdbext/specs/probe.h"
#include "gdbext/specs/state.h"
#include "solver/specs/path.h"

struct heap;

struct heap_question {
	unsigned function; /* number in the specification */
	const char *shown; /* the state at its call as it was (spec_events.state) */
	/* States that operations make (PROBE_MAKE), in such lines; NULL = there are none. */
	const char *made;
	unsigned nodes; /* states have at most so many */
	const struct limits *limits;
	const struct deadline *until;
};
/* All states that keep to what is demanded at the call: first those that the program's operations
 * make, then those that may be set in memory (gdbext/contract/shapes.h).  NULL with a sentence. */
struct heap *heap_new(const struct spec *s, const struct spec_built *built,
		      const struct heap_question *q, GError **error);
void heap_free(struct heap *h);
/* The state at the call as it was. */
const struct spec_state *heap_shown(const struct heap *h);
unsigned heap_n(const struct heap *h);
const struct spec_state *heap_state(const struct heap *h, unsigned number);
/* The calls that make it: "list_add(l, 1) list_add(l, 2)", from the state at the
 * function's first call on, or "… at call 3"; "": it was there before the call.  NULL:
 * none is known, it is set in memory. */
const char *heap_calls(const struct heap *h, unsigned number);

/* What a path needs to know of the state of its run; the caller's. */
GArray *heap_memory(const struct spec_state *s, const struct spec_types *types);
/* A state, seen from a path. */
struct heap_leaf {
	unsigned decision; /* the first that goes otherwise */
	unsigned changed;  /* inputs that have other values */
};
/* For each state, by its number, where it leaves the path of a run that had the state s.
 * before: not NULL = the same of the run from whose path this one was made, by taking decision
 * number bound - 1 the other way; a state that left that path at another place leaves this one
 * there, too.  The caller owns the array. */
struct heap_leaf *heap_leaves(const struct heap *h, struct path *p, const struct spec_state *s,
			      const struct heap_leaf *before, unsigned bound);
/* s with these values for the path's inputs, as lines; NULL: one is a pointer that would lead
 * elsewhere. */
char *heap_with_values(const struct spec_state *s, const struct path *p, const GArray *values);

#endif
