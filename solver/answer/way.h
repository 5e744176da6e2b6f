/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The way from a suspect to the failure as the runs went: for what a run alone proved, so that no
 * formula tells what each statement on the way would have given.
 *
 *     length[1]    with 29 for 28 the test passes
 *     data ->      n += length[i];       n = 60 -> 61
 *     data ->      printf("%d\n", n);    output = "60" -> "61"
 */
#ifndef SOLVER_ANSWER_WAY_H
#define SOLVER_ANSWER_WAY_H

#include "solver/base/deadline.h"
#include "solver/explanation.h"
#include "solver/slice/slice.h"
#include "solver/source/trace-point/trace-point.h"
#include "solver/trace/runner.h"

/* Where the ways are looked for. */
struct way_run {
	const struct trace_point *point;
	struct reverse_index *index;
	struct slice *slice;	     /* from the failure; none of it was given yet */
	const struct image *program; /* of whose lines the suspects are */
	const struct limits *limits;
	const struct deadline *until;
	/* To see what would have been, the proofs are made once more; runner NULL = they are not.
	 * images: all of the run's, of which .program is the first; thread: the failing one. */
	struct runner *runner;
	struct image *const *images;
	size_t n_images;
	unsigned thread;
};

/* Gives each proven suspect of one unit that has no links, or whose links leave what any run did,
 * the shortest way, in statements, from its line, or from the value that it changes, to the
 * failure.  One that is too far, or on which the failure does not depend in this run, stays
 * without.  Call chain_finish() after it. */
void ways_describe(struct explanation *e, const struct way_run *run);

#endif
