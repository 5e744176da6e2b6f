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

/* shown: the state at the call as it was (spec_events.state).  All that keep to what is demanded at
 * the call, with at most so many nodes (gdbext/contract/shapes.h).  NULL with a sentence. */
struct heap *heap_new(const struct spec *s, const struct spec_built *built, unsigned function,
		      const char *shown, unsigned nodes, const struct limits *limits,
		      GError **error);
void heap_free(struct heap *h);
/* The state at the call as it was. */
const struct spec_state *heap_shown(const struct heap *h);
unsigned heap_n(const struct heap *h);
const struct spec_state *heap_state(const struct heap *h, unsigned number);

/* What a path needs to know of the state of its run; the caller's. */
GArray *heap_memory(const struct spec_state *s, const struct spec_types *types);
/* A state, seen from a path. */
struct heap_leaf {
	unsigned decision; /* the first that goes otherwise */
	unsigned changed;  /* inputs that have other values */
};
/* By number of a state.  s: that of the path's run.
 * before: not NULL = the same of the run from whose path this one was made, by taking decision
 * number bound - 1 otherwise; what left that path elsewhere leaves this one there.  The caller's.
 */
struct heap_leaf *heap_leaves(const struct heap *h, struct path *p, const struct spec_state *s,
			      const struct heap_leaf *before, unsigned bound);
/* s with these values for the path's inputs, as lines; NULL: one is a pointer that would lead
 * elsewhere. */
char *heap_with_values(const struct spec_state *s, const struct path *p, const GArray *values);

#endif
