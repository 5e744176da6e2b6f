/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A store far behind a block of the heap.
 * test: 5
 * ends: SIGSEGV
 * levels: 0 2
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int *make(int n)
{
	int *a = malloc(n * sizeof *a);
	for (int i = 0; i < n; i++)
		a[i] = i;
	return a;
}
static int slot(int k)
{
	int base = 100;
	if (k > 3)
		base = 100000000; /* fault */
	return base - 100 + k;
}
int main(int argc, char **argv)
{
	int *a = make(16);
	int k = atoi(argv[1]);
	a[slot(k)] = 7;
	printf("%d\n", a[k]);
	return 0;
}
