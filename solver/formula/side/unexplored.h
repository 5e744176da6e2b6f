/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a side of a branch that no run took may do, as far as the code alone tells:
 * which locations it may write before the branch's sides join again.
 */
#ifndef SOLVER_FORMULA_SIDE_UNEXPLORED_H
#define SOLVER_FORMULA_SIDE_UNEXPLORED_H

#include "solver/image/image.h"

enum unexplored_kind {
	UNEXPLORED_EMPTY, /* there is no instruction before the join */
	UNEXPLORED_EXACT, /* it writes at most what is listed, and comes to the join */
	UNEXPLORED_LOST,  /* it has pointers, calls, an early end …: only a run can tell */
	UNEXPLORED_FAILS, /* every path ends in a failed assertion or abort */
};

/* A place that may be written: a general register, or bytes of memory. */
struct side_write {
	bool is_memory;
	unsigned reg;	  /* enum trace_reg */
	uint64_t address; /* runtime */
	unsigned size;
};

struct side_question {
	const struct image *image;
	const struct image_function *function;
	uint64_t bias;
	uint64_t start;	   /* link-time address of the first instruction of the side */
	uint64_t join;	   /* link-time, 0 = the function's end */
	uint64_t rbp, rsp; /* at the branch */
	/* Runtime addresses of n_wanted instructions whose execution counts: a side that has one
	 * of them is UNEXPLORED_LOST. */
	const uint64_t *wanted;
	size_t n_wanted;
};

/* writes: an array of struct side_write, filled when the result is UNEXPLORED_EXACT. */
enum unexplored_kind unexplored_effect(const struct side_question *q, GArray *writes);

#endif
