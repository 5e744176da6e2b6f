/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One incremental SMT solver over terms, of two kinds: bit-blast.c makes circuits of
 * the terms for the SAT solver CaDiCaL, z3.c is the one door to Z3.  The
 * first is many times as fast on trace formulas, the second is there to compare.
 *
 * Hard constraints are asserted once; selectors are Boolean variables passed
 * as assumptions, so one solver answers all questions about a formula and its
 * learned clauses stay.  With GDB_WHY_SMT_DUMP=dir each question to either of them is
 * written to dir/N.smt2 (smt-lib.h), with the answer as a comment in its last line.
 */
#ifndef SOLVER_SMT_SMT_H
#define SOLVER_SMT_SMT_H

#include "solver/base/deadline.h"
#include "solver/smt/term/term.h"

struct smt;

enum smt_kind { SMT_BITBLAST, SMT_Z3 };

enum smt_answer { SMT_UNSAT, SMT_SAT, SMT_UNKNOWN /* too much work, or it gave up */ };

/* p is not owned and must outlive the solver; the solver adds terms to it for operators that
 * the engine does not know (float.h). */
struct smt *smt_new(struct term_pool *p, enum smt_kind kind);
void smt_free(struct smt *s);
/* When the deadline is over, questions are SMT_UNKNOWN.  Not owned; NULL = never. */
void smt_end_at(struct smt *s, const struct deadline *until);
/* What smt_end_at was given, for those who make questions. */
const struct deadline *smt_deadline(const struct smt *s);

/* The search for a model starts from this value of the variable; 0 when nothing was said.  Call
 * it before the variable is used. */
void smt_expect(struct smt *s, uint32_t variable, term_bits value);
void smt_assert(struct smt *s, uint32_t boolean);

/* Can all these Boolean variables (or their negations) be true?  effort_ms: how much work it
 * may take, in what some machine does in a millisecond.  The work is counted, so that the same
 * question gets the same answer each time. */
enum smt_answer smt_check(struct smt *s, const uint32_t *assumptions, unsigned n,
			  unsigned effort_ms);
/* After SMT_UNSAT: indices into the assumptions of the last question that
 * cannot all hold.  Owned by s, valid until the next question. */
const unsigned *smt_core(const struct smt *s, unsigned *n);
/* The value of the variable in the model of the last question that was SMT_SAT; 0 when it does
 * not matter. */
term_bits smt_value(struct smt *s, uint32_t variable);

/* The least that a question costs, in gates that have to be made; 0 = not known.  A question
 * whose effort is too small for them is SMT_UNKNOWN at once. */
uint64_t smt_cost(struct smt *s);
/* What all questions so far have cost, in microseconds of some machine; the work is counted. */
uint64_t smt_work(const struct smt *s);

unsigned smt_checks(const struct smt *s); /* questions asked */

#endif
