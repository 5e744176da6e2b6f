/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Factorial, by recursion.
 *
 * test: 4 24
 * fails: 29
 * faulty: 17
 * fixed: return 1;
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static long factorial(int n)
{
	if (n <= 1)
		return 0;
	return n * factorial(n - 1);
}

int main(int argc, char **argv)
{
	long f;

	if (argc != 3)
		return 2;
	f = factorial(atoi(argv[1]));
	printf("%ld\n", f);
	assert(f == atol(argv[2]));
	return 0;
}
