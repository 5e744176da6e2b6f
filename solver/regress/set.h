/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of changes: arrays of unsigned numbers, ascending, each once.  A set usually says which
 * changes are reverted in the new version: the empty one is the new version, the full one the old.
 */
#ifndef SOLVER_REGRESS_SET_H
#define SOLVER_REGRESS_SET_H

#include <glib.h>
#include <stdbool.h>

/* All results are new sets: free them with g_array_unref. */
GArray *regress_set_new(void);
GArray *regress_set_of(const unsigned *numbers, guint n); /* in any order, may repeat */
GArray *regress_set_all(guint n);			  /* 0 ... n - 1 */
GArray *regress_set_copy(const GArray *s);
GArray *regress_set_union(const GArray *a, const GArray *b);
GArray *regress_set_minus(const GArray *a, const GArray *b);
GArray *regress_set_common(const GArray *a, const GArray *b);

void regress_set_add(GArray *s, unsigned number);
bool regress_set_has(const GArray *s, unsigned number);
bool regress_set_within(const GArray *a, const GArray *b); /* is every member of a in b? */
bool regress_set_equal(const GArray *a, const GArray *b);

static inline unsigned regress_set_at(const GArray *s, guint i)
{
	return g_array_index(s, unsigned, i);
}

/* "0,3,7"; "" is the empty set.  Free it. */
char *regress_set_key(const GArray *s);

#endif
