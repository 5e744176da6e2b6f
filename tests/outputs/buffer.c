/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text that is made in memory first, by snprintf, and printed later.
 * test: 6
 * says: line 2 of the output is "half: 4 of 6", expected "half: 3 of 6" at
 * finds: passes
 */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	char first[40], second[40];
	int n = argc > 1 ? atoi(argv[1]) : 0, half;

#ifdef FIXED
	half = n / 2;
#else
	half = n / 2 + 1; /* fault */
#endif
	snprintf(first, sizeof(first), "all: %d", n);
	snprintf(second, sizeof(second), "half: %d of %d", half, n);
	puts(first);
	printf("%s\n", second);
	return 0;
}
