/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which of the two that an instruction adds or multiplies stands first in the source: a sum says no
 * more about it, but a difference in its place does.
 *
 *     d = a + b;       mov a,%edx; mov b,%eax; add %edx,%eax       a is in the second operand
 */
#ifndef SOLVER_CHANGE_SOURCE_OPERAND_ORDER_H
#define SOLVER_CHANGE_SOURCE_OPERAND_ORDER_H

#include "solver/change/source/mutant-maker.h"

enum operand_order { ORDER_AS_WRITTEN, ORDER_EXCHANGED, ORDER_UNKNOWN };

/* Of the `add', or its like for floating-point numbers, at addr: is the operand that it changes the
 * left one of the operator `symbol', which is `+' or `*'?  Of a sum that `lea' makes: the base?
 * addrs: uint64_t, ascending, the line's instructions. */
enum operand_order operand_order_of(struct mutant_maker *x, const GArray *addrs, uint64_t addr,
				    char symbol);

/* Leaves out of all (struct mutant, of the line) those that put a difference, or a quotient, which
 * is not that of the source: of the two that come instead of a sum, one is not. */
void operand_order_leave_out(struct mutant_maker *x, const GArray *addrs, GArray *all);

#endif
