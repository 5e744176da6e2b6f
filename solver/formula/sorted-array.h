/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What qsort and its kin leave in an array: the elements that were in it, in another order.
 *
 *     before   { f(1), f(2), f(3) } = { 9, 5, 7 }
 *     after    { 5, 7, 9 }          = { f(2), f(3), f(1) }
 *
 * The record does not tell what the function did, but what is read of the array afterwards; by
 * that each element is found among those from before.  The order stays that of the run: with other
 * values another one may be right, and then the run that proves an explanation shows it.
 */
#ifndef SOLVER_FORMULA_SORTED_ARRAY_H
#define SOLVER_FORMULA_SORTED_ARRAY_H

#include "solver/formula/walk-private.h"

/* GArray for .sorts of a walk. */
GArray *sorted_arrays_new(void);

/* After a step that left traced code or came back to it, before exec_enter: notes an array that
 * is being sorted, or sets what is in it when that is done. */
void sorted_array_step(struct walk *w);

#endif
