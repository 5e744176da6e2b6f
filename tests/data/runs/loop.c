/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Some rounds that do not matter, and a mistake at their end.
 * cc: -O0
 * test: 300
 */
#include <assert.h>
#include <stdlib.h>

static unsigned mix(unsigned seed)
{
	return seed * 1664525 + 1013904223;
}

int main(int argc, char **argv)
{
	int rounds = atoi(argv[argc - 1]), level = 0, rest;
	unsigned seed = 1;

	for (int i = 0; i < rounds; i++)
		seed = mix(seed);
	rest = rounds % 7;
	if (rest > 3)
		level = rest; /* fault: not more than 5 */
	level = level + 2;
	assert(level <= 5);
	return seed == 0;
}
