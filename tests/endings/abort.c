/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * abort() after a check in a function of its own.
 * test: 3
 * ends: SIGABRT
 * levels: 0 2
 */
#include <stdio.h>
#include <stdlib.h>
static int limit(int x)
{
	return x < 3 ? 10 : 20; /* fault */
}
static void want(int ok)
{
	if (!ok)
		abort();
}
int main(int argc, char **argv)
{
	int x = atoi(argv[1]);
	int l = limit(x);
	want(l == 10);
	puts("fine");
	return 0;
}
