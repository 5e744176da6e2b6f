/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the values are with which a test passes, where that names the fault: a line that gives
 * `r = 7' where the test passes with what r held before should not give r anything there.
 */
#ifndef SOLVER_ANSWER_WITNESS_WORDS_H
#define SOLVER_ANSWER_WITNESS_WORDS_H

#include "solver/explanation.h"
#include "solver/source/trace-point/trace-point.h"

/* Fills in explanation_statement.witness_is of proven suspects that change one statement.  index,
 * m: of the failing run, to which the executions' steps belong. */
void witness_words_add(struct explanation *e, struct reverse_index *index,
		       const struct trace_point *m);

#endif
