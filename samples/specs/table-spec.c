/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a hash table is, and what putting and removing do. */
#include "why-spec.h"

enum { BUCKETS = 3, MOST = 64 };

struct entry {
	struct entry *next;
	unsigned key;
};

struct table {
	struct entry *buckets[BUCKETS];
	unsigned count;
};

static int has(const struct table *t, unsigned key)
{
	int steps = 0;

	for (const struct entry *e = t->buckets[key % BUCKETS]; e && steps < MOST; e = e->next) {
		if (e->key == key)
			return 1;
		steps++;
	}
	return 0;
}

static int in_bucket(const struct table *t)
{
	for (unsigned b = 0; b < BUCKETS; b++) {
		int steps = 0;

		for (const struct entry *e = t->buckets[b]; e; e = e->next)
			if (e->key % BUCKETS != b || ++steps > MOST)
				return 0;
	}
	return 1;
}

static int unique(const struct table *t)
{
	for (unsigned b = 0; b < BUCKETS; b++)
		for (const struct entry *e = t->buckets[b]; e; e = e->next)
			for (const struct entry *f = e->next; f; f = f->next)
				if (e->key == f->key)
					return 0;
	return 1;
}

static int counted(const struct table *t)
{
	unsigned n = 0;

	for (unsigned b = 0; b < BUCKETS; b++)
		for (const struct entry *e = t->buckets[b]; e; e = e->next)
			n++;
	return n == t->count;
}

static int is_in(const struct table *t, unsigned key)
{
	return has(t, key);
}

static int is_out(const struct table *t, unsigned key)
{
	return !has(t, key);
}

/* But for the key that is put or removed, what was in it still is. */
static int others_stay(const struct table *was, const struct table *is, unsigned key)
{
	for (unsigned b = 0; b < BUCKETS; b++)
		for (const struct entry *e = was->buckets[b]; e; e = e->next)
			if (e->key != key && !has(is, e->key))
				return 0;
	return 1;
}

WHY_INVARIANT(in_bucket, struct table *)
WHY_INVARIANT(unique, struct table *)
WHY_INVARIANT(counted, struct table *)
WHY_POST(table_put, is_in, t, key)
WHY_POST(table_put, others_stay, before(t), t, key)
WHY_POST(table_remove, is_out, t, key)
WHY_POST(table_remove, others_stay, before(t), t, key)
