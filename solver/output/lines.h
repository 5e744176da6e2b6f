/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two texts by lines: which lines of the one stand for which of the other (the longest common
 * subsequence; lines between equal ones are changed, missing or extra). */
#ifndef SOLVER_OUTPUT_LINES_H
#define SOLVER_OUTPUT_LINES_H

#include <glib.h>
#include <stdbool.h>

/* A line with its end of line, if it has one. */
struct text_line {
	const char *text;
	gsize at, length;
};

/* An array of struct text_line; they point into text. */
GArray *lines_split(const GString *text);

/* Lines [actual, actual_end) stand where [expected, expected_end) should; equal ones are in none.
 */
struct lines_hunk {
	guint actual, actual_end, expected, expected_end;
};

/* An array of struct lines_hunk, in order; both: arrays of struct text_line. */
GArray *lines_compare(const GArray *actual, const GArray *expected);

/* Do line number actual of the one text and line number expected of the other go together? */
typedef bool lines_same(guint actual, guint expected, gpointer data);

/* Takes a hunk apart: as many of its lines go together, in order, as same() lets.  The result is
 * as that of lines_compare, for the lines between. */
GArray *lines_pair(const struct lines_hunk *h, lines_same *same, gpointer data);

#endif
