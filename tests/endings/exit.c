/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exit() deep in a function that a counter decides.
 * test: 11 15 3
 * ends: exit status 1
 * levels: 0 2
 */
#include <stdio.h>
#include <stdlib.h>
static int errors;
static void report(const char *what)
{
	fprintf(stderr, "%s\n", what);
	errors++;
}
static void check(int x)
{
	if (x > 10) /* fault */
		report("too large");
}
static void finish(void)
{
	if (errors >= 2)
		exit(1);
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		check(atoi(argv[i]));
	finish();
	puts("ok");
	return 0;
}
