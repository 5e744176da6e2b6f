/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * main returns whether there were errors.
 * test: 3
 * ends: `CHECK(square(x) == x * x)' failed
 * levels: 0
 */
#include <stdio.h>
#include <stdlib.h>
static int square(int x)
{
	return x * x + 1; /* fault */
}
static int failures;
#define CHECK(c)                                    \
	do {                                        \
		if (!(c)) {                         \
			failures++;                 \
			printf("failed: %s\n", #c); \
		}                                   \
	} while (0)
int main(int argc, char **argv)
{
	int x = atoi(argv[1]);
	CHECK(square(x) == x * x);
	CHECK(x > 0);
	return failures != 0;
}
