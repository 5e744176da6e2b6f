/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the same stop again: of all the times that the run comes to a place, the one at
 * which variables have the values that a person saw there.
 */
#ifndef GDBEXT_QUESTION_WHERE_H
#define GDBEXT_QUESTION_WHERE_H

#include "gdbext/question/question.h"

/* conditions: "EXPR == VALUE", NULL-terminated.  Sets stop->count to the first time, from the
 * count that it has, at which all conditions hold as far as the record tells.  When there is no
 * such time, it takes the first one at which most hold, and says on standard error which one
 * does not, because variables without a value yet hold leftovers that need not be the same.
 * False with a sentence when none holds at any time. */
bool where_find(const struct question *q, char *const *conditions, struct stop *stop,
		GError **error);

#endif
