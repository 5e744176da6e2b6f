/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A witness that a person can follow: of all models of a correction set, one
 * that changes few instances, those that tell most (formula.h), late ones rather than
 * early ones, and gives them values near those of the run.
 */
#ifndef SOLVER_QUERY_WITNESS_H
#define SOLVER_QUERY_WITNESS_H

#include "solver/query/encode.h"

/* After SMT_SAT for the same question: the values of all variables, by number, as encoding_model
 * gives them.  questions: so many more may be asked to make it better.  Caller frees. */
term_bits *witness_near_the_run(struct encoding *e, const struct encoding_question *q,
				unsigned questions);

#endif
