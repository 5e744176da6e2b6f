/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two numbers' maximum plus the third's magnitude, after an edit that changed
 * four places: `sorted` became false, x > y became x < y, and the signs of the
 * two sums at the end were exchanged.  Undoing the edit of `sum -= z` alone is
 * not enough (it gives 3), so the test asks for two lines to be put right, and
 * yet one line can make up for the other.
 *
 * test: 3 2 1
 * fails: 39
 * faulty: 28 35
 * fixed: if (x > y)
 * fixed: sum += z;
 * expect: {25} {31} {35} {28,29} {28,34} {27,33} {27,34} {34,37}
 */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static bool sorted = false;

static void f(int x, int y, int z)
{
	int sum = 0;

	if (!sorted)
		if (x < y)
			sum += x;
		else
			sum += y;
	else
		sum += x;
	if (z > 0)
		sum -= z;
	else
		sum += z;
	printf("sum = %d\n", sum);
	assert(sum == 4);
}

int main(int argc, char **argv)
{
	(void)argc;
	f(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
	return 0;
}
