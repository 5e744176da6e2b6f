/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mutants of a missing `break', `return', `while' or `else': each way that comes to a place of the
 * code leads elsewhere (missing-mutant.h). */
#ifndef SOLVER_CHANGE_MISSING_MISSING_WAY_H
#define SOLVER_CHANGE_MISSING_MISSING_WAY_H

#include "solver/change/source/mutant-maker.h"

/* addrs: at least one, in f. */
void missing_ways_of_line(struct mutant_maker *x, const struct image_function *f,
			  const GArray *addrs, GArray *all);
/* Where control goes from the end of the innermost `for' or `while' around a place, link-time; 0:
 * there is none. */
uint64_t missing_way_behind_loop(struct mutant_maker *x, const struct image_function *f,
				 uint64_t place);

#endif
