/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hash table of numbers, with chains.
 *
 *     table WORDS...     a number is put in, one with - before it is removed
 *
 * One fault each: -DCHAIN_ERR, -DBUCKET_ERR, -DCOUNT_ERR, -DHEAD_ERR, -DSKIP_ERR, -DDROP_ERR; two:
 * -DCOUNT_ERR -DCHAIN_ERR, -DDROP_ERR -DHEAD_ERR.
 */
#include <stdbool.h>
#include <stdlib.h>

enum { BUCKETS = 3 };

struct entry {
	struct entry *next;
	unsigned key;
};

struct table {
	struct entry *buckets[BUCKETS];
	unsigned count;
};

static bool table_put(struct table *t, unsigned key)
{
	unsigned b = key % BUCKETS;
	struct entry *e = t->buckets[b];

	while (e) {
		if (e->key == key)
			return false;
		e = e->next;
	}
	e = calloc(1, sizeof *e);
	e->key = key;
#ifdef CHAIN_ERR
	e->next = NULL;
#else
	e->next = t->buckets[b];
#endif
#ifdef BUCKET_ERR
	t->buckets[0] = e;
#else
	t->buckets[b] = e;
#endif
#ifdef COUNT_ERR
	t->count = t->count + b;
#else
	t->count = t->count + 1;
#endif
	return true;
}

static bool table_remove(struct table *t, unsigned key)
{
	unsigned b = key % BUCKETS;
	struct entry *before = NULL, *e = t->buckets[b];

	while (e) {
		if (e->key == key)
			break;
#ifdef SKIP_ERR
		before = t->buckets[b];
#else
		before = e;
#endif
		e = e->next;
	}
	if (!e)
		return false;
	if (before)
#ifdef DROP_ERR
		before->next = NULL;
#else
		before->next = e->next;
#endif
	else
#ifdef HEAD_ERR
		t->buckets[b] = NULL;
#else
		t->buckets[b] = e->next;
#endif
	t->count = t->count - 1;
	free(e);
	return true;
}

int main(int argc, char **argv)
{
	struct table t = { { NULL }, 0 };

	for (int i = 1; i < argc; i++)
		if (argv[i][0] == '-')
			table_remove(&t, (unsigned)atoi(argv[i] + 1));
		else
			table_put(&t, (unsigned)atoi(argv[i]));
	return 0;
}
