/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The polarity of a conditional jump: was the source's condition true or false when the
 * jump was taken?
 *
 * A compiler jumps when a condition is false (over an if's body), or when it is true
 * (back into a loop, past the rest of an ||).  This file finds out which, from where
 * each side leads in the source, or from the comparison that is made.  When neither
 * tells, the polarity is not known, because a wrong "true" is worse than none.
 */
#ifndef SOLVER_SOURCE_POLARITY_H
#define SOLVER_SOURCE_POLARITY_H

#include "solver/image/image.h"
#include "solver/limits/limits.h"
#include "solver/source/source.h"

enum polarity_meaning {
	POLARITY_UNKNOWN,
	POLARITY_TAKEN_IS_TRUE,
	POLARITY_TAKEN_IS_FALSE,
	POLARITY_SWITCH, /* the sides are cases: .cases */
};

struct polarity {
	enum polarity_meaning meaning;
	char *clause;	/* the part of the condition that the jump decides; NULL = not known */
	char *cases[2]; /* SWITCH: "case 3", "default", NULL = not known; [1] = taken */
};

/* limits: NULL = the defaults.  jump: link-time address of the instruction.  Free with
 * polarity_clear. */
void polarity_find(const struct image *im, struct sources *sources, const struct limits *limits,
		   uint64_t jump, struct polarity *out);
void polarity_clear(struct polarity *s);

#endif
