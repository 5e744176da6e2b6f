/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers at the end of a GQueue; - takes one from there. */
#include <glib.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	GQueue *q = g_queue_new();

	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "-"))
			g_queue_pop_tail(q);
		else
			g_queue_push_tail(q, GINT_TO_POINTER(atoi(argv[i])));
	return 0;
}
