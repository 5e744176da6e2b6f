/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds a witness by trying values: one late instance gets a likely value (those that
 * read best first, see formula.h), and everything else follows by evaluation.  It asks
 * the solver nothing, and it finds what the solver gives up on (long products and
 * quotients).
 */
#ifndef SOLVER_QUERY_CONCRETE_SEARCH_H
#define SOLVER_QUERY_CONCRETE_SEARCH_H

#include "solver/query/encode.h"
#include "solver/query/incremental.h"

/* Values with which the question holds, by variable number as in encoding_model, or NULL when
 * none were found.  w: f's.  quick: try few values with little effort; otherwise also guess
 * when a side that no run took comes back to the known path.  Nothing is found from the deadline on
 * (NULL = never).  Caller frees. */
term_bits *concrete_search_witness(const struct formula *f, struct incremental *w,
				   const struct encoding_question *q, bool quick,
				   const struct deadline *until);

#endif
