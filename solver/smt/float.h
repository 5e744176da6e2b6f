/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Floating point for a solver that knows bit-vectors only: turns an IR_FP term into a
 * term of the other operators, exact to the last bit (IEEE 754 in round-to-nearest,
 * NaNs as SSE has them).
 *
 *   x + y of doubles: align the smaller one, add, normalise, round
 *
 * Terms of the formula keep IR_FP, which is quick to evaluate; an engine asks for the
 * other form when it makes circuits.
 */
#ifndef SOLVER_SMT_FLOAT_H
#define SOLVER_SMT_FLOAT_H

#include "solver/smt/term/term.h"

/* Is it the result of a function of libm?  That has no such form.  An engine may take any value
 * for it, the same for the same term, and must not call what it finds then a model. */
bool float_is_opaque(const struct term_node *n);

/* t: any other IR_FP term.  Its operands stay as they are. */
uint32_t float_expanded(struct term_pool *p, uint32_t t);
/* The same, made once.  known: t to what it became; new terms may have been made. */
uint32_t float_expanded_once(struct term_pool *p, uint32_t t, GHashTable *known);

/* About how many gates that form takes. */
uint64_t float_aig(const struct term_pool *p, const struct term_node *n);

#endif
