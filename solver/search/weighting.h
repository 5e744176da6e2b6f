/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the tests of a suite say about the cost of a change.  A line costs the more, the
 * less suspicious it is (solver/rank/weights.h); a set of lines costs what its lines
 * cost together.
 */
#ifndef SOLVER_SEARCH_WEIGHTING_H
#define SOLVER_SEARCH_WEIGHTING_H

struct spectrum;
struct technique;
struct units;
struct weighting;

/* Weighs the lines of u, judged by t from the tests in s. */
struct weighting *weighting_new(const struct units *u, const struct spectrum *s,
				const struct technique *t);
void weighting_free(struct weighting *w);

/* The weight of a line: positive and finite; the largest weight when no test executed the line.
 * file: as the debug information has it. */
double weighting_of(const struct weighting *w, const char *file, unsigned line);
/* The score, in (0, 1], of a set with this weight: 1/weight, but 1 for the lightest line if its
 * weight is below 1. */
double weighting_score(const struct weighting *w, double weight);

#endif
