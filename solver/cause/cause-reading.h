/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of library functions that bring values into the program: they read files, the environment,
 * the clock, or make blocks of memory. */
#ifndef SOLVER_CAUSE_CAUSE_READING_H
#define SOLVER_CAUSE_CAUSE_READING_H

#include "solver/cause/cause-private.h"
#include "solver/library/library.h"

struct cause_origins {
	GArray *pcs;	   /* uint64_t: such calls, in the image of the point */
	GPtrArray *called; /* const struct library_function *, of each */
	GArray *others;	   /* uint64_t: calls of functions of which nothing is known */
	GArray *members;   /* uint64_t: calls of member functions of C++ of which only the library
			    * has the code, and which may fill their object */
};

/* Finds all such calls in the image of the point. */
struct cause_origins *cause_origins_new(const struct trace_point *m);

/* A call, with what it was given and what it returned. */
struct reading {
	uint64_t step;
	const struct library_function *called;
	uint64_t argument[7], result; /* argument[0] is none */
	bool known[7];
};

/* Does it return a block that is new, and nothing else's?  Or one with the text of argument 1? */
bool reading_makes_block(const struct library_function *f);
bool reading_copies_text(const struct library_function *f);

/* The last such call before the step; false = there is none. */
bool cause_reading_before(struct finder *f, uint64_t step, struct reading *out);
/* The last call of these (uint64_t, runtime) before the step; UINT64_MAX = there is none. */
uint64_t cause_last_call_of(struct finder *f, const GArray *pcs, uint64_t before);

#endif
