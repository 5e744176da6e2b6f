/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as keys of a GHashTable; one with - before it is removed. */
#include <glib.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	GHashTable *h = g_hash_table_new(NULL, NULL);

	for (int i = 1; i < argc; i++)
		if (*argv[i] == '-')
			g_hash_table_remove(h, GINT_TO_POINTER(atoi(argv[i] + 1)));
		else
			g_hash_table_insert(h, GINT_TO_POINTER(atoi(argv[i])), NULL);
	return 0;
}
