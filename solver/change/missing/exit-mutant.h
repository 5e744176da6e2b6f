/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutants of a way out that lacks what other ways out do last:
 *
 *     if (take(r, ']'))
 *             return;             `leave(r)' before it, which the end of the function has
 *     if (l->tag == tag)
 *             return l->value;    `l->used = clock' before it, as before another `return'
 *     if (!p->size)
 *             continue;           `p = p->next' before it, which the end of the loop has
 */
#ifndef SOLVER_CHANGE_MISSING_EXIT_MUTANT_H
#define SOLVER_CHANGE_MISSING_EXIT_MUTANT_H

#include "solver/change/source/mutant-maker.h"

/* Appends struct mutant of kind MUTANT_MISSING, whose pieces and words are x's.  addrs: uint64_t,
 * ascending, the line's instructions, of f. */
void exit_mutants_of_line(struct mutant_maker *x, const struct image_function *f,
			  const GArray *addrs, GArray *all);

#endif
