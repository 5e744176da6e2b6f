/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "why-spec.h"
#include <glib.h>

/* Each points back to the one before it, and none is smaller than that. */
static int sorted(const GList *l)
{
	const GList *last = NULL;
	int n = 0;

	for (; l && n < 50; last = l, l = l->next, n++)
		if (l->prev != last ||
		    (last && GPOINTER_TO_INT(l->data) < GPOINTER_TO_INT(last->data)))
			return 0;
	return n < 50;
}
static int longer(const GList *was, const GList *is)
{
	return g_list_length((GList *)is) == g_list_length((GList *)was) + 1;
}
static int has(const GList *l, gpointer data)
{
	return g_list_find((GList *)l, data) != NULL;
}
WHY_PRE(g_list_insert_sorted, sorted, list)
WHY_POST(g_list_insert_sorted, sorted, result)
WHY_POST(g_list_insert_sorted, has, result, data)
WHY_POST(g_list_insert_sorted, longer, before(list), result)
