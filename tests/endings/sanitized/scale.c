/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A product that an int cannot hold, in the line at fault.
 * test: 30000 1
 * passes: 3 1
 */
#include <stdio.h>
#include <stdlib.h>
static int scaled(int n)
{
	int product = n * 100000; /* fault */

	return product;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[1]), by = atoi(argv[2]);

	printf("%d\n", scaled(n + by));
	return 0;
}
