/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A witness by trial: one late instance gets a likely value, everything else
 * follows by evaluation.  It costs no question, and it finds what the solver
 * gives up on (long products and quotients).
 */
#ifndef SOLVER_FORMULA_TRIAL_H
#define SOLVER_FORMULA_TRIAL_H

#include "solver/formula/encode.h"

/* A model of the question, by variable number as encoding_model's, or NULL when
 * none was found.  quick: with few values and little effort; else a guess
 * where a side that no run took comes back.  Caller frees. */
term_bits *trial_witness(const struct encoding *e, const struct encoding_question *q, bool quick);

/* What follows in the failing run when that definition has that value, by
 * number.  Caller frees. */
term_bits *trial_values(const struct formula *f, uint32_t number, term_bits value);

#endif
