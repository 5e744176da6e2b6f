/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which suspects come first: those that a programmer would have written wrong.  All that
 * pass are valid corrections of this run; what tells them apart without other tests is how
 * a person errs, and how far a change is from what the code says.
 *
 *     cost = what a small change of the line says (evidence.h; most of it)
 *          + statements that only hand a value on + values that are far from the run's
 *          + a check that is dodged + several executions + more lines than one
 */
#ifndef SOLVER_ANSWER_PLAUSIBILITY_H
#define SOLVER_ANSWER_PLAUSIBILITY_H

#include "solver/explanation.h"
#include "solver/limits/limits.h"

/* The lower, the likelier; 0 or more; s is one of e's.  Each part is a row order_... of the table
 * of limits. */
double plausibility_cost(const struct explanation *e, const struct explanation_suspect *s,
			 const struct limits *limits);
/* Does the run with its change not come to the failure any more, which shows little? */
bool plausibility_dodges(const struct explanation *e, const struct explanation_suspect *s);
/* Orders suspects and lines by it, those that are proven before the others, and numbers
 * them anew.  Equal ones keep their order. */
void plausibility_order(struct explanation *e, const struct limits *limits);

#endif
