/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an answer does not cover, in words. */
#ifndef GDBEXT_QUESTION_NOTES_H
#define GDBEXT_QUESTION_NOTES_H

#include "solver/base/deadline.h"
#include "gdbext/options/options.h"
#include "gdbext/replay/replay.h"
#include "solver/explanation.h"
#include "solver/search/search.h"

/* Adds one. */
void notes_printf(struct explanation *e, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Adds e's notes: values that were taken as they were, limits that cut the search, threads that
 * were not followed, and left_out instructions at the run's beginning that were not kept.  e's
 * suspects and stats are filled. */
void notes_add(struct explanation *e, const struct options *o, unsigned threads, uint64_t left_out,
	       const struct deadline *until);

/* What the proofs rest on where changed runs, made by r (NULL: there were none), started programs.
 */
void notes_started(struct explanation *e, const struct replay *r);
/* Fills e's .stats.limits. */
void notes_limits(struct explanation *e, const struct options *o);

/* How the formula of all paths came about, and where it ends.  unroll: --max-unroll. */
void notes_paths(struct explanation *e, struct search_paths p, unsigned unroll);

#endif
