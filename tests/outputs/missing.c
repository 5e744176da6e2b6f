/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line is missing, because its condition is too strict.
 * test: 10
 * says: line 1 of the output should be "discount", which is missing at
 * finds: passes
 */
#include <stdio.h>
#include <stdlib.h>
#ifdef FIXED
enum { LEAST = 10 };
#else
enum { LEAST = 11 };
#endif
int main(int argc, char **argv)
{
	int sum = argc > 1 ? atoi(argv[1]) : 0;

	if (sum >= LEAST) /* fault */
		puts("discount");
	printf("total %d\n", sum);
	return 0;
}
