/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A witness that a person can follow.  Of all models of a correction set, it is one
 * that changes few instances, those that read best (formula.h), late ones rather than
 * early ones, and gives them values near those of the run.
 */
#ifndef SOLVER_QUERY_WITNESS_H
#define SOLVER_QUERY_WITNESS_H

#include "solver/query/encode.h"

/* Call it after SMT_SAT for the same question.  The values of all variables, by number, as
 * encoding_model gives them.  questions: how many more questions may be asked to improve it.
 * Caller frees. */
term_bits *witness_near_the_run(struct encoding *e, const struct encoding_question *q,
				unsigned questions);

#endif
