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

/* The witness of a store that goes elsewhere, of the instruction at pc (run-time), with the value
 * that is stored there where that is another one, too: "a[2], the value 7".  e's, or as it was. */
const char *witness_words_stored(struct explanation *e, const struct trace_point *m,
				 const struct explanation_suspect *suspect, uint64_t pc,
				 const char *witness);

#endif
