/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutants that compute something else with the expressions that the function has anyway, since
 * what is missing in one line often stands in another one (the "plastic surgery hypothesis": Barr,
 * Brun, Devanbu, Harman, Sarro, 2014).
 *
 *     if (dist[best] + w[best][i] < dist[i])
 *             dist[i] = w[best][i];              w[best][i] + dist[best], dist[best], best, ...
 *     p->next = NULL;                            *at, where a line says `*at = p'
 *     t->next = a;                               b where a is NULL
 *     return at;                                 at + 1, whether or not a line says so
 *     *to++ = c;                                 tolower(c)
 *     i++;                                       i + run
 *     erase(n->right, key);                      n->key passed
 *     atoi(sign);                                sign + 1 passed
 *     pages = lines / 60;                        rounded up: expression-parts.h
 *     memset(word, 0, 4);                        sizeof(word) passed
 *     memset(seen, 0, n);                        n * sizeof(*seen) passed
 *     memset(cell, 0, sizeof cell);              w * h passed, where a line says `malloc(w * h)'
 *
 * They are code-value.h's code, executed where the line stores, returns or passes its value.
 */
#ifndef SOLVER_CHANGE_SOURCE_EXPRESSION_MUTANT_H
#define SOLVER_CHANGE_SOURCE_EXPRESSION_MUTANT_H

#include "solver/change/source/mutant-maker.h"

/* Appends struct mutant of kind MUTANT_EXPRESSION, whose pieces and words are x's.  addrs:
 * uint64_t, ascending, the line's instructions. */
void expression_mutants_of_line(struct mutant_maker *x, const char *file, unsigned line,
				const GArray *addrs, GArray *all);

#endif
