/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the C library returned is followed at once, and is NULL.
 * test: line
 * ends: SIGSEGV
 * levels: 0
 */
#include <stdio.h>
#include <string.h>

static char text[40];

int main(int argc, char **argv)
{
	int ends = 0;
	for (int i = 2; i <= argc; i++)
		ends = i > 2; /* fault */
	snprintf(text, sizeof text, ends ? "%s\n" : "%s", argv[1]);
	*strchr(text, '\n') = '\0';
	puts(text);
	return 0;
}
