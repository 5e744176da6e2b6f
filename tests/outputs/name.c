/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The wrong one of several constant strings; fprintf to standard error, too.
 * test: 2
 * says: line 1 of the output is "day Mon", expected "day Tue" at
 * finds: passes
 */
#include <stdio.h>
#include <stdlib.h>
static const char *const names[] = { "Sun", "Mon", "Tue", "Wed" };
int main(int argc, char **argv)
{
	int day = argc > 1 ? atoi(argv[1]) : 0, at;

#ifdef FIXED
	at = day;
#else
	at = day - 1; /* fault */
#endif
	fprintf(stderr, "day number %d\n", day);
	printf("day %s\n", names[at]);
	return 0;
}
