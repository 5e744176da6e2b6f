/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/side/symbolic-memory.h"

#include "solver/base/hash.h"

struct symbolic_memory {
	GHashTable *cells; /* key of the slot → struct slot *, owned */
	GArray *log;	   /* struct entry */
};

struct slot {
	uint64_t key;
	struct cell cell;
};

/* A change: what the cell held before. */
struct entry {
	struct slot *slot;
	struct cell before;
};

struct symbolic_memory *symbolic_new(void)
{
	struct symbolic_memory *s = g_new0(struct symbolic_memory, 1);

	s->cells = g_hash_table_new_full(hash_u64, g_int64_equal, NULL, g_free);
	s->log = g_array_new(FALSE, FALSE, sizeof(struct entry));
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

void symbolic_set(struct symbolic_memory *s, uint64_t key, struct cell c)
{
	struct slot *slot = slot_of(s, key);
	struct entry e;

	if (!slot) {
		slot = g_new0(struct slot, 1);
		slot->key = key;
		g_hash_table_insert(s->cells, &slot->key, slot);
	}
	e = (struct entry){ slot, slot->cell };
	g_array_append_val(s->log, e);
	slot->cell = c;
}

size_t symbolic_mark(const struct symbolic_memory *s)
{
	return s->log->len;
}

GArray *symbolic_changed(const struct symbolic_memory *s, size_t mark)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	GArray *changed = g_array_new(FALSE, FALSE, sizeof(struct symbolic_change));

	/* a cell's first entry since mark has what it held at mark */
	for (size_t i = mark; i < s->log->len; i++) {
		const struct entry *e = &g_array_index(s->log, struct entry, i);
		struct symbolic_change c = { e->slot->key, e->before, e->slot->cell };

		if (g_hash_table_add(seen, e->slot))
			g_array_append_val(changed, c);
	}
	return changed;
}

void symbolic_commit(struct symbolic_memory *s)
{
	g_array_set_size(s->log, 0);
}

void symbolic_undo(struct symbolic_memory *s, size_t mark)
{
	for (size_t i = s->log->len; i > mark; i--) {
		const struct entry *e = &g_array_index(s->log, struct entry, i - 1);

		e->slot->cell = e->before;
	}
	g_array_set_size(s->log, (guint)mark);
}
