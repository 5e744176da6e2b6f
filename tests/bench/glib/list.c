/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers, sorted by g_list_insert_sorted. */
#include <glib.h>
#include <stdlib.h>

static gint compare(gconstpointer a, gconstpointer b)
{
	return (gint)(GPOINTER_TO_INT(a) - GPOINTER_TO_INT(b));
}

int main(int argc, char **argv)
{
	GList *l = NULL;

	for (int i = 1; i < argc; i++)
		l = g_list_insert_sorted(l, GINT_TO_POINTER(atoi(argv[i])), compare);
	return 0;
}
