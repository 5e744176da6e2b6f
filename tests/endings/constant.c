/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A store to a constant.
 * test: abcdef
 * ends: SIGSEGV
 * levels: 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char buffer[16];
static char *place(int n)
{
	if (n > 3) /* fault */
		return "fixed";
	return buffer;
}
int main(int argc, char **argv)
{
	char *p = place(strlen(argv[1]));
	p[0] = 'X';
	printf("%s\n", p);
	return 0;
}
