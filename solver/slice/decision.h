/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which branch let an executed instruction run. */
#ifndef SOLVER_SLICE_DECISION_H
#define SOLVER_SLICE_DECISION_H

#include "solver/trace/index/reverse-index.h"

/* The last decision that let the step run, in its function or at a call on the way to it: a
 * step's number, UINT64_MAX when there was none.  Checks that would have ended the program
 * are left out, unless the step belongs to such an end. */
uint64_t slice_decision_before(struct reverse_index *index, uint64_t number);
/* The same for an instruction behind step `before', which need not have been executed.  link is
 * its link-time address in the image, which is loaded at bias; depth is the number of open
 * calls. */
uint64_t slice_decision_at(struct reverse_index *index, const struct image *im, uint64_t bias,
			   uint64_t link, uint64_t before, uint32_t depth);

/* Was the step decided by something before the first one that the index has?  As
 * slice_decision_before looks for it; for an index that has only a part of the run. */
bool slice_decision_is_lost(struct reverse_index *index, uint64_t number);

/* The branches (uint64_t, runtime) that decide by the code, in its function, whether that
 * instruction is executed.  Free the array. */
GArray *slice_deciding_branches(const struct image *im, uint64_t bias, uint64_t link);

#endif
