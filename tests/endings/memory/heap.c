/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A loop goes one element too far.
 * test: 5
 * right: 4
 * says: invalid write: writes 4 bytes, right behind the end of a block of 20 bytes
 * first: 1
 */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4, *squares = malloc(5 * sizeof(int));

	for (int i = 0; i <= n; i++) /* fault */
		squares[i] = i * i; /* wrong */
	printf("%d\n", squares[2]);
	free(squares);
	return 0;
}
