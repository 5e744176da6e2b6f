/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hash table with open addressing.
 *
 * test: 3 11
 * fails: 60
 * faulty: 46
 * fixed: slot = (slot + 1) % SIZE;
 */
#include <assert.h>
#include <stdlib.h>

#define SIZE 8
#define EMPTY (-1)

struct table {
	int keys[SIZE];
	int values[SIZE];
};

static void init(struct table *t)
{
	int i;

	for (i = 0; i < SIZE; i++)
		t->keys[i] = EMPTY;
}

static void put(struct table *t, int key, int value)
{
	int slot = key % SIZE;

	while (t->keys[slot] != EMPTY && t->keys[slot] != key)
		slot = (slot + 1) % SIZE;
	t->keys[slot] = key;
	t->values[slot] = value;
}

static int get(const struct table *t, int key)
{
	int slot = key % SIZE;

	while (t->keys[slot] != EMPTY) {
		if (t->keys[slot] == key)
			return t->values[slot];
		slot = (slot + 2) % SIZE;
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct table table;
	int i;

	init(&table);
	for (i = 1; i < argc && i < SIZE; i++)
		put(&table, atoi(argv[i]), i * 100);
	for (i = 1; i < argc && i < SIZE; i++)
		assert(get(&table, atoi(argv[i])) == i * 100);
	return 0;
}
