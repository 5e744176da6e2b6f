/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the path of a run is left with other inputs: values are put through its definitions, as
 * far as the decisions go as they went.  Thousands of states are asked about for one path.
 */
#ifndef SOLVER_SPECS_LEAVE_H
#define SOLVER_SPECS_LEAVE_H

#include "solver/formula/formula.h"
#include "solver/smt/term/term.h"

/* Does a definition's value depend on what a test can choose? */
enum dependence { FIXED, DEPENDS, INPUT };

struct leave_path {
	const struct term_pool *pool;
	const GArray *definitions; /* struct definition */
	const uint8_t *depends;	   /* by definition: enum dependence */
	const GArray *decisions;   /* uint32_t: numbers of definitions */
	uint32_t n;		   /* definitions up to the last decision */
};

struct leave;

/* The path must outlive it, and does not change. */
struct leave *leave_new(const struct leave_path *path);
void leave_free(struct leave *l);
/* The number of the first decision that goes otherwise; that of decisions: all go as they went.
 * values: int64_t by input, in the order of definitions. */
unsigned leave_at(struct leave *l, const GArray *values);

#endif
