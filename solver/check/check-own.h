/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Assertions that a program defines itself, known by the shape that their macros give to the code:
 *
 *     #define check(x) ((x) ? (void)0 : report(#x, __FILE__, __LINE__))
 *
 * The call hands over the text of the condition and the number of its own line, and a branch of
 * that line decides whether it is made.
 */
#ifndef SOLVER_CHECK_CHECK_OWN_H
#define SOLVER_CHECK_CHECK_OWN_H

#include "solver/image/image.h"

/* The condition that such a call reports; NULL = the instruction is no such call.  The caller frees
 * it. */
char *check_own_condition(const struct image *im, const struct trace_insn *call);

#endif
