/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A length that became negative.
 * test: abc=
 * ends: SIGSEGV
 * levels: 0 2
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char buffer[32];
static int length(const char *s)
{
	int n = 0;
	while (s[n] && s[n] != '=')
		n++;
	return n - 5; /* fault */
}
int main(int argc, char **argv)
{
	int n = length(argv[1]);
	memcpy(buffer, argv[1], n);
	buffer[31] = 0;
	printf("%s\n", buffer);
	return 0;
}
