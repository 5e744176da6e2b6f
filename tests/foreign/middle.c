/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The middle one of three numbers.
 *
 * test: 2 1 3 2
 * fails: 42
 * faulty: 22
 * fixed: m = x;
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int middle(int x, int y, int z)
{
	int m = z;

	if (y < z) {
		if (x < y)
			m = y;
		else if (x < z)
			m = y;
	} else {
		if (x > y)
			m = y;
		else if (x > z)
			m = x;
	}
	return m;
}

int main(int argc, char **argv)
{
	int m;

	if (argc != 5) {
		fprintf(stderr, "usage: middle A B C EXPECTED\n");
		return 2;
	}
	m = middle(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
	printf("middle: %d\n", m);
	assert(m == atoi(argv[4]));
	return 0;
}
