/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The block has as many bytes as there are numbers.
 * test: 5 3 9 1
 * right: 5
 * says: invalid write: writes 4 bytes, right behind the end of a block of 4 bytes
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int largest(const int *a, int n)
{
	int *copy = malloc(n > 1 ? n : sizeof(*copy)), most; /* fault */

	for (int i = 0; i < n; i++)
		copy[i] = a[i]; /* wrong */
	most = copy[0];
	for (int i = 1; i < n; i++)
		if (copy[i] > most)
			most = copy[i];
	free(copy);
	return most;
}
int main(int argc, char **argv)
{
	int a[10], n = 0;

	for (int i = 1; i < argc && n < 10; i++)
		a[n++] = atoi(argv[i]);
	printf("%d\n", n ? largest(a, n) : 0);
	return 0;
}
