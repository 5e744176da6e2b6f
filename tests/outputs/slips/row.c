/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A format lacks its end of line.
 * test: 3
 * change: "row %d\n" for "row %d"
 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[argc - 1]); i++)
#ifdef FIXED
		printf("row %d\n", i);
#else
		printf("row %d", i); /* fault */
#endif
	printf("end\n");
	return 0;
}
