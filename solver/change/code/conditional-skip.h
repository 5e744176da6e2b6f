/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a missing condition would have kept from being executed: a line, a line and some of those
 * below it, or the rest of the function.
 *
 *     i->count -= n;      if (...)                if (...) {              if (...)
 *     sold += n;                  i->count -= n;          i->count -= n;          return -1;
 *                                                         sold += n;
 */
#ifndef SOLVER_CHANGE_CODE_CONDITIONAL_SKIP_H
#define SOLVER_CHANGE_CODE_CONDITIONAL_SKIP_H

#include "solver/change/code/mutant.h"

/* struct mutant of kind MUTANT_SKIPPED, the smallest first: .from: the last line that is left out,
 * 0 = no other line; .to: the line of the `return' that is executed instead, 0 = none; where the
 * function returns nothing, that of its end.  Free the array. */
GArray *conditional_skips(const struct image *im, const char *file, unsigned line,
			  const struct limits *limits);

#endif
