/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decides a question by branch and prune.  The values of what is relaxed are a box of
 * intervals (range.h); from them follows an interval for every term.  When a constraint
 * cannot hold in the box, the box is dropped.  When all constraints must hold, it has a
 * witness.  Otherwise it is split, at a value where an undecided constraint turns, and
 * the half nearer to the run is looked at first.
 *
 * It needs no circuits.  For one or two numbers that sums, products, quotients by
 * constants and comparisons depend on, it is ten to a hundred times as fast as a SAT
 * solver; it gives up on other questions.  What it says is exact.
 */
#ifndef SOLVER_QUERY_INTERVAL_SOLVER_H
#define SOLVER_QUERY_INTERVAL_SOLVER_H

#include "solver/base/deadline.h"
#include "solver/query/encode.h"
#include "solver/query/incremental.h"

struct interval_solver;

/* f and w are not owned and must outlive it; it does not know terms that are made later. */
struct interval_solver *interval_solver_new(const struct formula *f, struct incremental *w);
void interval_solver_free(struct interval_solver *b);
/* Once that is over, questions are SMT_UNKNOWN.  Not owned; NULL = never. */
void interval_solver_until(struct interval_solver *b, const struct deadline *until);

/* SMT_UNKNOWN when it takes more than `effort' (evaluated terms).  After SMT_SAT, *values has
 * the values of all definitions, by number, as encoding_model gives them: as few changes as
 * possible, late ones rather than early ones, each near to what the program computes.  Caller
 * frees. */
enum smt_answer interval_solver_decide(struct interval_solver *b, const struct encoding_question *q,
				       uint64_t effort, term_bits **values);
/* Improves a witness that comes from elsewhere (values of all definitions): fewer and nearer
 * changes.  NULL when it is no witness, as far as is known here.  Caller frees. */
term_bits *interval_improve(struct interval_solver *b, const struct encoding_question *q,
			    uint64_t effort, const term_bits *values);

/* After SMT_UNSAT: *core gets the numbers of selectors that cannot all hold, whatever values
 * the relaxed ones and all others have; none of q's is among them. */
enum smt_answer interval_core(struct interval_solver *b, const struct encoding_question *q,
			      uint64_t effort, GArray *core);
/* How many terms have been evaluated so far. */
uint64_t interval_work(const struct interval_solver *b);

#endif
