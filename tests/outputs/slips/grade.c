/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An `else' is missing, so that what was decided is decided once more.
 * test: 95 75 40 82
 * change: `else' put before it
 */
#include <stdio.h>
#include <stdlib.h>
static char grade(int points)
{
	char is = 'D';
	if (points >= 90)
		is = 'A';
#ifdef FIXED
	else if (points >= 70)
#else
	if (points >= 70) /* fault */
#endif
		is = 'B';
	return is;
}
int main(int argc, char **argv)
{
	int n[256] = { 0 };
	for (int i = 1; i < argc; i++)
		n[(unsigned char)grade(atoi(argv[i]))]++;
	for (int g = 'A'; g <= 'D'; g++)
		printf("%c: %d\n", g, n[g]);
	return 0;
}
