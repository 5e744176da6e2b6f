/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Questions to a solver as SMT-LIB 2.6 (logic QF_BV), which every SMT solver reads.
 *
 * Each term below the question becomes a definition, operands first, so that what is
 * shared is written once:
 *
 *   (declare-const v3 (_ BitVec 32))
 *   (define-fun t9 () (_ BitVec 32) (bvadd v3 (_ bv1 32)))
 *
 * v3 is the variable of that number, t9 the term of that number.  Terms of width 1 are
 * of sort Bool.  Floating point is written as operations on bits (float.h); what a function
 * of libm returns is a constant c9 that may have any value, and the file says so.
 */
#ifndef SOLVER_SMT_SMT_LIB_H
#define SOLVER_SMT_SMT_LIB_H

#include "solver/smt/term/term.h"

#include <stdio.h>

/* Can all these Boolean terms hold?  Terms for floating point are added to p. */
void smt_lib_write(FILE *f, struct term_pool *p, const uint32_t *terms, unsigned n);

#endif
