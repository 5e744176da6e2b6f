/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each price is halved, and not only lower by 5 %; then they are sorted by qsort.
 * test: 400 100 300 200
 * says: line 1 of the output is "50", expected "95" at
 * finds: passes
 */
#include <stdio.h>
#include <stdlib.h>
#ifdef FIXED
enum { WHOLE = 100 };
#else
enum { WHOLE = 10 };
#endif

struct item {
	int number, price;
};

static int compare(const void *a, const void *b)
{
	return ((const struct item *)a)->price - ((const struct item *)b)->price;
}

static int reduced(int price)
{
	return price - price * 5 / WHOLE; /* fault */
}

int main(int argc, char **argv)
{
	struct item items[4];

	for (int i = 0; i < argc - 1 && i < 4; i++)
		items[i] = (struct item){ i, reduced(atoi(argv[i + 1])) };
	qsort(items, 4, sizeof *items, compare);
	for (int i = 0; i < 4; i++)
		printf("%d\n", items[i].price);
	return 0;
}
