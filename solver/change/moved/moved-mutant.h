/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutants of what belongs behind a loop, into it, or ends it, and of what is done once too seldom:
 *
 *     while (*from) {
 *             *to++ = *from++;
 *             *to = '\0';              moved behind the loop: the last statements of a body
 *     }
 *
 *     for (i = 0; i < n; i++)
 *             if (s[i] != c)
 *                     put(c, count);   behind the loop, too, for the last run of characters
 *
 *     adj[b].insert(a);                before that, too, for the other variable
 *     adj[a].insert(b);
 *
 *     for (i = 0; i < n; i++)
 *             a[i] = i;
 *     sum += a[i];                     moved into the loop: a brace is missing
 *
 *     while (c != '\n')
 *             scanf("%c", &c);         `break' where scanf reads nothing
 */
#ifndef SOLVER_CHANGE_MOVED_MOVED_MUTANT_H
#define SOLVER_CHANGE_MOVED_MOVED_MUTANT_H

#include "solver/change/source/mutant-maker.h"

/* Appends struct mutant of kind MUTANT_ORDER, or MUTANT_CHECK of a result, whose pieces and words
 * are x's.  addrs: uint64_t, ascending, the line's instructions.  Nothing in optimized code, where
 * the order of the code says nothing about the source. */
void moved_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all);
/* For a line before which output is missing: mutants of kind MUTANT_INSERTED, with which a
 * statement that prints, one of the function's, is executed there or behind the loop, too. */
void printing_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all);

#endif
