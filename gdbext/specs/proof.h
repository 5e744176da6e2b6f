/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which lines could be the fault of a failing call, proven by runs: with other values at this line
 * alone, or another way at its branch, the call does all that is demanded of it.  The search is
 * that of `gdb-why explain' (solver/search/search.h), for single lines of the call; where a line
 * stores a pointer, the objects that were looked at are tried in its place
 * (solver/specs/pointers.h).
 */
#ifndef GDBEXT_SPECS_PROOF_H
#define GDBEXT_SPECS_PROOF_H

#include "gdbext/specs/study.h"

struct proof_question {
	struct probe *probe;
	const struct study_test *test; /* it fails */
	unsigned function;	       /* number in the specification */
	locate_set constraints; /* it violates them; what else it violates is not asked for */
	GHashTable *lines;	/* keys (solver/specs/extent.h): only these are tried */
	struct lift *lift;
	const struct study_options *o;
};

/* A change of one line with which the call does what is demanded. */
struct proof {
	/* How plausible it is: that the line writes elsewhere is less so than another value, and
	 * that its branch leaves out most of what the call does even less. */
	enum { PROOF_DODGE = 1, PROOF_PLACE, PROOF_VALUE } kind;
	/* How much of what the call executes, with or without the change, it executes with both: 0
	 * to 1.  0 = not asked, since no other line is as plausible. */
	double likeness;
	GArray *actions; /* struct trace_action: the change */
};

/* Keys of lines → struct proof, the caller's.  NULL with error: the call cannot be explained so. */
GHashTable *proof_find(const struct proof_question *q, GError **error);

#endif
