/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two strings are joined without room for the NUL.
 * test: 0
 * right: 1
 * says: invalid write: strcat writes 18 bytes, right behind the end of a block of 27 bytes
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *join(const char *a, const char *b, int more)
{
	char *s = malloc(strlen(a) + strlen(b) + more); /* fault */

	strcpy(s, a);
	strcat(s, b); /* wrong */
	return s;
}
int main(int argc, char **argv)
{
	char *s = join("hello, wor", "ld and all of you", argc > 1 ? atoi(argv[1]) : 1);

	puts(s);
	free(s);
	return 0;
}
