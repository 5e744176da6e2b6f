/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line is printed that should not be there, and what comes behind it is another value.
 * test: + pen 2 5 + pen 2 3 - pen 7 0
 * says: line 1 of the output, "no pen", should not be there at
 * finds: passes
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct article {
	char name[12];
	int price, stock;
};

struct shop {
	struct article articles[16];
	int n, earned;
};

static struct article *find(struct shop *s, const char *name)
{
	for (int i = 0; i < s->n; i++)
		if (strcmp(s->articles[i].name, name) == 0)
			return &s->articles[i];
	return NULL;
}

static void add(struct shop *s, const char *name, int price, int stock)
{
	struct article *a = find(s, name);

	if (!a) {
		a = &s->articles[s->n++];
		strcpy(a->name, name);
	}
	a->price = price;
#ifdef FIXED
	a->stock += stock;
#else
	a->stock = stock; /* fault */
#endif
}

static void sell(struct shop *s, const char *name, int n)
{
	struct article *a = find(s, name);

	if (!a || a->stock < n) {
		printf("no %s\n", name);
		return;
	}
	a->stock -= n;
	s->earned += n * a->price;
}

int main(int argc, char **argv)
{
	struct shop s = { 0 };

	for (int i = 1; i + 3 < argc; i += 4)
		if (*argv[i] == '+')
			add(&s, argv[i + 1], atoi(argv[i + 2]), atoi(argv[i + 3]));
		else
			sell(&s, argv[i + 1], atoi(argv[i + 2]));
	printf("earned %d\n", s.earned);
	return 0;
}
