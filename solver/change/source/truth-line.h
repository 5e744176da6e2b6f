/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that make a truth value of a condition.  The 0 and the 1 that they load are no numbers of
 * the source, though it may have such numbers elsewhere in the line:
 *
 *     return y % 4 == 0 || y == z;        jne ...; mov $1,%eax; jmp ...; mov $0,%eax
 */
#ifndef SOLVER_CHANGE_SOURCE_TRUTH_LINE_H
#define SOLVER_CHANGE_SOURCE_TRUTH_LINE_H

#include "solver/change/source/mutant-maker.h"

/* Leaves out of all (struct mutant, of the line) those that put a number in the place of a truth
 * value.  addrs: uint64_t, the line's instructions. */
void truth_line_leave_out(struct mutant_maker *x, const GArray *addrs, GArray *all);

#endif
