/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutants of a step that is missing, where other lines say that there should be one:
 *
 *     *to++ = *from;               `*to = 0' behind the loop: the text ends there
 *     run = *from - '0';           `*from++' for `*from'
 *     sum += sign * x;             `sign = -sign' behind it, in a loop that does not change a sign,
 *                                  flag or counter
 *     v = q->at[q->n - 1];         `q->n--' behind it, where other functions have `q->n++'
 *     l->tail = n->prev;           `l->length--' behind it, the same, although the function does
 *                                  not ask how long it is
 */
#ifndef SOLVER_CHANGE_MISSING_MISSING_STEP_H
#define SOLVER_CHANGE_MISSING_MISSING_STEP_H

#include "solver/change/source/mutant-maker.h"

/* Appends struct mutant of kind MUTANT_MISSING, or MUTANT_MIRRORED, whose pieces and words are x's.
 * f: unoptimized, addrs: its line's instructions, uint64_t, ascending, at least one. */
void missing_steps_of_line(struct mutant_maker *x, const struct image_function *f,
			   const GArray *addrs, GArray *all);

#endif
