/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Circuits that are made only when a model needs them.  Products and quotients are most of the
 * gates of a question, but nearly all of them are on ways that neither a model goes nor a proof
 * needs.  So their results are free words at first:
 *
 *     q = a * b                      q is any word, expected to be what a * b is in the run
 *     no model                       there is none with the circuit either
 *     a model, and all that is       a model: what q is does not matter
 *     asserted holds with a * b
 *     a model otherwise              the circuit is made, and the question asked again
 *
 * This is how lemmas on demand treat a theory that is dear (Brummayer and Biere, "Lemmas on
 * Demand for the Extensional Theory of Arrays", 2009).
 */
#ifndef SOLVER_SMT_LATE_CIRCUITS_H
#define SOLVER_SMT_LATE_CIRCUITS_H

#include "solver/smt/circuits.h"

#include <glib.h>
#include <stdint.h>

struct late_circuits;

struct late_circuits *late_circuits_new(struct aig *g); /* g is the caller's */
void late_circuits_free(struct late_circuits *l);

/* Makes out a free word for the term, x kind y of n bits; its circuit is made later.  False where
 * that is not worth it, and the circuit is to be made now. */
bool late_circuits_take(struct late_circuits *l, uint32_t term, enum ir_kind kind, const int *x,
			const int *y, unsigned n, int *out);
/* Are there circuits that were not made? */
bool late_circuits_are_waiting(const struct late_circuits *l);
/* The solver has a model.  Makes the circuits of those of these terms (a set; NULL = of all) whose
 * result is wrong in it.  False when none is; else the model is gone. */
bool late_circuits_make_wrong(struct late_circuits *l, GHashTable *terms);

#endif
