/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sum is not cleared for the next number.
 * test: 123 99 1000 45
 * change: `sum = 0' put before it
 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int sum = 0;

	for (int i = 1; i < argc; i++) {
#ifdef FIXED
		sum = 0;
#endif
		int rest = atoi(argv[i]); /* fault */
		while (rest > 0) {
			sum += rest % 10;
			rest /= 10;
		}
		printf("%s: %d\n", argv[i], sum);
	}
	return 0;
}
