/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function of the program's own says that it failed, and the program exits with status 0.
 * options: --fail-call die
 * test: 5 3
 * says: die is called at
 */
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline, noreturn)) static void die(const char *why)
{
	puts(why);
	exit(0);
}
int main(int argc, char **argv)
{
	int a = atoi(argv[1]), b = atoi(argv[2]), smaller = a < b ? b : a; /* fault */

	if (smaller > b)
		die("not the smaller one");
	puts("ok");
	return argc < 3;
}
