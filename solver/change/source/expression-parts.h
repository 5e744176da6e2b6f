/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutants of a part of the value that a line stores, returns or passes:
 *
 *     cents = cents / 100 * percent;        `cents * percent / 100' for `cents / 100 * percent'
 *     mean = a + b / 2;                     `(a + b) / 2' for `a + b / 2'
 *     pages = lines / 60;                   6, 600, 59, 61 and 120 for 60; rounded up
 *     next = last + 1;                      `% SIZE' added, where the file has that
 *     first = a[0];                         a[i]
 *     n->prev = p ? p->prev : NULL;         l->tail for NULL, where the function has that
 *
 * Compilers make several instructions of a division, and none of an index that is constant, so no
 * mutant of an instruction is such a change.
 */
#ifndef SOLVER_CHANGE_SOURCE_EXPRESSION_PARTS_H
#define SOLVER_CHANGE_SOURCE_EXPRESSION_PARTS_H

#include "solver/change/code/code-value.h"
#include "solver/change/code/value-site.h"
#include "solver/change/source/mutant-maker.h"

/* Appends struct mutant of kind MUTANT_EXPRESSION, whose pieces and words are x's.  value: the
 * value's text, of the type. */
void expression_part_mutants(struct mutant_maker *x, const struct value_site *site,
			     const struct image_type *type, const char *value, GArray *all);
/* What the statement at the place assigns; `n / 100' of `n /= 100'.  NULL: that is not known.
 * Free it. */
char *expression_assigned(const struct source *s, size_t at);

/* Can a value of the type t stand where one of the type `to' is? */
bool expression_fits(const struct image_type *to, const struct image_type *t);
/* NULL: the text has no value there. */
const struct image_type *expression_type(struct mutant_maker *x, const struct value_site *site,
					 const char *text);
/* Appends the mutant that puts v in the value's place.  words: copied. */
void expression_worded_mutant(struct mutant_maker *x, const struct value_site *site,
			      const char *words, const struct code_value *v,
			      enum mutant_nearness nearness, GArray *all);

#endif
