/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tight loop over an array: `loop ROUNDS'. */
#include <stdio.h>
#include <stdlib.h>

static int a[1000];

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1, sum = 0;

	for (unsigned r = 0; r < rounds; r++)
		for (unsigned i = 0; i < 1000; i++) {
			a[i] = a[i] * 3 + (int)i;
			sum += (unsigned)a[i * 7 % 1000];
		}
	printf("%u\n", sum);
	return 0;
}
