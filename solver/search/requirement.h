/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the search is to bring about instead of "the test passes": a condition of
 * the user's at a stop of the run.  A run meets it when it comes to the stop, for
 * the count-th time, and the condition holds there.
 */
#ifndef SOLVER_SEARCH_REQUIREMENT_H
#define SOLVER_SEARCH_REQUIREMENT_H

#include "solver/source/trace-point.h"

struct requirement;

/* m: the failing run at the stop.  False conditions only: whether it holds there
 * is said in *holds, when it is known.  NULL with a sentence in error when it is
 * no condition, or its value is not known.  All must outlive it. */
struct requirement *requirement_new(struct image *const *images, size_t n_images, unsigned thread,
				    const struct trace_point *m, const struct stop *stop,
				    const char *condition, bool *holds, GError **error);
void requirement_free(struct requirement *r);

struct walk_goal;
const struct walk_goal *requirement_goal(const struct requirement *r);

/* Of a record made with these actions. */
bool requirement_is_met(const struct requirement *r, const char *record,
			const struct trace_action *actions, size_t n_actions);

#endif
