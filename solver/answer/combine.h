/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes one answer out of the explanations of several failing tests, because a fault is
 * in what they share (Jin and Orso).
 */
#ifndef SOLVER_ANSWER_COMBINE_H
#define SOLVER_ANSWER_COMBINE_H

#include "solver/explanation.h"

/*
 * All of them are finished (describe.h); es[0] becomes the answer.  Its suspects are
 * put in order: proven ones first, then those that more tests have too (a suspect of
 * the same lines), then the cheaper ones, then those with the better average rank.  Its
 * lines are all that any of them names, in the order of order_combine, with scores that
 * say so.  What it takes from the others is copied.
 */
void combine(struct explanation *const *es, unsigned n);

#endif
