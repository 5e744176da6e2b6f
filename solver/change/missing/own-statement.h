/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The assignments and calls of a program, any of which may be missing elsewhere. */
#ifndef SOLVER_CHANGE_MISSING_OWN_STATEMENT_H
#define SOLVER_CHANGE_MISSING_OWN_STATEMENT_H

#include "solver/change/source/expression-texts.h"

struct own_statement {
	char *text; /* `b = c' of `a = b = c', too */
	const struct image_function *function;
	uint64_t addr;	     /* link-time */
	bool is_first_value; /* `n = 0' of the declaration `int n = 0, k;' */
};

/* struct own_statement *, each text of a function once, in the order of the code.  Statements of
 * system headers are none.  Free it. */
GPtrArray *own_statements(const struct image *im, struct expression_texts *texts);

#endif
