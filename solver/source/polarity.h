/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A conditional jump in the source's sense.  A compiler jumps when a condition
 * is false (over an if's body), or when it is true (back into a loop, past the
 * rest of an ||); here it is found out which, from where each side leads in the
 * source, or from the comparison made.  Where neither tells, it is not known:
 * a wrong "true" is worse than none.
 */
#ifndef SOLVER_SOURCE_POLARITY_H
#define SOLVER_SOURCE_POLARITY_H

#include "solver/image/image.h"
#include "solver/source/source.h"

enum sense_meaning {
	SENSE_UNKNOWN,
	SENSE_TAKEN_IS_TRUE,
	SENSE_TAKEN_IS_FALSE,
	SENSE_SWITCH, /* the sides are cases: .cases */
};

struct sense {
	enum sense_meaning meaning;
	char *clause;	/* the part of the condition that is decided; NULL = not known */
	char *cases[2]; /* SWITCH: "case 3", "default", NULL = not known; [1] = taken */
};

/* jump: link-time address of the instruction.  Free with sense_clear. */
void sense_find(const struct image *im, struct sources *sources, uint64_t jump, struct sense *out);
void sense_clear(struct sense *s);

#endif
