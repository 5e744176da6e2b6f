/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An index far out of an array.
 * test: 5
 * ends: SIGSEGV
 * levels: 0 2
 */
#include <stdio.h>
#include <stdlib.h>
static int table[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
static int scale(int x)
{
	int s = x * 4096; /* fault */
	return s;
}
int main(int argc, char **argv)
{
	int x = atoi(argv[1]);
	int i = scale(x);
	int v = table[i];
	printf("%d\n", v);
	return 0;
}
