/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Initial values that the failing run read, and what they are changed into
 * (solver/change/data-mutant.h). */
#ifndef GDBEXT_EVIDENCE_INITIAL_VALUES_H
#define GDBEXT_EVIDENCE_INITIAL_VALUES_H

#include "gdbext/question/question.h"
#include "solver/change/data-mutant.h"

/* struct data_mutant, the least changes first, of the values that were read last, also into what
 * the proven explanations of q would have; only: nothing but that.  Free the array.  NULL with
 * error. */
GArray *initial_value_mutants(const struct question *q, const struct limits *limits, bool only,
			      GError **error);

/* What the mutants of one variable, or of one constant of the code, have in common. */
static inline const void *initial_value_of(const struct data_mutant *m)
{
	return m->variable ? (const void *)m->variable : (const void *)m->statement;
}

/* The variable's declaration as a statement: it has no code.  Its texts are the image's. */
struct image_statement initial_value_declared(const struct data_mutant *m);

#endif
