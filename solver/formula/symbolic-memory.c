/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/symbolic-memory.h"

#include "solver/base/hash.h"

struct symbolic_memory {
	GHashTable *cells; /* key of the slot → struct slot *, owned */
	GArray *log;	   /* struct symbolic_change */
};

struct slot {
	uint64_t key;
	struct cell cell;
};

struct symbolic_memory *symbolic_new(void)
{
	struct symbolic_memory *s = g_new0(struct symbolic_memory, 1);

	s->cells = g_hash_table_new_full(hash_u64, g_int64_equal, NULL, g_free);
	s->log = g_array_new(FALSE, FALSE, sizeof(struct symbolic_change));
	return s;
}

void symbolic_free(struct symbolic_memory *s)
{
	if (!s)
		return;
	g_hash_table_destroy(s->cells);
	g_array_free(s->log, TRUE);
	g_free(s);
}

static struct slot *slot_of(const struct symbolic_memory *s, uint64_t key)
{
	return g_hash_table_lookup(s->cells, &key);
}

struct cell symbolic_get(const struct symbolic_memory *s, uint64_t key)
{
	const struct slot *slot = slot_of(s, key);

	return slot ? slot->cell : (struct cell){ 0 };
}

static void put(struct symbolic_memory *s, uint64_t key, struct cell c)
{
	struct slot *slot = slot_of(s, key);

	if (!slot) {
		slot = g_new0(struct slot, 1);
		slot->key = key;
		g_hash_table_insert(s->cells, &slot->key, slot);
	}
	slot->cell = c;
}

void symbolic_set(struct symbolic_memory *s, uint64_t key, struct cell c)
{
	struct symbolic_change change = { key, symbolic_get(s, key) };

	g_array_append_val(s->log, change);
	put(s, key, c);
}

size_t symbolic_mark(const struct symbolic_memory *s)
{
	return s->log->len;
}

GArray *symbolic_changed(const struct symbolic_memory *s, size_t mark)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(hash_u64, g_int64_equal);
	GArray *changed = g_array_new(FALSE, FALSE, sizeof(struct symbolic_change));

	for (size_t i = mark; i < s->log->len; i++) {
		struct symbolic_change *c = &g_array_index(s->log, struct symbolic_change, i);

		if (!g_hash_table_add(seen, &c->key))
			continue;
		struct symbolic_change now = { c->key, symbolic_get(s, c->key) };

		g_array_append_val(changed, now);
	}
	return changed;
}

struct cell symbolic_before(const struct symbolic_memory *s, size_t mark, uint64_t key)
{
	for (size_t i = mark; i < s->log->len; i++) {
		const struct symbolic_change *c = &g_array_index(s->log, struct symbolic_change, i);

		if (c->key == key)
			return c->before;
	}
	return symbolic_get(s, key);
}

void symbolic_undo(struct symbolic_memory *s, size_t mark)
{
	for (size_t i = s->log->len; i > mark; i--) {
		struct symbolic_change *c = &g_array_index(s->log, struct symbolic_change, i - 1);

		put(s, c->key, c->before);
	}
	g_array_set_size(s->log, (guint)mark);
}
