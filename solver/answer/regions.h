/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The region tree of a recorded run (Xin, Sumner, Zhang: Efficient program execution
 * indexing, PLDI 2008), folded so that people can look at it.  A call's region ends
 * when it returns, a branch's at its immediate post-dominator.  What happens again in
 * the same region, such as a round of a loop, is one node that counts.
 *
 *     main                                  for (i = 0; i < 3; i++)
 *       i < 3: true   3 times                       if (odd(i))
 *         odd         3 times                               n++;
 *         odd(i): true   once
 *         odd(i): false  2 times
 *       i < 3: false  once
 */
#ifndef SOLVER_ANSWER_REGIONS_H
#define SOLVER_ANSWER_REGIONS_H

#include "solver/base/deadline.h"
#include "solver/explanation.h"
#include "solver/image/image.h"
#include "solver/limits/limits.h"

/* Fills e->regions from the record, which is a directory.  There are at most
 * limits->regions; when there would be more, what happens in a region is counted for the region
 * around it, and the limit is among e->reached.  limits: NULL = the defaults. */
bool regions_describe(struct explanation *e, struct image *const *images, size_t n_images,
		      const char *record, unsigned thread, const struct limits *limits,
		      const struct deadline *until, GError **error);

#endif
