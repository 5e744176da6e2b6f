/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A formula as questions to the solver: only what the requirements depend on,
 * through definitions and guards, is asserted.
 *
 * Selectors are Boolean variables: assumed, a statement's definitions hold;
 * left out, its values are free.  One more assumption says that the path stays
 * on sides that some run took.
 */
#ifndef SOLVER_FORMULA_ENCODE_H
#define SOLVER_FORMULA_ENCODE_H

#include "solver/formula/formula.h"
#include "solver/formula/smt.h"

struct encoding {
	const struct formula *formula;
	struct smt *smt;
	GHashTable *relevant; /* terms of the variables that are asserted */
	GArray *selectors;    /* unsigned: numbers of the selectors that matter, ascending */
	uint64_t clauses;
};

/* smt: fresh, owned by the caller. */
struct encoding *encode(const struct formula *f, struct smt *smt);
void encoding_free(struct encoding *e);

/* The Boolean variable of a selector. */
uint32_t encoding_selector(const struct formula *f, unsigned selector);

/* Asks with all relevant selectors but those relaxed (n of them, ascending).
 * explored: only along sides that some run took.  After SMT_UNSAT, *core holds
 * selector numbers (cleared first). */
enum smt_answer encoding_check(struct encoding *e, const unsigned *relaxed, unsigned n,
			       bool explored, unsigned timeout_ms, GArray *core);

/* After SMT_SAT: the value of every variable in the model, by number: relaxed
 * and unknown ones as the solver chose, all others as they follow.  Caller
 * frees. */
term_bits *encoding_model(struct encoding *e, const unsigned *relaxed, unsigned n);

#endif
