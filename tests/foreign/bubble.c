/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bubble sort.
 *
 * test: 3 2 1
 * fails: 40
 * faulty: 18
 * fixed: for (i = 0; i < n - 1; i++)
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static void bubble_sort(int *a, int n)
{
	int i, j;

	for (i = 0; i < n - 2; i++)
		for (j = 0; j < n - 1 - i; j++)
			if (a[j] > a[j + 1]) {
				int t = a[j];

				a[j] = a[j + 1];
				a[j + 1] = t;
			}
}

int main(int argc, char **argv)
{
	int a[16];
	int n = 0;

	for (int i = 1; i < argc && n < 16; i++)
		a[n++] = atoi(argv[i]);
	bubble_sort(a, n);
	for (int i = 0; i < n; i++)
		printf("%d ", a[i]);
	printf("\n");
	for (int i = 0; i + 1 < n; i++)
		assert(a[i] <= a[i + 1]);
	return 0;
}
