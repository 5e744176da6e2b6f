/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A loop that steps over its end.
 * ends: endless loop
 * test: 8
 * levels: 0 2
 */
#include <stdio.h>
#include <stdlib.h>
static unsigned sum_odd(const unsigned *v, unsigned n)
{
	unsigned s = 0;

	for (unsigned i = 1; i != n; i += 2) /* fault */
		s += v[i % n];
	return s;
}
int main(int argc, char **argv)
{
	unsigned v[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	printf("%u\n", sum_odd(v, (unsigned)atoi(argv[1])));
	return 0;
}
