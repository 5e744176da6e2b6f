/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model-based diagnosis with several observations: what would have let each of several
 * failing tests pass?
 *
 * The formulas of all tests have the selectors in common and nothing else.  So an
 * unsatisfiable core of them together is a core of some test, and a smallest set that
 * hits all of these is a smallest union of one correction set of each test.  Example:
 * {1} and {2} correct test A, {2} and {3} correct test B.  Together: {2}, {1,3}.
 */
#ifndef SOLVER_SEARCH_JOINT_H
#define SOLVER_SEARCH_JOINT_H

#include "solver/explanation.h"
#include "solver/limits/limits.h"
#include "solver/search/weighting.h"

struct joint;

/* answer: the explanation of the first test; it becomes the answer about all of them, and has to be
 * the first that is added.  weighting: NULL = all are equally heavy.  Nothing is owned. */
struct joint *joint_new(struct explanation *answer, const struct weighting *weighting,
			const struct limits *limits);
void joint_free(struct joint *j);
/* One more test; e is finished (describe.h), and its proven suspects count. */
void joint_add(struct joint *j, const struct explanation *e);
/* Adds a test of which e has only some explanations.  A set that has none of them is left out,
 * because nobody knows whether it explains the test, or together with which other lines. */
void joint_add_known(struct joint *j, const struct explanation *e);
/* How many that was: none of the sets that explain all is part of one. */
unsigned joint_left_out(const struct joint *j);
/* How many sets explain all tests so far, the cheapest first; is the suspect part of one? */
unsigned joint_sets(const struct joint *j);
unsigned joint_size(const struct joint *j, unsigned set); /* how many lines it has */
bool joint_includes(const struct joint *j, unsigned set, const struct explanation_suspect *s);
/* Does a proven suspect of e explain its test by a part of the set? */
bool joint_is_explained(const struct joint *j, unsigned set, const struct explanation *e);
/* Adds "FILE:LINE" of each line of the set. */
void joint_add_lines(const struct joint *j, unsigned set, GHashTable *lines);
/* The answer gets the smallest sets of lines, of up to limits->size, each of which holds a proven
 * suspect of every test, as its suspects; the cheapest come first.  A statement has the values of
 * the first test that needs it.  False when there were too many sets to look at all (joint_sets).
 */
bool joint_answer(struct joint *j);

/* All of that for n tests; es[0] becomes the answer. */
bool joint(struct explanation *const *es, unsigned n, const struct weighting *weighting,
	   const struct limits *limits);

#endif
