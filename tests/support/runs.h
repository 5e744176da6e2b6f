/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program's failing run and further runs of it with changes, as a formula. */
#ifndef TESTS_SUPPORT_RUNS_H
#define TESTS_SUPPORT_RUNS_H

#include "gdbext/replay/replay.h"
#include "solver/formula/model/model-path.h"
#include "solver/formula/requirement.h"
#include "solver/formula/walk.h"

/* One run; the changes that it was made with are its own. */
struct support_run {
	struct run_result result; /* .record NULL for the failing run */
	struct trace_run *record;
	GArray *actions; /* struct trace_action */
};

struct support_runs {
	char *source, *program;
	struct replay *replay;
	struct replay_failing failing;
	struct requirement *requirement; /* that the test passes */
	struct image *const *images;
	size_t n_images;
	struct lift *lift;
	struct trace_summary *summary;
	struct selector_table *selectors;
	GPtrArray *runs; /* struct support_run, the failing one first */
	struct term_pool *pool;
	struct formula *formula;
};

/* Compiles the C file with these flags, runs it with the words of its head's
 * line "test:" and makes the formula of that run.  Call support_need_replay
 * first. */
struct support_runs *support_runs_new(const char *source, const char *flags);
void support_runs_free(struct support_runs *s);

/* A run with these actions.  Free with support_run_free, or give it to
 * support_runs_merge. */
struct support_run *support_run_again(struct support_runs *s, const GArray *actions);
void support_run_free(struct support_run *r);
bool support_run_passed(const struct support_run *r);

/* Makes the formula anew with one run more. */
void support_runs_merge(struct support_runs *s, struct support_run *r);

/* As the formula takes it. */
struct walk_run support_walk_run(const struct support_runs *s, unsigned number);

#endif
