/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that use bit-fields.  For these, compilers mask and shift with numbers that no source has:
 *
 *     d.year++;        mov d,%eax; shr $9,%eax; add $1,%eax; and $0xfff,%eax; shl $9,%eax; ...
 *
 * Another number in the place of 9 says nothing about the source, and changes the fields beside.
 * What does not concern only the field is no small change of the line, either: it is left out.
 */
#ifndef SOLVER_CHANGE_SOURCE_FIELD_LINE_H
#define SOLVER_CHANGE_SOURCE_FIELD_LINE_H

#include "solver/change/source/mutant-maker.h"

/* Leaves out of all (struct mutant, of the line) those that the source cannot mean.  addrs:
 * uint64_t, ascending, the line's instructions. */
void field_line_leave_out(struct mutant_maker *x, const GArray *addrs, GArray *all);

#endif
