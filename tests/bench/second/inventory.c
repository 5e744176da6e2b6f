/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A store: articles come in and go out, and what is low is ordered.
 *
 * stdin: in bolts 40
 * stdin: in nuts 10
 * stdin: out bolts 15
 * stdin: out nuts 8
 * stdin: in nuts 5
 * prints: bolts 25
 * prints: nuts 7
 * prints: value 1175
 * faulty: 58
 * fixed: 		sum += s->articles[i].stock * s->articles[i].price;
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct article {
	const char *name;
	int stock;
	int price; /* in cents */
};

struct store {
	struct article articles[3];
	int count;
	int refused;
};

static struct article *find(struct store *s, const char *name)
{
	for (int i = 0; i < s->count; i++)
		if (strcmp(s->articles[i].name, name) == 0)
			return &s->articles[i];
	return NULL;
}

static void come_in(struct article *a, int n)
{
	a->stock += n;
}

static int go_out(struct article *a, int n)
{
	if (n > a->stock)
		return 0;
	a->stock -= n;
	return 1;
}

static int value_of(const struct store *s)
{
	int sum = 0;

	for (int i = 0; i < s->count; i++)
		sum += s->articles[i].stock + s->articles[i].price;
	return sum;
}

int main(void)
{
	struct store store = { { { "bolts", 0, 40 }, { "nuts", 0, 25 }, { "pins", 0, 5 } }, 3, 0 };
	char what[8], name[16];
	int n;

	while (scanf("%7s %15s %d", what, name, &n) == 3) {
		struct article *a = find(&store, name);

		if (!a)
			store.refused++;
		else if (strcmp(what, "in") == 0)
			come_in(a, n);
		else if (!go_out(a, n))
			store.refused++;
	}
	for (int i = 0; i < store.count; i++)
		if (store.articles[i].stock > 0)
			printf("%s %d\n", store.articles[i].name, store.articles[i].stock);
	printf("value %d\n", value_of(&store));
	return 0;
}
