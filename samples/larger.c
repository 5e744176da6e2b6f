/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first example of README.md: the larger of two numbers, with a comparison the
 * wrong way round.  The arguments are the two numbers and what larger should be.
 *
 * test: 1 2 2
 * fails: 33
 * faulty: 20
 * fixed: if (b > a)
 * expect: {18} {20} {22}
 */
#include <assert.h>
#include <stdlib.h>

static int larger(int a, int b)
{
	/* The second number counts when it is larger. */
	int m = a;

	if (b < a)
		m = b;
	return m;
}

int main(int argc, char **argv)
{
	int a, b, expected;

	assert(argc == 4);
	a = atoi(argv[1]);
	b = atoi(argv[2]);
	expected = atoi(argv[3]);
	assert(larger(a, b) == expected);
	return 0;
}
