/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutants that take the address of another variable: of an array, of what is passed by reference,
 * or of what the source has `&' before.
 *
 *     strcpy(second, text);        `first' for `second'
 *     index[w].insert(n);          `key' for `w', where both are strings of C++
 *     swap(&a, &a);                `b' for `a'
 *
 * The other mutants of variables read or write them where the line does.
 */
#ifndef SOLVER_CHANGE_SOURCE_ADDRESS_MUTANT_H
#define SOLVER_CHANGE_SOURCE_ADDRESS_MUTANT_H

#include "solver/change/source/mutant-maker.h"

/* Appends struct mutant of kind MUTANT_VARIABLE, whose words are x's.  addrs: uint64_t, ascending,
 * the line's instructions.  Variables of a frame count where rbp holds it. */
void address_mutants_of_line(struct mutant_maker *x, const GArray *addrs, GArray *all);

#endif
