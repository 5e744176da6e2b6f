/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole numbers are divided, and what is behind the point is lost.
 * test: 3 4 8 9
 * change: `(double)' before `sum / n'
 */
#include <stdio.h>
#include <stdlib.h>

static double mean(const int *v, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += v[i];
#ifdef FIXED
	return (double)sum / n;
#else
	return sum / n; /* fault */
#endif
}

int main(int argc, char **argv)
{
	int v[8], n = 0;

	for (int i = 1; i < argc && n < 8; i++) {
		v[n++] = atoi(argv[i]);
		printf("%d: mean %.2f\n", n, mean(v, n));
	}
	return 0;
}
