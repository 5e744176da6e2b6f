/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What if one instance had computed another value?  The part of an encoding
 * that its relaxed definitions bear on, in order, evaluated from that instance on:
 * thousands of values a millisecond, where a question to the solver takes
 * milliseconds for its circuits.
 */
#ifndef SOLVER_FORMULA_WHAT_IF_H
#define SOLVER_FORMULA_WHAT_IF_H

#include "solver/formula/encode.h"

struct what_if;

/* Both must outlive it.  guess: a side that no run took is taken to lead to what
 * is required even where it comes back; else the answers are models. */
struct what_if *what_if_new(const struct encoding *e, const struct encoding_question *q,
			    bool guess);
void what_if_free(struct what_if *w);

/* The relaxed definitions that matter, in their order. */
unsigned what_if_instances(const struct what_if *w);
uint32_t what_if_definition(const struct what_if *w, unsigned instance); /* its number */
term_bits what_if_natural(const struct what_if *w, unsigned instance);	 /* in the run */

/* With that value, all others as they follow, does the question hold?  Instances
 * must be tried from the last one back. */
bool what_if_holds(struct what_if *w, unsigned instance, term_bits value);
/* Appends values (term_bits) of the instance at which a comparison after it may
 * turn, guessed by secants.  The same order of instances. */
void what_if_turns(struct what_if *w, unsigned instance, GArray *values);

/* Operators evaluated so far: what it cost. */
uint64_t what_if_work(const struct what_if *w);

#endif
