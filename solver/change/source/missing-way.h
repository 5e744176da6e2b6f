/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mutants of a missing `break', `while' or `else': each way that comes to a place of the code leads
 * elsewhere (missing-mutant.h). */
#ifndef SOLVER_CHANGE_SOURCE_MISSING_WAY_H
#define SOLVER_CHANGE_SOURCE_MISSING_WAY_H

#include "solver/change/source/mutant-maker.h"

/* addrs: at least one, in f. */
void missing_ways_of_line(struct mutant_maker *x, const struct image_function *f,
			  const GArray *addrs, GArray *all);

#endif
