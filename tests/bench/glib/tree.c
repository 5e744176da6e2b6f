/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as keys of a GTree; one with - before it is removed. */
#include <glib.h>
#include <stdlib.h>

static gint compare(gconstpointer a, gconstpointer b)
{
	return (gint)(GPOINTER_TO_INT(a) - GPOINTER_TO_INT(b));
}

int main(int argc, char **argv)
{
	GTree *t = g_tree_new(compare);

	for (int i = 1; i < argc; i++)
		if (*argv[i] == '-')
			g_tree_remove(t, GINT_TO_POINTER(atoi(argv[i] + 1)));
		else
			g_tree_insert(t, GINT_TO_POINTER(atoi(argv[i])), NULL);
	return 0;
}
