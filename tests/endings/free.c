/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * free() of what was not allocated.
 * test: __hi
 * ends: invalid free: free is given what is no block's beginning
 * levels: 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *skip(char *s)
{
	while (*s == '_')
		s++;
	return s;
}
int main(int argc, char **argv)
{
	char *copy = strdup(argv[1]);
	char *text = skip(copy); /* fault */
	printf("%s\n", text);
	free(text);
	return 0;
}
