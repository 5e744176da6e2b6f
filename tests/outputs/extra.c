/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line too many: a loop that goes on for too long.
 * test: 3
 * says: line 4 of the output, "item 4", should not be there at
 * finds: passes
 */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;

#ifdef FIXED
	for (int i = 0; i < n; i++)
#else
	for (int i = 0; i <= n; i++) /* fault */
#endif
		printf("item %d\n", i + 1);
	puts("end");
	return 0;
}
