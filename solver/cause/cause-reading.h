/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of library functions that bring values into the program: they read files, the environment,
 * the clock, or make blocks of memory. */
#ifndef SOLVER_CAUSE_CAUSE_READING_H
#define SOLVER_CAUSE_CAUSE_READING_H

#include "solver/cause/cause-private.h"

enum filling {
	FILLS_LINE,   /* argument 1, at most argument 2 bytes */
	FILLS_BLOCKS, /* argument 1, argument 2 times the result */
	FILLS_BYTES,  /* argument 2, as many as it returned */
	FILLS_OWN,    /* the block that argument 1 points to, as many as it returned */
	GIVES_BYTE,   /* it returns one */
	SCANS,	      /* arguments from the 2nd on, or from the 3rd on where it has a file */
	SCANS_TEXT,   /* from the 3rd on, of the text of argument 1 */
	MOVES,	      /* in a file, so where it is read is not known any more */
	FINDS_VARIABLE,
	COPIES_TEXT,	/* argument 1 to the block that it returns */
	MAKES_BLOCK,	/* of argument 1 bytes */
	MAKES_ELEMENTS, /* of argument 1 times argument 2, which are zero */
	OPENS_STREAM,	/* it returns, of the file of argument 1 */
	OPENS_FILE,	/* the same */
	HAS_TABLE,	/* returns where the address of a table of characters lies */
	IS_CLOCK,	/* returns a time, or fills 16 bytes with it */
	IS_RANDOM,	/* returns a number, or fills argument 1, argument 2 bytes */
};

struct reader {
	const char *name;
	enum filling kind;
	unsigned file;	 /* the argument that says what it reads, 0 = standard input; of what
			  * opens one: that becomes another file, 0 = a new one */
	bool descriptor; /* that is a number, and no stream */
	unsigned fills;	 /* IS_CLOCK, IS_RANDOM: the argument that points to what it fills; 0 = none
			  */
};

struct cause_origins {
	GArray *pcs;	    /* uint64_t: calls of readers, in the image of the point */
	GPtrArray *readers; /* const struct reader *, of each */
	GArray *others;	    /* uint64_t: calls of functions of which nothing is known */
};

/* Finds all such calls in the image of the point. */
struct cause_origins *cause_origins_new(const struct trace_point *m);

/* A call, with what it was given and what it returned. */
struct reading {
	uint64_t step;
	const struct reader *reader;
	uint64_t argument[7], result; /* argument[0] is none */
	bool known[7];
};

/* The last such call before the step; false = there is none. */
bool cause_reading_before(struct finder *f, uint64_t step, struct reading *out);

#endif
