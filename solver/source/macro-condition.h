/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The condition behind a macro: what `CHECK(n == 2);' asks, where CHECK is defined as
 * `do { if (!(x)) fail(); } while (0)' in the same file, or in one that it includes by its name in
 * quotes.  This is no preprocessor: what it does not know, such as `##', it does not expand.
 */
#ifndef SOLVER_SOURCE_MACRO_CONDITION_H
#define SOLVER_SOURCE_MACRO_CONDITION_H

#include "solver/source/condition-text.h"

struct macro_condition {
	struct source *expanded;
	struct condition_text text; /* of the first `if', in .expanded */
	unsigned more;		    /* other conditions behind it */
};

/* For the statement that begins at a place of the file's text, with the name of a macro.  False:
 * it asks no condition with `if', or another one before it. */
bool macro_condition_find(struct sources *sources, const char *file, const struct source *s,
			  size_t at, struct macro_condition *out);
void macro_condition_clear(struct macro_condition *m);

#endif
