/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which step of a changed run is which of the failing run's: where the two part, they meet again
 * at the immediate post-dominator of the branch in the same frame (execution indexing: Xin, Sumner,
 * Zhang, PLDI 2008).
 *
 *     failing          changed
 *     k < 2  true      k < 2  true
 *       sum += 4         sum += 4
 *     k < 2  false     k < 2  true
 *                        sum += 8      only in the changed run
 *     set (sum)        set (sum)
 */
#ifndef SOLVER_SLICE_COUNTERPART_H
#define SOLVER_SLICE_COUNTERPART_H

#include "solver/trace/index/reverse-index.h"

struct counterpart;

/* Both runs begin at the same instruction; of neither are more than `most' steps looked at.  The
 * indices are not needed any more afterwards. */
struct counterpart *counterpart_new(struct reverse_index *failing, struct reverse_index *changed,
				    uint64_t most);
void counterpart_free(struct counterpart *c);

enum counterpart_found {
	COUNTERPART_UNKNOWN, /* the runs do not meet again before it */
	COUNTERPART_NOT_RUN, /* the changed run does not execute it */
	COUNTERPART_STEP,
};
/* *changed: the step of the changed run that is the failing run's `step'. */
enum counterpart_found counterpart_of(const struct counterpart *c, uint64_t step,
				      uint64_t *changed);
/* The failing run's step that is this one of the changed run; UINT64_MAX = none is known. */
uint64_t counterpart_back(const struct counterpart *c, uint64_t changed);

#endif
