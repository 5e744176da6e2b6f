/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutants of a word that is missing in the source although the statements are there:
 *
 *     case WORD: words++;          `break' behind it: control does not go on to the next case
 *     if (a[i] == key)             `break' behind what it executes: the loop ends
 *             at = i;
 *     if (found)                   `return' behind what it executes, in a function without a result
 *             change(found);
 *     if (l->key == key)           `while' for `if': the condition is looked at again
 *             l = l->next;
 *     if (n > 9)                   `else' before the second `if'
 *             s = big;
 *     if (n > 5)
 *             s = middle;
 *     insert(t->left, key);        `t->left =' before the call: its result is not lost
 *     n->prev->next = n->next;     `n->next->prev = n->prev' before it, which mirrors it
 *     if (p)                       `else head = n' behind it
 *             p->next = n;
 *
 * The first five lead each way that comes to a place of the code elsewhere, which is more than one
 * instruction can say; the code is elsewhere then (code-piece.h).
 */
#ifndef SOLVER_CHANGE_MISSING_MISSING_MUTANT_H
#define SOLVER_CHANGE_MISSING_MISSING_MUTANT_H

#include "solver/change/source/mutant-maker.h"

/* Appends struct mutant of kind MUTANT_MISSING, or MUTANT_MIRRORED, whose pieces and words are x's.
 * addrs: uint64_t, ascending, the line's instructions.  Nothing in optimized code, where the order
 * of the code says nothing about the source. */
void missing_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all);

#endif
