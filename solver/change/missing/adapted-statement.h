/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statements of a program, made to fit another place, where one like them may be missing.
 *
 *     a->last->next = e         the other link of a list: e->prev = a->last
 *     list->first = e           the link to what was first before: e->next = list->first
 *     from = take(from, p)      of another function, where `from' is a local variable, for a
 *                               variable of this one: take(queue, p)
 *
 * Or of a variable alone: `word.clear()'.
 */
#ifndef SOLVER_CHANGE_MISSING_ADAPTED_STATEMENT_H
#define SOLVER_CHANGE_MISSING_ADAPTED_STATEMENT_H

#include "solver/image/image.h"
#include "solver/limits/limits.h"
#include "solver/source/source.h"

/* Where a statement is to fit: link-time. */
struct adapted_place {
	const struct image *im;
	const struct limits *limits;
	uint64_t addr;
};

/* Is told a text, which is valid until it returns; it need not compile. */
typedef void adapted_found(void *arg, const char *text);

/* The links back from what the statement links to.  The statement's names are looked up at the
 * place. */
void adapted_back_links(const struct adapted_place *at, const char *text, adapted_found *found,
			void *arg);
/* The links to what the place held that the statement gives to a pointer; the same. */
void adapted_front_links(const struct adapted_place *at, const char *text, adapted_found *found,
			 void *arg);

/* What the statement calls, which stands at from in another function, for variables of the place
 * (texts, char *) instead of a local one of that function.  Texts of several such variables give
 * none. */
void adapted_calls(const struct adapted_place *at, const char *text, uint64_t from,
		   const GPtrArray *variables, adapted_found *found, void *arg);
/* `word.clear()' of what is visible there in function f and may be emptied, but is not in the file
 * s.
 */
void adapted_clears(const struct adapted_place *at, const struct image_function *f,
		    const struct source *s, adapted_found *found, void *arg);
/* `n = 1' of the declaration `int n = 1, k;', which may have to be done again; NULL: the statement
 * declares nothing with a number as its value.  Free it. */
char *adapted_first_value(struct sources *sources, const struct image_statement *st);

#endif
