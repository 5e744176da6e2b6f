/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * qsort is given a function that compares the wrong way round.
 * test: 30 1 22 7
 * ends: exit status 1
 * levels: 0 2
 */
#include <stdio.h>
#include <stdlib.h>
static int by_size(const void *a, const void *b)
{
	return *(const int *)b - *(const int *)a; /* fault */
}
int main(int argc, char **argv)
{
	int sizes[8], n = 0;

	for (int i = 1; i < argc && n < 8; i++)
		sizes[n++] = atoi(argv[i]);
	qsort(sizes, (size_t)n, sizeof(*sizes), by_size);
	for (int i = 1; i < n; i++)
		if (sizes[i - 1] > sizes[i])
			return 1;
	return 0;
}
