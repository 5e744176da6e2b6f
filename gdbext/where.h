/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same stop again: of all the times that the run comes to a place, the one
 * at which variables have the values that a person saw there.
 */
#ifndef GDBEXT_WHERE_H
#define GDBEXT_WHERE_H

#include "gdbext/question.h"

/* conditions: "EXPR == VALUE", NULL-terminated.  Sets stop->count to the first
 * time, from the one that it says on, at which all hold as far as the record tells;
 * false with a sentence that says which one does not when there is none. */
bool where_find(const struct question *q, char *const *conditions, struct stop *stop,
		GError **error);

#endif
