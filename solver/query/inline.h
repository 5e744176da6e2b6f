/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A formula with what cannot change worked in: inputs become constants, and
 * hard definitions the terms that they stand for, so that the solver is asked
 * about nothing that evaluation can tell.
 */
#ifndef SOLVER_QUERY_INLINE_H
#define SOLVER_QUERY_INLINE_H

#include "solver/formula/formula.h"

struct inlined;

/* f's terms with that worked in; adds terms to f's pool.  f must outlive it.
 * only: n numbers of selectors whose definitions from the number first on stay
 * variables; NULL = all selectors'. */
struct inlined *inlined_new(const struct formula *f, const unsigned *only, unsigned n,
			    uint32_t first);
void inlined_free(struct inlined *n);

/* The new form of a definition's expression, a hard constraint or an unexplored
 * side's term of f. */
uint32_t inlined_term(const struct inlined *n, uint32_t term);

#endif
