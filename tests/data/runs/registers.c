/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variables that live in registers, and values that never had a name.
 * cc: -O1 -fno-inline
 * test: 3 4 0.5
 */
#include <assert.h>
#include <stdlib.h>

struct pair {
	long first, second;
};

static struct pair order(long a, long b)
{
	struct pair p = { a, b };

	if (a > b)
		p = (struct pair){ b, a };
	return p;
}

static double scaled(double value, double by)
{
	return value * by + 1;
}

static int digits(unsigned n)
{
	int count = 0;

	for (; n; n /= 10)
		count++;
	return count;
}

static long spread(const struct pair *p, int (*measure)(unsigned))
{
	long between = p->second - p->first;

	return measure((unsigned)between + 99) + between;
}

int main(int argc, char **argv)
{
	long a = atol(argv[1]), b = atol(argv[2]);
	struct pair p = order(a, b);
	double s = scaled(atof(argv[3]), (double)b);
	long wide = spread(&p, digits);

	assert(wide * 2 + s < 9);
	return argc == 0;
}
