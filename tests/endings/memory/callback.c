/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library calls back, from frames that lie where others of the program lay.
 * test: 4
 * right: 3
 * says: uninitialised value: a branch depends on it
 */
#include <stdio.h>
#include <stdlib.h>
static int deep(int n)
{
	int room[600];

	room[n] = n;
	return n ? deep(n - 1) + room[n] : room[0];
}
static int by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	if (*x < *y) /* wrong */
		return -1;
	return *x > *y;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 3, sum = deep(5);
	int *all = malloc(4 * sizeof(*all));

	for (int i = 0; i < 3; i++) /* fault */
		all[i] = sum - i;
	qsort(all, n, sizeof(*all), by_number);
	puts("ok");
	return 0;
}
