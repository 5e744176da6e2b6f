/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line that was printed while the program was written has stayed in it.
 *
 * test: 12 7 30 4
 * change: the call of printf left out
 */
#include <stdio.h>
#include <stdlib.h>

static int largest_gap(char **words, int n)
{
	int gap = 0;

	for (int i = 1; i < n; i++) {
		int d = abs(atoi(words[i]) - atoi(words[i - 1]));

		if (d > gap)
			gap = d;
#ifndef FIXED
		printf("i %d d %d gap %d\n", i, d, gap); /* fault */
#endif
	}
	return gap;
}

int main(int argc, char **argv)
{
	printf("%d\n", largest_gap(argv + 1, argc - 1));
	return 0;
}
