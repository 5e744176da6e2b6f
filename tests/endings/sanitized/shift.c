/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A shift by more bits than there are; the number comes from a loop that counts one too many.
 * test: 31
 * passes: 3
 */
#include <stdio.h>
#include <stdlib.h>
static int counted(int most)
{
	int n = 0;

	while (n <= most) /* fault */
		n++;
	return n;
}
int main(int argc, char **argv)
{
	unsigned mask = 1u << counted(atoi(argv[1]));

	printf("%u\n", mask);
	return 0;
}
