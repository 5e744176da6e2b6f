/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of bit-vector values as intervals on the circle of 2^width values: from lo on,
 * upwards, span more values.  Signed and unsigned numbers are the same here, as long as
 * the interval does not cross the place where one of them wraps.
 *
 *   width 8: { 250, 10 } = 250 … 255, 0 … 4 = -6 … 4
 *
 * The result of an operator on intervals holds all results on their members, and maybe
 * more (Gange, Navas, Schachte, Søndergaard, Stuckey: "Interval Analysis and Machine
 * Arithmetic", the wrapped intervals there).
 */
#ifndef SOLVER_SMT_TERM_RANGE_H
#define SOLVER_SMT_TERM_RANGE_H

#include "solver/smt/term/term.h"

struct range {
	term_bits lo, span; /* span 2^width - 1: any value */
};

/* A value of that width. */
static inline struct range range_of(term_bits value)
{
	return (struct range){ value, 0 };
}

struct range range_any(unsigned width);
struct range range_boolean(bool may_be_false, bool may_be_true);
bool range_holds(struct range r, unsigned width, term_bits value);
/* An interval that holds both, and maybe what lies between. */
struct range range_join(struct range a, struct range b, unsigned width);

/* What term_apply gives for operands in these ranges. */
struct range range_apply(const struct term_node *n, struct range a, unsigned a_width,
			 struct range b, unsigned b_width, struct range c);

#endif
