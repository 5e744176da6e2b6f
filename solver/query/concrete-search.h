/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A witness by trial: one late instance gets a likely value (what tells
 * most rather, see formula.h), everything else follows by evaluation.  It costs no question,
 * and it finds what the solver gives up on (long products and quotients).
 */
#ifndef SOLVER_QUERY_CONCRETE_SEARCH_H
#define SOLVER_QUERY_CONCRETE_SEARCH_H

#include "solver/query/encode.h"
#include "solver/query/incremental.h"

/* Values with which the question holds, by variable number as encoding_model's, or
 * NULL when none were found.  w: f's.  quick: with few values and little effort;
 * else a guess where a side that no run took comes back.  Caller frees. */
term_bits *concrete_search_witness(const struct formula *f, struct incremental *w,
				   const struct encoding_question *q, bool quick);

#endif
