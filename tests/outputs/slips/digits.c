/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The divisor is a wrong one.
 * test: 7 4711 100000
 * change: `10' for `100'
 */
#include <stdio.h>
#include <stdlib.h>

static int digits(long n)
{
	int k = 0;

	do {
		k++;
#ifdef FIXED
		n /= 10;
#else
		n /= 100; /* fault */
#endif
	} while (n > 0);
	return k;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%d\n", digits(atol(argv[i])));
	return 0;
}
