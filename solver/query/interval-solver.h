/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decides a question by branch and prune: the values of what is relaxed are a box of
 * intervals (range.h), and so is then what every term may be. Where a constraint
 * cannot hold the box is dropped, where all must hold it has a witness, else it is
 * split, at a value where what is undecided turns, and the half nearer to the run is
 * looked at first.
 *
 * It needs no circuits: for one or two numbers that sums, products, quotients by
 * constants and comparisons depend on it is some ten to a hundred times as fast as
 * a SAT solver, and it gives up on the others.  What it says is exact.
 */
#ifndef SOLVER_QUERY_INTERVAL_SOLVER_H
#define SOLVER_QUERY_INTERVAL_SOLVER_H

#include "solver/query/encode.h"
#include "solver/query/incremental.h"

struct interval_solver;

/* f and w: not owned, must outlive it; terms that are made later are not known here. */
struct interval_solver *interval_solver_new(const struct formula *f, struct incremental *w);
void interval_solver_free(struct interval_solver *b);

/* SMT_UNKNOWN when it takes more than effort (terms evaluated).  After SMT_SAT *values
 * are those of all definitions, by number, as encoding_model gives them: as few
 * changes as can be, rather late ones, and each near to what the program computes.
 * Caller frees. */
enum smt_answer interval_solver_decide(struct interval_solver *b, const struct encoding_question *q,
				       uint64_t effort, term_bits **values);
/* A witness from elsewhere (values of all definitions), with fewer and nearer changes; NULL
 * where it is none for all that is known here.  Caller frees. */
term_bits *interval_improve(struct interval_solver *b, const struct encoding_question *q,
			    uint64_t effort, const term_bits *values);

/* After SMT_UNSAT *core gets the numbers of selectors that cannot all hold, whatever the
 * relaxed ones do and all others: none of q's. */
enum smt_answer interval_core(struct interval_solver *b, const struct encoding_question *q,
			      uint64_t effort, GArray *core);
/* Terms evaluated so far. */
uint64_t interval_work(const struct interval_solver *b);

#endif
