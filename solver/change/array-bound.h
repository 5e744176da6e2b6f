/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loops that would leave an array: with another bound, `for (k = 0; k < 6; k++)' goes on to a[6],
 * where the array has no such element, and what mends a test then is whatever lies there.
 */
#ifndef SOLVER_CHANGE_ARRAY_BOUND_H
#define SOLVER_CHANGE_ARRAY_BOUND_H

#include "solver/image/image.h"

/* Would a variable that is compared in the head of the loop in this line, whose code is at addr
 * (link-time), index an array of known size outside of it, in the lines that are indented more, if
 * it was compared with this number there?  False also where the line is no such loop. */
bool array_bound_leaves(const struct image *im, const char *file, unsigned line, uint64_t addr,
			int64_t number);

#endif
