/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the search's files share: search.c has the runs, the formula and the
 * order of candidates, candidate.c decides one, candidate-run.c makes runs for it,
 * candidate-vary.c those that only running decides. */
#ifndef SOLVER_SEARCH_SEARCH_PRIVATE_H
#define SOLVER_SEARCH_SEARCH_PRIVATE_H

#include "solver/query/interval-solver.h"
#include "solver/search/comss.h"
#include "solver/query/encode.h"
#include "solver/query/incremental.h"
#include "solver/search/search.h"

/* A run that was made. */
struct search_run {
	struct run_result result;
	bool met; /* what is required */
};

/* A run and what it was made with. */
struct known_run {
	struct search_run run; /* .result.record NULL for the failing run: not ours */
	struct trace_run *record;
	GArray *actions; /* struct trace_action */
	bool failed;	 /* it ended otherwise than by an exit */
};

/* A formula before the solver. */
struct question {
	struct smt *smt;
	struct encoding *encoding; /* NULL = not made yet */
};

struct search {
	struct search_options options;
	const struct limits *limits; /* options.limits, or the defaults */
	struct image *const *images;
	size_t n_images;
	struct runner *runner;
	struct lift *lift;
	GPtrArray *runs;   /* struct known_run */
	GHashTable *tried; /* checksums of the actions of runs that were made */
	GHashTable *flips; /* sum of actions that turn one branch, and the test passes → selector */
	GHashTable *refuted; /* GBytes of candidates whose cores are not known yet */
	struct selector_table *selectors;
	struct trace_summary *summary; /* of the failing run */
	/* rebuilt with each run */
	struct term_pool *pool;
	struct formula *formula;
	struct incremental *incremental;   /* of the formula, made when it is needed */
	struct interval_solver *intervals; /* likewise */
	/* made when they are needed: of all selectors, for cores; of the candidate at hand */
	struct question full, own;
	struct comss *comss;
	GPtrArray *answers; /* struct search_answer */
	GTimer *clock;
	double formula_ms; /* spent on making formulas */
	unsigned iterations, checks;
	uint64_t clauses; /* of the largest question */
	guint unmerged;	  /* the last runs, which the formula has not got yet */
	unsigned pass;
	uint64_t work;	  /* search_work, but for what is at hand */
	uint64_t singles; /* work until a set of two was asked about, 0 = not yet */
	bool stopped_early;
	GHashTable *varied; /* selectors whose value_mutations were run, in this pass or an earlier
			       one */
	/* of the candidate at hand */
	unsigned candidate_runs;
	unsigned learned; /* runs that taught something */
	bool no_progress; /* the last run taught nothing */
	GArray *avoided;  /* uint32_t: unexplored sides of the formula that running did not explain
			   */
	bool complete;
};

/* Opens the run's record and makes the formula anew with it.  run is taken;
 * NULL for the failing run. */
bool search_add_run(struct search *s, const char *directory, struct search_run *run,
		    const struct trace_action *actions, size_t n, GError **error);
/* Opens the run's record, and makes the formula anew once there are several such: a
 * large one takes longer to make than to ask. */
bool search_keep_run(struct search *s, struct search_run *run, const struct trace_action *actions,
		     size_t n, GError **error);
/* Makes the formula anew if there are runs that it has not got. */
bool search_merge(struct search *s, GError **error);
/* Makes a run for each side that no run took, within limits, and the formula
 * anew with them all: where there is much to learn, one at a time takes a formula
 * and the question again for each. */
void search_explore_all(struct search *s, GError **error);
unsigned search_time_left_ms(const struct search *s);
/* How much of something the present pass gives. */
uint64_t search_effort(const struct search *s, uint64_t first);

/* Clears it; its checks and clauses are counted. */
void search_forget(struct search *s, struct question *q);
/* Instructions of the failing run. */
uint64_t search_first_insns(const struct search *s);
/* The limit cut something off: the search is not complete. */
void search_cut(struct search *s, enum limit limit);

/* Asks about the candidate (n selectors) and makes runs for it.  An answer,
 * owned by s, or NULL: refuted, put off, or to be asked again. */
const struct search_answer *candidate_decide(struct search *s, const unsigned *set, unsigned n,
					     GError **error);

/* ---- candidate-vary.c ---- */

/* Runs what may become of the single statement's changes that the formula says nothing
 * of (value-mutation.h), once in a search.  An answer, owned by s, or NULL. */
const struct search_answer *candidate_vary(struct search *s, const struct encoding_question *q,
					   GError **error);

/* ---- candidate-run.c: the candidate at hand.  They take the path; an answer,
 * owned by s, or NULL: to be asked again, now or later. ---- */

/* Replays the path: what is proven is an answer, what fails is learned. */
const struct search_answer *candidate_prove(struct search *s, const struct encoding_question *q,
					    struct model_path *path, GError **error);
/* The candidate holds only on a side that no run took, the one that the path
 * goes down.  A run with the path's changes goes there; should it have been made,
 * exactly that branch is turned.  When that teaches nothing either, the side is
 * avoided. */
const struct search_answer *candidate_explore(struct search *s, const struct encoding_question *q,
					      struct model_path *path, int side, GError **error);
/* It holds only where runs went on for longer than the formula follows them, or
 * where running did not help: a last try, which says nothing when it fails. */
const struct search_answer *candidate_go_beyond(struct search *s, const struct encoding_question *q,
						struct model_path *path, GError **error);
/* note: why it is not proven, NULL if it is. */
const struct search_answer *candidate_answer(struct search *s, const struct encoding_question *q,
					     struct model_path *path,
					     enum explanation_replay replay, const char *note);
/* Undecided because of that limit (N_LIMITS: of none): the others come first. */
void candidate_defer(struct search *s, enum limit because);
/* Decided or put off: the next one may make as many runs. */
void candidate_is_done(struct search *s);

/* The actions of a known run up to the branch of an unexplored side, and down
 * that side; none where the run does not say how. */
void candidate_actions_to(const struct search *s, int side, GArray *actions);
/* Were these actions never tried?  They count as tried from now on. */
bool candidate_is_new(struct search *s, const GArray *actions);
/* A name for them; caller frees. */
char *candidate_sum(const GArray *actions);
/* Is there a runner, and may it run once more?  Else the search was cut. */
bool candidate_may_run(struct search *s);
/* What becomes of f when values change; s's, made at the first call. */
struct incremental *search_incremental(struct search *s);
/* Makes a run with these actions; run->result is the caller's. */
bool candidate_run(struct search *s, const GArray *actions, struct search_run *run, GError **error);

#endif
