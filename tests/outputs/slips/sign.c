/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One character of a pair is taken for the other one: nothing else is as easily confused.
 * test: 12 -7 x
 * change: '-' for '+'
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static int is_number(const char *s)
{
#ifdef FIXED
	if (*s == '-')
#else
	if (*s == '+') /* fault */
#endif
		s++;
	if (!*s)
		return 0;
	for (; *s; s++)
		if (!isdigit((unsigned char)*s))
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (is_number(argv[i]))
			printf("%d\n", atoi(argv[i]));
		else
			printf("\"%s\"\n", argv[i]);
	return 0;
}
