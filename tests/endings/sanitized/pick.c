/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An index behind the end, from a condition elsewhere.
 * test: 4
 * passes: 2
 */
#include <stdio.h>
#include <stdlib.h>
static int prices[4] = { 10, 20, 30, 40 };
static int limited(int i)
{
	if (i > 4) /* fault */
		i = 3;
	return i;
}
int main(int argc, char **argv)
{
	int i = limited(atoi(argv[1])), sum = 0;

	sum += prices[i];
	printf("%d\n", sum);
	return 0;
}
