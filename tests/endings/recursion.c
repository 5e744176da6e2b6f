/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two functions that call each other and stop at 0 only.
 * test: -3
 * levels:
 */
#include <stdio.h>
#include <stdlib.h>
static int odd(int n);
static int even(int n)
{
	if (n == 0) /* fault */
		return 1;
	return !odd(n - 1);
}
static int odd(int n)
{
	return n == 0 ? 0 : !even(n - 1);
}
int main(int argc, char **argv)
{
	printf("%d\n", even(atoi(argv[1])));
	return 0;
}
