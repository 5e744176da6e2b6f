/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A division of long numbers by a count of none.
 * test: 5
 * ends: SIGFPE
 * levels: 0
 */
#include <stdio.h>
#include <stdlib.h>
static int count(int *a, int n, int limit)
{
	int c = 0;
	for (int i = 0; i < n; i++)
		if (a[i] > limit) /* fault */
			c++;
	return c;
}
int main(int argc, char **argv)
{
	int a[4] = { 1, 2, 3, 5 };
	int limit = atoi(argv[1]);
	long sum = 0;
	for (int i = 0; i < 4; i++)
		sum += a[i];
	long c = count(a, 4, limit);
	long avg = sum / c;
	printf("%ld\n", avg);
	return 0;
}
