/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nobody looks whether there was still a number to be read.
 *
 * test: 3 4 x 7 8
 * change: `break' where sscanf reads nothing
 */
#include <stdio.h>

int main(int argc, char **argv)
{
	int sum = 0, n = 0, i = 1;

	while (i < argc) {
#ifdef FIXED
		if (sscanf(argv[i], "%d", &n) < 1)
			break;
#else
		sscanf(argv[i], "%d", &n); /* fault */
#endif
		sum += n;
		i++;
	}
	printf("%d\n", sum);
	return 0;
}
