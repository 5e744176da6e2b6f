/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds a witness by moving one instance's value so that the failed requirement comes
 * nearer (branch-distance.h), by the secant method, until it holds.  It finds the
 * number that a chain of floating-point operations needs, for which circuits would take
 * far too long; and then the one with the fewest digits.
 */
#ifndef SOLVER_QUERY_SECANT_SEARCH_H
#define SOLVER_QUERY_SECANT_SEARCH_H

#include "solver/query/incremental.h"

/* Values by variable number with which all constraints hold, when definitions of this selector
 * have other values.  The path stays on sides that some run took, or goes past assertions;
 * anywhere: it may also take other sides.  NULL when none was found with that much work
 * (incremental_work), or before the deadline (NULL = never).  Caller frees. */
term_bits *secant_search_witness(const struct formula *f, struct incremental *w, unsigned selector,
				 bool anywhere, uint64_t work, const struct deadline *until);

#endif
