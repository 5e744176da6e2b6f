/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A formula into which everything that cannot change has been worked: inputs become
 * constants, and hard definitions become the terms that they stand for.  So the solver
 * is not asked about anything that evaluation can tell.
 */
#ifndef SOLVER_QUERY_INLINE_H
#define SOLVER_QUERY_INLINE_H

#include "solver/base/deadline.h"
#include "solver/query/incremental.h"

struct inlined;

/* Which definitions stay variables. */
struct inlined_scope {
	const unsigned
		*only; /* n numbers of selectors whose definitions stay; NULL = all selectors */
	unsigned n;
	uint32_t first;	 /* of those, the definitions from this number on */
	bool no_address; /* of those, no address of a store */
};

/* Works it into f's terms, and adds terms to f's pool.  f must outlive it, and so must w, which
 * says what rests on the variables; NULL = it makes its own.  From the deadline on (NULL = never)
 * terms stay as they are. */
struct inlined *inlined_new(const struct formula *f, const struct inlined_scope *scope,
			    struct incremental *w, const struct deadline *until);
void inlined_free(struct inlined *n);

/* The new form of one of f's terms: a definition's expression, a hard constraint, or an
 * unexplored side. */
uint32_t inlined_term(const struct inlined *n, uint32_t term);

#endif
