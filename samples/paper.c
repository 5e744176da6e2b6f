/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The running example of the paper on on-demand formula computation.  b is
 * larger than a whichever way y goes, so there is no single right correction:
 * either the one assignment of the path taken gives something else, or the
 * condition goes the other way and the assignment there gives something else.
 *
 * test: 0 0
 * fails: 30
 * faulty: 27
 * fixed: b = a;
 * expect: {27} {26,29}
 * expect-no-hijack: {27} {26}
 */
#include <assert.h>
#include <stdlib.h>

static int P(int x, int y)
{
	int a, b;

	if (x >= 0)
		a = x;
	else
		a = -x;
	if (y < 5)
		b = a + 1;
	else
		b = a + 2;
	assert(b <= a);
	return b;
}

int main(int argc, char **argv)
{
	(void)argc;
	P(atoi(argv[1]), atoi(argv[2]));
	return 0;
}
