/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line that was printed, and the one that was expected, as a sentence shows them: cut around
 * what differs, and with what cannot be seen in words.
 *
 *     "a  b", expected "a b": 2 blanks in place of 1 blank at column 2
 *     "...jumps over teh lazy dog", expected "...jumps over the lazy dog" at column 85
 */
#ifndef SOLVER_OUTPUT_SHOWN_H
#define SOLVER_OUTPUT_SHOWN_H

#include <glib.h>

/* The line in quotes, without its newline, and cut at its end.  Free it. */
char *shown_line(const char *text, size_t length);

struct shown_pair {
	char *actual, *expected; /* likewise, both cut in the same place */
	char *words;		 /* what follows them in the sentence: "" where they say it all */
};

/* Two lines that differ, perhaps only by the newline at their end.  Free it with shown_pair_clear.
 */
struct shown_pair shown_pair(const char *actual, size_t n_actual, const char *expected,
			     size_t n_expected);
void shown_pair_clear(struct shown_pair *p);

#endif
