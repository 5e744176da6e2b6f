/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the search's files share: search.c has the order of candidates, search-formula.c the
 * formula of all runs, known-runs.c the runs, candidate.h the states of one, technique.h the ways
 * by which one is decided. */
#ifndef SOLVER_SEARCH_SEARCH_PRIVATE_H
#define SOLVER_SEARCH_SEARCH_PRIVATE_H

#include "solver/query/interval-solver.h"
#include "solver/search/comss.h"
#include "solver/query/encode.h"
#include "solver/query/incremental.h"
#include "solver/search/candidate.h"
#include "solver/search/search.h"
#include "solver/trace/static-run.h"

/* A run that was made. */
struct search_run {
	struct run_result result;
	bool met; /* what is required, and nothing that was changed led out of an object */
	bool outside;
};

/* A run and what it was made with. */
struct known_run {
	struct search_run run; /* .result.record NULL for the failing run: not ours */
	struct trace_run *record;
	GArray *actions; /* struct trace_action */
	bool failed;	 /* it ended otherwise than by an exit */
	bool by_code;	 /* nobody made it: solver/trace/static-run.h */
	bool open;	 /* by_code: it is not known how it goes on */
};
void known_run_free(struct known_run *k);

/* A formula before the solver. */
struct question {
	struct smt *smt;
	struct encoding *encoding; /* NULL = not made yet */
};

/* What a technique was good for so far. */
struct technique_tally {
	unsigned tried, found, proven, refuted, runs;
	double ms;
};
enum { N_TECHNIQUES = 15 };

struct search {
	struct search_options options;
	const struct limits *limits; /* options.limits, or the defaults */
	struct image *const *images;
	size_t n_images;
	struct runner *runner;
	struct lift *lift;
	struct memory_code *code; /* what checks of runs' accesses know of it */
	GPtrArray *runs;	  /* struct known_run */
	GHashTable *tried;	  /* checksums of the actions of runs that were made */
	GHashTable *ways;	  /* likewise of sides that were gone down by the code */
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
	uint64_t merged_terms; /* of all formulas that were made anew */
	uint64_t made_terms;   /* the same with those of the first one */
	uint64_t work;	       /* search_work() without the work of the question at hand */
	uint64_t singles;      /* work until all single statements were asked about, 0 = not yet */
	bool stopped_early;
	GHashTable *varied; /* selectors whose value_mutations were run, in this pass or an earlier
			       one */
	/* of the candidate at hand */
	unsigned candidate_runs;
	unsigned learned; /* runs that taught something */
	bool no_progress; /* the last run taught nothing */
	GArray *avoided;  /* uint32_t: unexplored sides of the formula that running did not explain
			   */
	struct technique_tally tallies[N_TECHNIQUES];
	double tallied_ms; /* of all techniques */
	unsigned runs_made, tallied_runs;
	uint64_t actions_done; /* of the last run: how many really happened */
	uint64_t looked_at; /* instructions of runs that were asked whether they leave an object */
	const char *first_record;	     /* directory of the failing run; not owned */
	bool first_looked_at, first_outside; /* that was asked of the failing run, and it does
					      * leave an object */
	bool complete;
	bool all_paths; /* the formula has all paths by now */
	struct search_paths paths;
};

/* ---- search-formula.c ---- */

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
/* Was the formula made anew so often that further runs are not merged? */
bool search_is_merged_enough(const struct search *s);
/* The formula of all runs; the old one stays when there is an error. */
bool search_rebuild(struct search *s, GError **error);
/* What changing the selector's statement costs. */
double search_selector_weight(const struct search *s, unsigned selector);
/* Drops the formula and what was made of it. */
void search_forget_formula(struct search *s);
/* The incremental evaluator of the formula; owned by s, made at the first call. */
struct incremental *search_incremental(struct search *s);
/* The interval solver, for questions that need no circuit; owned by s.  NULL where it does not
 * help. */
struct interval_solver *search_intervals(struct search *s);

/* ---- other files ---- */

/* Opens the run's record; the formula stays as it is.  (known-runs.c) */
bool search_append_run(struct search *s, const char *directory, struct search_run *run,
		       const struct trace_action *actions, size_t n, GError **error);
/* Merges a static run, which is taken and which ended in this way. */
void search_append_static_run(struct search *s, struct trace_run *record,
			      const struct static_run_result *end, const GArray *actions);
/* How many of its runs were made. */
guint search_runs(const struct search *s);
/* Goes down every side of every branch, so that the formula has all paths (all-paths.c). */
bool search_all_paths(struct search *s, GError **error);
unsigned search_time_left_ms(const struct search *s);
/* How much of something the present pass gives. */
uint64_t search_effort(const struct search *s, uint64_t first);

/* Makes the question about what these n selectors relax (NULL = all selectors), unless it is
 * open.  The definitions before scope->first are inlined. */
void search_open_question(struct search *s, struct question *q, const struct inlined_scope *scope);
/* Clears it; its checks and clauses are counted. */
void search_forget(struct search *s, struct question *q);
/* Notes that this limit cut something off, so that the search is not complete. */
void search_cut(struct search *s, enum limit limit);
/* What bounds a question about a set of n, and how much of it the present pass gives. */
enum limit search_effort_limit(unsigned n);
unsigned search_question_ms(const struct search *s, unsigned n);
/* Logs what is asked, and when (GDB_WHY_LOG=search:debug). */
void search_say_question(const struct search *s, const struct encoding_question *q, const char *how,
			 enum smt_answer answer);

const struct trace_run *search_first_record(const struct search *s);
/* Instructions of the run's longest thread; of the failing run. */
uint64_t search_insns_of(const struct known_run *k);
uint64_t search_first_insns(const struct search *s);

/* The first unexplored side that the model goes down: its index, or -1. */
int search_side_taken(const struct search *s, const term_bits *values);
/* The sides that are avoided (uint32_t): those that runs did not explain, and ends of loops. */
GArray *search_sides_to_avoid(const struct search *s);
/* The path that these values (may be NULL) take, if it changes something and was not tried
 * before; else NULL. */
struct model_path *search_untried_path(const struct search *s, const term_bits *values);

/* Why nothing is proven where there is no runner. */
extern const char candidate_not_here[];

#endif
