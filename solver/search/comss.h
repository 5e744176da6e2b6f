/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Enumeration of minimal correction sets (CoMSSs) by implicit hitting sets.
 *
 * A correction set must take something from every unsatisfiable core, and a
 * set that hits all cores known so far either is one or yields a new core.  The
 * candidates come in order of total weight, so each correction set found is
 * minimal, each comes once, and none contains another (Reiter's hitting-set
 * tree, searched best first; Bailey and Stuckey's duality of MUSes and MCSes).
 *
 *     while ((set = comss_candidate(c, &n)))
 *             if (satisfiable when `set` is relaxed) comss_accept(c);
 *             else comss_refute(c, core, n_core);
 *
 * Example: cores {1,2} and {2,3}.  Candidates with unit weights: {} → core
 * {1,2}; {1} → core {2,3}; {2} accepted; {1,3} accepted; end.
 */
#ifndef SOLVER_SEARCH_COMSS_H
#define SOLVER_SEARCH_COMSS_H

#include <glib.h>
#include <stdbool.h>

struct comss;

/* Selectors are 0 … n - 1.  weights: n positive numbers, NULL = all are 1.  max_size: the
 * largest set to enumerate. */
struct comss *comss_new(unsigned n, const double *weights, unsigned max_size);
void comss_free(struct comss *c);

/* Among sets of the same weight, those of selectors with greater numbers come first. */
void comss_prefer_last(struct comss *c);

/* Adds selectors that appeared later, because the formula grew. */
void comss_grow(struct comss *c, unsigned n, const double *weights);

/* The next set to try, ascending, with n members (maybe 0).  The same one comes again until it
 * is accepted, refuted or given up.  NULL at the end.  Owned by c, valid until the next call. */
const unsigned *comss_candidate(struct comss *c, unsigned *n);

void comss_accept(struct comss *c); /* It is a correction set; its supersets are left out. */
/* It is no correction set, because this core, a set of selectors that cannot all hold, has none
 * of its members.  An empty core means that nothing can correct the run: the enumeration ends. */
void comss_refute(struct comss *c, const unsigned *core, unsigned n);
/* It is undecided.  It and what contains it wait until comss_resume, which is called at the end
 * of the enumeration and says whether there were any. */
void comss_defer(struct comss *c);
bool comss_resume(struct comss *c);
/* The same for a set that is no correction set, but whose core is not known yet: cores are
 * found for many at once. */
void comss_postpone(struct comss *c);
bool comss_resume_postponed(struct comss *c);

/* A core known from elsewhere (an earlier, weaker formula: cores stay cores
 * when clauses are added). */
void comss_add_core(struct comss *c, const unsigned *core, unsigned n);

unsigned comss_n_cores(const struct comss *c);

#endif
