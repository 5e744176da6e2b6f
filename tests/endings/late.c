/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A common divisor by subtraction, of which one number is 0; before it a loop takes long.
 * ends: endless loop
 * test: 12 0
 * levels: 0 2
 */
#include <stdio.h>
#include <stdlib.h>
static unsigned divisor(unsigned a, unsigned b)
{
	while (a != b) { /* fault */
		if (a > b)
			a -= b;
		else
			b -= a;
	}
	return a;
}
int main(int argc, char **argv)
{
	unsigned r = 0;

	for (unsigned i = 1; i < 100000; i++)
		r = r * 31 + i % 7;
	printf("%u %u\n", divisor((unsigned)atoi(argv[1]), (unsigned)atoi(argv[2])), r);
	return 0;
}
