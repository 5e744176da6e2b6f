/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sum that leaves out the first element; printf, an integer.
 * test: 3 4 5
 * says: line 2 of the output is "total     9", expected "total    12" at
 * finds: passes
 */
#include <stdio.h>
#include <stdlib.h>
#ifdef FIXED
enum { EXTRA = 0 };
#else
enum { EXTRA = 3 };
#endif
int main(int argc, char **argv)
{
	long sum = 0;

	for (int i = 1; i < argc; i++)
		sum += atoi(argv[i]);
	sum -= EXTRA; /* fault */
	printf("count %d%%\n", argc - 1);
	printf("total %*ld\n", 5, sum);
	puts("end");
	return 0;
}
