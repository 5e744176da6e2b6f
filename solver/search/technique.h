/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ways by which a candidate is decided, one table: cheap ones first.  The driver tries each
 * that applies until one changes the candidate's state (the drawing is in candidate.h); what
 * none decides is deferred.
 *
 *     technique                  asks                                               costs about
 *     turned-branch              did a run pass with nothing but its branch turned?  nothing
 *     core                       why can it not mend? (postponed candidates)         a question
 *     secant-search              floating point: which number brings the goal near?  1 ms
 *     interval-solver            few numbers: branch and prune over intervals        0.3 ms
 *     concrete-search            likely values, along ways that runs went            0.1 ms
 *     engine-values              a large question: stores go where they went          50 ms
 *     engine-last-changes        a large question: the last changes only             50 ms
 *     engine                     the question, along ways that runs went             10 ms
 *     concrete-search-new        likely values, along ways that no run went          0.1 ms
 *     engine-new                 the question, along ways that no run went           10 ms
 *     engine-anywhere            the same where running did not help                 10 ms
 *     likely-values              an engine gave up: more values                      1 ms
 *     secant-search-new          the same for floating point, on ways that no run went
 *     value-mutations            runs with changed values that no formula suggests   many runs
 *     unexplored-branches        (after some lessons) a run for each unexplored side many runs
 *
 * To add a technique:
 *   1. Write solver/search/technique/technique-NAME.c.  It defines one struct technique;
 *      everything else in it is static.  It leaves the candidate OPEN when it cannot tell.
 *   2. Name it below, in the table in technique.c where its cost belongs, and in the list above.
 *   3. Give its effort a row in solver/limits/limits.def.
 *   4. tests/solver/search/technique-test.c goes through the table; add a program that only the
 *      new technique decides.  `gdb-why explain --stats' says what it did, and
 *      `--trace-search FILE' when.
 */
#ifndef SOLVER_SEARCH_TECHNIQUE_H
#define SOLVER_SEARCH_TECHNIQUE_H

#include "solver/search/candidate.h"

struct technique {
	const char *name;
	/* Is it worth a try?  It may prepare the question. */
	bool (*applies)(struct search *s, struct candidate *c);
	/* Changes c by one of the functions of candidate.h, or leaves it as it is. */
	void (*run)(struct search *s, struct candidate *c, GError **error);
	/* What bounds one try, N_LIMITS = nothing does; of sets: of two statements or more. */
	enum limit budget, budget_of_sets;
	/* The driver leaves it out: another part of the search calls technique_try. */
	bool on_demand;
};

/* All of them; n of them. */
const struct technique *const *techniques(size_t *n);

/* Decides the candidate, as far as that can be done now.  The candidate's state says what came
 * of it; CANDIDATE_OPEN: it is to be asked about again. */
void technique_decide(struct search *s, struct candidate *c, GError **error);
/* One try of one technique, if it applies; counted and traced. */
void technique_try(struct search *s, const struct technique *t, struct candidate *c,
		   GError **error);
/* Its budget for c in the present pass, each of which gives twice as much as the one before. */
uint64_t technique_budget(const struct search *s, const struct technique *t,
			  const struct candidate *c);
/* Appends a struct explanation_technique for each technique that was tried. */
void technique_stats(const struct search *s, GArray *stats);

extern const struct technique technique_turned_branch, technique_core, technique_secant_search,
	technique_secant_search_new, technique_interval_solver, technique_concrete_search,
	technique_concrete_search_new, technique_likely_values, technique_engine_values,
	technique_engine_last_changes, technique_engine, technique_engine_new,
	technique_engine_anywhere, technique_value_mutations, technique_unexplored_branches;

#endif
