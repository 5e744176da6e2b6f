/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Equal difficulty: every seed's variant is about as difficult as the first one, as the engine
 * measured it.  `gdb-why lesson measure' writes difficulty.txt into the lesson's folder, a line a
 * variant:
 *
 *     1 HOUR=250 DAY=2000: 5 links, 8 explanations, rank 1
 *
 * Links lead from the fault to the failure; the explanations are those of the failing tests
 * together; the rank is the fault's among them, 0 = it is not among them.  A variant outside of the
 * band, or without a line, is not given out.  Where the file is missing, all are given out.
 */
#ifndef GDBEXT_LESSON_DIFFICULTY_H
#define GDBEXT_LESSON_DIFFICULTY_H

#include "gdbext/lesson/variant.h"

#include <stdbool.h>

struct lesson_difficulty {
	unsigned chain, suspects, rank;
};

/* Is d as difficult as the first variant?  The way is at most twice as long, and one link, the
 * explanations are at most half as many again, and one, the rank at most five places away, or half
 * as many as there are explanations. */
bool lesson_is_as_difficult(const struct lesson_difficulty *first,
			    const struct lesson_difficulty *d);
/* What was measured for a variant.  False: nothing was measured. */
bool lesson_difficulty_of(const struct lesson_variant *v, struct lesson_difficulty *d);
/* The same for the lesson's first variant. */
bool lesson_difficulty_first(const struct lesson *l, struct lesson_difficulty *d);
/* Is it known to be as difficult as the first one, or was the lesson not measured? */
bool lesson_is_equal(const struct lesson_variant *v);
/* A line of difficulty.txt; free it. */
char *lesson_difficulty_line(const struct lesson_variant *v, const struct lesson_difficulty *d);

#endif
