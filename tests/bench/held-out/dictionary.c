/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hash table of word counts that grows.
 *
 * test: a b a c a d e b a
 * prints: a 4
 * prints: b 2
 * prints: 5 words
 * faulty: 55
 * fixed: 			fresh->count = old->count;
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slot {
	const char *word;
	int count;
};

struct table {
	struct slot *slots;
	unsigned room, used;
};

static unsigned hash(const char *s)
{
	unsigned h = 17;

	while (*s)
		h = h * 31 + (unsigned char)*s++;
	return h;
}

static struct slot *lookup(struct table *t, const char *word)
{
	unsigned i = hash(word) % t->room;

	while (t->slots[i].word && strcmp(t->slots[i].word, word) != 0)
		i = (i + 1) % t->room;
	return &t->slots[i];
}

static void grow(struct table *t)
{
	struct table bigger = { calloc(t->room * 2, sizeof(struct slot)), t->room * 2, 0 };

	for (unsigned i = 0; i < t->room; i++) {
		struct slot *old = &t->slots[i];

		if (old->word) {
			struct slot *fresh = lookup(&bigger, old->word);

			fresh->word = old->word;
			fresh->count = 1;
			bigger.used++;
		}
	}
	free(t->slots);
	*t = bigger;
}

static void count(struct table *t, const char *word)
{
	struct slot *s;

	if (t->used * 4 >= t->room * 3)
		grow(t);
	s = lookup(t, word);
	if (!s->word) {
		s->word = word;
		t->used++;
	}
	s->count++;
}

int main(int argc, char **argv)
{
	struct table table = { calloc(4, sizeof(struct slot)), 4, 0 };

	for (int i = 1; i < argc; i++)
		count(&table, argv[i]);
	printf("a %d\n", lookup(&table, "a")->count);
	printf("b %d\n", lookup(&table, "b")->count);
	printf("%u words\n", table.used);
	free(table.slots);
	return 0;
}
