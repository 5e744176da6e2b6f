/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "why-spec.h"
#include <glib.h>

struct _GHashTable { /* as in ghash.c */
	gsize size;
	gint mod;
	guint mask;
	guint nnodes, noccupied;
	guint have_big_keys : 1, have_big_values : 1;
	gint *keys;
	guint *hashes;
};

static int is_at(const GHashTable *h, guint hash, gsize wanted)
{
	guint at = (hash * 11) % (guint)h->mod, step = 0;

	while (at != wanted && h->hashes[at] && step < h->size)
		at = (at + ++step) & h->mask;
	return at == wanted;
}
/* Each key is found by probing, and all are counted. */
static int found(const GHashTable *h)
{
	for (gsize i = 0; i < h->size; i++)
		if (h->hashes[i] > 1 && !is_at(h, h->hashes[i], i))
			return 0;
	return 1;
}
static int counted(const GHashTable *h)
{
	guint occupied = 0, nodes = 0;

	for (gsize i = 0; i < h->size; i++) {
		occupied += h->hashes[i] != 0;
		nodes += h->hashes[i] > 1;
	}
	return occupied == h->noccupied && nodes == h->nnodes;
}
WHY_INVARIANT(found, GHashTable *)
WHY_INVARIANT(counted, GHashTable *)
WHY_PRE(g_hash_table_insert, counted, hash_table)
WHY_PRE(g_hash_table_remove, counted, hash_table)
