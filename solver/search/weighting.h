/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the tests of a suite say about a change: a line costs the more, the less
 * suspicious it is (solver/rank/weights.h), a set of lines what its lines cost
 * together.
 */
#ifndef SOLVER_SEARCH_WEIGHTING_H
#define SOLVER_SEARCH_WEIGHTING_H

struct spectrum;
struct technique;
struct units;
struct weighting;

/* Lines of u, judged by t from the tests in s. */
struct weighting *weighting_new(const struct units *u, const struct spectrum *s,
				const struct technique *t);
void weighting_free(struct weighting *w);

/* Positive and finite; the largest where no test knows the line.  file: as the
 * debug information has it. */
double weighting_of(const struct weighting *w, const char *file, unsigned line);
/* The score of what weighs that much in all, in (0, 1]: 1/weight, and 1 for the
 * lightest line where that is lighter than 1. */
double weighting_score(const struct weighting *w, double weight);

#endif
