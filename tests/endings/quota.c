/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * errx() when a counter has run over.
 * test: 4
 * ends: exit status 3
 * levels: 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <err.h>
static int used;
static void take(int n)
{
	used += n;
	if (used > 100)
		errx(3, "quota");
}
static int price(int k)
{
	return k * 12; /* fault */
}
int main(int argc, char **argv)
{
	for (int i = 1; i <= atoi(argv[1]); i++)
		take(price(i));
	puts("ok");
	return EXIT_SUCCESS;
}
