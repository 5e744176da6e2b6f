/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * On-demand formula computation (Jin and Orso's OFC).  The search enumerates correction sets of the
 * formula of the runs that are known so far.  Where a set rests on a side of a branch that no run
 * took, the test is run again with exactly that branch turned, the run is merged into the formula,
 * and the question is asked again.  Each set is proven by a run with its witness patched in.  A run
 * that fails to prove it is merged, too.
 */
#ifndef SOLVER_SEARCH_SEARCH_H
#define SOLVER_SEARCH_SEARCH_H

#include "solver/explanation.h"
#include "solver/limits/limits.h"
#include "solver/formula/model/model-path.h"
#include "solver/formula/requirement.h"
#include "solver/smt/smt.h"
#include "solver/formula/walk.h"
#include "solver/trace/superblock/prefix-counts.h"
#include "solver/trace/runner.h"
#include "solver/search/weighting.h"

struct search;

/* A technique was tried on a candidate. */
struct search_decision {
	const unsigned *set; /* selectors, n of them */
	unsigned n;
	const char *technique; /* static */
	/* static: "proven", "fails", "not run": an answer, by its replay; "none", "refuted": it
	 * is no correction set; "learned": a run showed what the formula did not know;
	 * "deferred": others come first; "undecided" */
	const char *verdict;
	unsigned runs; /* that were made for it */
	double ms;     /* formulas are not counted */
};
typedef void search_decided_fn(void *arg, const struct search *s, const struct search_decision *d);

struct search_options {
	/* .requirement is what is to be brought about; .selectors, .summary and .limits are
	 * filled by the search. */
	struct walk_options walk;
	unsigned thread;	      /* the one that failed */
	unsigned max_suspects;	      /* 0 = all */
	const struct deadline *until; /* when all has to be over; NULL = never; not owned */
	const struct limits *limits;  /* NULL = the defaults; not owned */
	enum smt_kind solver;
	/* What changes cost: cheaper ones come first; NULL = all the same.  Not owned. */
	const struct weighting *weighting;
	search_decided_fn *decided; /* is told of each try; NULL = nobody asks */
	void *decided_arg;
	/* What the run executed before its record begins; NULL = nothing.  Not owned. */
	const struct prefix_counts *before;
	/* It ends after so many microseconds of counted work, which are the same on each machine;
	 * 0 = it need not end. */
	uint64_t most_work;
	bool hijack;	/* false: the single trace's answers */
	bool all_paths; /* the formula of all paths first; false: it grows on demand */
	bool thorough;	/* use all of the timeout where there is something to find */
};

/* One correction set.  The formula and model are those that it was found in. */
struct search_answer {
	GArray *selectors; /* unsigned */
	bool needs_run;	   /* rests on a side that no run took */
	enum explanation_replay replay;
	const char *note; /* static: why it is not proven, NULL if it is */
	/* The first wrong line of the output in the failing run, and in this answer's run, which
	 * gets further; 0 = the run does not get further, or the test passes. */
	unsigned further_from, further_to;
	struct model_path *path; /* what was changed */
	GArray *changed;	 /* struct definition: copies of the path's changed definitions */
};

/* images: in the plan's order; record: directory of the failing run; runner:
 * NULL when nothing can be run, then nothing is proven.  Nothing is owned; all
 * must outlive the search. */
struct search *search_new(struct image *const *images, size_t n_images, const char *record,
			  struct runner *runner, const struct search_options *options,
			  GError **error);
void search_free(struct search *s);

/* The next correction set, or NULL at the end (or with error).  Owned by s. */
const struct search_answer *search_next(struct search *s, GError **error);

/* The formula that the last answer was found in; changes with the next one. */
const struct formula *search_formula(const struct search *s);
double search_formula_ms(const struct search *s); /* spent on making formulas */
const struct selector_table *search_selectors(const struct search *s);
/* How often the failing run executed the instruction at this runtime address. */
uint64_t search_executions(const struct search *s, uint64_t pc);
/* The same of what came before the record begins: answers count from there. */
uint64_t search_executions_before(const struct search *s, uint64_t pc);
/* How many steps came before the record begins. */
uint64_t search_steps_before(const struct search *s);
/* What the answer's changes cost together, and how suspicious that makes it, in
 * (0, 1].  Without .weighting the weight is 0, and the larger is the less
 * suspicious. */
double search_weight(const struct search *s, const struct search_answer *a);
double search_score(const struct search *s, const struct search_answer *a);
/* False when a limit (time, runs, …) cut something off; search_options.limits counts
 * which. */
bool search_complete(const struct search *s);
/* So many microseconds of counted work were done. */
uint64_t search_work(const struct search *s);
/* How the formula of all paths was made; 0 everywhere where it grows on demand. */
struct search_paths {
	unsigned by_code; /* sides of branches that were gone down from the code alone */
	unsigned by_run;  /* … that took a run, because the code does not tell what is there */
	unsigned looping; /* places where the unroll bound ends a path */
	unsigned open;	  /* places where what comes next is not known, and no run was made */
};
struct search_paths search_paths(const struct search *s);
/* Did it end because of .most_work?  When it is given more (0: as much as it takes), it goes on. */
bool search_is_out_of_work(const struct search *s);
void search_give_work(struct search *s, uint64_t most_work);
/* True when it ended for want of patience: see .thorough. */
bool search_stopped_early(const struct search *s);
/* Fills runs, iterations, checks, clauses, statements, concretized, techniques. */
void search_stats(const struct search *s, struct explanation_stats *stats);

#endif
