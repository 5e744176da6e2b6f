/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line is missing whose number only one value of the faulty statement gives.
 * test: 5 22 7
 * says: line 2 of the output should be "item 12", which is missing at
 * finds: passes
 */
#include <stdio.h>
#include <stdlib.h>

enum { LARGE = 20 };
#ifdef FIXED
enum { DISCOUNT = 10 };
#else
enum { DISCOUNT = 21 };
#endif

int main(int argc, char **argv)
{
	int prices[8], n = argc - 1 < 8 ? argc - 1 : 8;

	for (int i = 0; i < n; i++) {
		prices[i] = atoi(argv[i + 1]);
		if (prices[i] >= LARGE)
			prices[i] -= DISCOUNT; /* fault */
	}
	for (int i = 0; i < n; i++)
		if (prices[i] > 2)
			printf("item %d\n", prices[i]);
	printf("%d items\n", n);
	return 0;
}
