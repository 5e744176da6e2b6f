/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of the program that may be at fault, before anything was looked at but the run. */
#ifndef GDBEXT_QUESTION_ANALYSIS_NEAR_LINES_H
#define GDBEXT_QUESTION_ANALYSIS_NEAR_LINES_H

#include "gdbext/question/question.h"

struct near_line {
	const struct image_statement *statement; /* one of the line's, the image's own */
	unsigned distance; /* causal, in statements, from the failure; 0 = not known */
	/* The slice has a result that this function gave to a function of the library, as to
	 * qsort, which calls it many times. */
	bool is_called_back;
	/* It hands on what a call returned that the slice has, and gives nothing itself. */
	bool is_handing_on;
	/* It was executed, but the failure depends on nothing of it: the whole slice is known, and
	 * the line stands beside none of its lines. */
	bool is_elsewhere;
};

/* struct near_line: the lines of the program's own sources that the failing run executed, at most
 * so many: first those of the dynamic slice, the nearest, the latest executed and those that were
 * executed for the first time last in turns, then the others.  q: started, with a requirement.
 * Free the array. */
GArray *near_lines(const struct question *q, unsigned most);
/* struct near_line: those of what these branches (uint64_t: steps of q's index) depended on when
 * they were executed, the nearest first.  Free the array. */
GArray *near_lines_behind(const struct question *q, const GArray *branches, unsigned most);
/* Notes which of these lines assign a number where they look as if they compared: `if (x = 2)'.  A
 * compiler makes no branch of that, so no run can be made with the other comparison.  The same of
 * `5 / 9' among floating-point numbers, of which a compiler makes a 0. */
void near_lines_note(struct question *q, const GArray *lines);

#endif
