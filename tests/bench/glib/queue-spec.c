/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "why-spec.h"
#include <glib.h>

static int linked(const GQueue *q)
{
	const GList *last = NULL;
	guint n = 0;

	for (const GList *l = q->head; l && n <= q->length; last = l, l = l->next, n++)
		if (l->prev != last)
			return 0;
	return last == q->tail && n == q->length;
}
WHY_INVARIANT(linked, GQueue *)
WHY_PRE(g_queue_pop_tail, linked, queue)
WHY_PRE(g_queue_push_tail, linked, queue)
