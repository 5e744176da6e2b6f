/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which decisions kept code from being executed that should have been: the slice of what is
 * missing begins with them.
 *
 *     if (n > limit)            false: so `line' was not called, and nothing was printed
 *             line (n);
 *     …
 *     void line (int n) { printf ("%d\n", n); }      missing
 */
#ifndef SOLVER_SLICE_MISSING_H
#define SOLVER_SLICE_MISSING_H

#include "solver/slice/slice.h"

/* Adds to steps (uint64_t) the last executions of the branches that decide, by the code, whether
 * control comes to one of these places (runtime addresses): in its function, and where nothing
 * there was executed, where it is called.  Only places in the image are looked at. */
void slice_missing(struct reverse_index *index, const struct image *im, uint64_t bias,
		   const uint64_t *places, size_t n, GArray *steps);

/* Adds (struct slice_instance) the last execution of each branch of the run, latest first: of so
 * many branches, in so many steps at most.  Their distance counts them. */
void slice_last_decisions(struct reverse_index *index, uint64_t most, uint64_t steps,
			  GArray *instances);

#endif
