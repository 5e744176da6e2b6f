/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A condition of the user's at a stop of the run, in the place of "the test passes".  A
 * run meets it when it comes to the stop for the count-th time and the condition holds
 * there.  Every path of the formula ends there; a path that ends elsewhere does not
 * meet it.
 */
#ifndef SOLVER_FORMULA_REQUIREMENT_REQUIREMENT_CONDITION_H
#define SOLVER_FORMULA_REQUIREMENT_REQUIREMENT_CONDITION_H

#include "solver/formula/requirement.h"

/* m: the failing run at the stop; thread: the one that comes there.  *holds: does the condition
 * hold there already?  NULL with a sentence in error when it is no condition, or when its value
 * is not known.  images, stop and condition must outlive it; free it with requirement_free. */
struct requirement *requirement_new_condition(struct image *const *images, size_t n_images,
					      unsigned thread, const struct trace_point *m,
					      const struct stop *stop, const char *condition,
					      bool *holds, GError **error);

/* ---- for requirement-check.c: c is one that requirement_new_condition made ---- */

/* From now on the time that is meant is that when this instruction (runtime) was executed so often,
 * however often the walker came to the stop before. */
void requirement_condition_count(struct requirement *c, uint64_t pc, uint64_t times);
/* Is the walker about to come to the stop for the time that is meant? */
bool requirement_condition_is_next(const struct requirement *c, const struct run_walker *l);
/* Adds the constraint that it holds; the walker's cursor stands at the stop. */
void requirement_condition_require(const struct requirement *c, struct walk *w,
				   struct run_walker *l);
/* The same of any condition where the walker's cursor stands; one that makes no sense there is no
 * constraint. */
void requirement_condition_require_text(struct walk *w, struct run_walker *l, const char *text);

#endif
