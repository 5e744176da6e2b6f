/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/symbolic-memory.h"

struct store {
	GHashTable *cells; /* key of the slot → struct slot *, owned */
	GArray *log;	   /* struct store_change */
};

struct slot {
	uint64_t key;
	struct cell cell;
};

struct store *store_new(void)
{
	struct store *s = g_new0(struct store, 1);

	s->cells = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	s->log = g_array_new(FALSE, FALSE, sizeof(struct store_change));
	return s;
}

void store_free(struct store *s)
{
	if (!s)
		return;
	g_hash_table_destroy(s->cells);
	g_array_free(s->log, TRUE);
	g_free(s);
}

static struct slot *slot_of(const struct store *s, uint64_t key)
{
	return g_hash_table_lookup(s->cells, &key);
}

struct cell store_get(const struct store *s, uint64_t key)
{
	const struct slot *slot = slot_of(s, key);

	return slot ? slot->cell : (struct cell){ 0 };
}

static void put(struct store *s, uint64_t key, struct cell c)
{
	struct slot *slot = slot_of(s, key);

	if (!slot) {
		slot = g_new0(struct slot, 1);
		slot->key = key;
		g_hash_table_insert(s->cells, &slot->key, slot);
	}
	slot->cell = c;
}

void store_set(struct store *s, uint64_t key, struct cell c)
{
	struct store_change change = { key, store_get(s, key) };

	g_array_append_val(s->log, change);
	put(s, key, c);
}

size_t store_mark(const struct store *s)
{
	return s->log->len;
}

GArray *store_changed(const struct store *s, size_t mark)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_int64_hash, g_int64_equal);
	GArray *changed = g_array_new(FALSE, FALSE, sizeof(struct store_change));

	for (size_t i = mark; i < s->log->len; i++) {
		struct store_change *c = &g_array_index(s->log, struct store_change, i);

		if (!g_hash_table_add(seen, &c->key))
			continue;
		struct store_change now = { c->key, store_get(s, c->key) };

		g_array_append_val(changed, now);
	}
	return changed;
}

struct cell store_before(const struct store *s, size_t mark, uint64_t key)
{
	for (size_t i = mark; i < s->log->len; i++) {
		const struct store_change *c = &g_array_index(s->log, struct store_change, i);

		if (c->key == key)
			return c->before;
	}
	return store_get(s, key);
}

void store_undo(struct store *s, size_t mark)
{
	for (size_t i = s->log->len; i > mark; i--) {
		struct store_change *c = &g_array_index(s->log, struct store_change, i - 1);

		put(s, c->key, c->before);
	}
	g_array_set_size(s->log, (guint)mark);
}
