/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A binary search that comes no nearer when two elements are left.
 * ends: endless loop
 * test: 8
 * levels: 0
 */
#include <stdio.h>
#include <stdlib.h>
static int search(const int *a, int n, int key)
{
	int lo = 0, hi = n - 1;

	while (lo < hi) {
		int mid = (lo + hi) / 2;

		if (a[mid] < key)
			lo = mid; /* fault */
		else
			hi = mid;
	}
	return lo;
}
int main(int argc, char **argv)
{
	int a[] = { 1, 3, 5, 7, 9, 11 };

	printf("%d\n", search(a, 6, atoi(argv[1])));
	return 0;
}
