/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A witness by descent: one instance's value is moved so that the failed
 * requirement comes nearer (branch-distance.h), by secants, until it holds.  It finds
 * the number that a chain of floating-point operations needs, which circuits of
 * them take far too long for; and then the one with the fewest digits.
 */
#ifndef SOLVER_QUERY_SECANT_SEARCH_H
#define SOLVER_QUERY_SECANT_SEARCH_H

#include "solver/query/incremental.h"

/* Values by variable number with which all constraints hold: definitions of this
 * selector have others than they would.  Only along sides that some run took, and
 * past assertions; anywhere: along others, too.  NULL when none was found with that
 * much work (incremental_work), or until then (NULL = never).  Caller
 * frees. */
term_bits *secant_search_witness(const struct formula *f, struct incremental *w, unsigned selector,
				 bool anywhere, uint64_t work, const struct deadline *until);

#endif
