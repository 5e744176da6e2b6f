/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function fills more of its caller's array than there is.
 * test: 8
 * right: 7
 * says: invalid write: writes 4 bytes, right behind the end of `days', which has 32 bytes
 * first: 1
 */
#include <stdio.h>
#include <stdlib.h>
static void fill(int *a, int last)
{
	for (int i = 0; i <= last; i++) /* fault */
		a[i] = i; /* wrong */
}
int main(int argc, char **argv)
{
	int days[8];

	fill(days, argc > 1 ? atoi(argv[1]) : 7);
	printf("%d\n", days[3]);
	return 0;
}
