/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A constant text lacks a letter.
 * test: 95 40 70
 * change: "failed" for "faild"
 */
#include <stdio.h>
#include <stdlib.h>

static const char *grade(int points)
{
	if (points >= 90)
		return "very good";
	if (points >= 50)
		return "passed";
#ifdef FIXED
	return "failed";
#else
	return "faild"; /* fault */
#endif
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%s: %s\n", argv[i], grade(atoi(argv[i])));
	return 0;
}
