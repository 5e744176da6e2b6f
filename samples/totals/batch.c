/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds up the tables of each file named and prints the names of those of which
 * the golden version says something else, by what check.c takes for the same.
 */
#include "totals.h"

#include <math.h>
#include <stdio.h>

static int near(double got, double wanted)
{
	return fabs(got - wanted) <= 1e-7 * (1 + fabs(wanted));
}

static int same(const struct totals *a, const struct totals *b)
{
	return a->tables == b->tables && a->stars == b->stars && a->freedom == b->freedom &&
	       near(a->statistic, b->statistic) && near(a->likelihood, b->likelihood) &&
	       near(a->chance, b->chance) && near(a->strongest, b->strongest);
}

int main(int argc, char **argv)
{
	struct totals got, golden;

	for (int i = 1; i < argc; i++) {
		if (!freopen(argv[i], "r", stdin)) {
			perror(argv[i]);
			return 2;
		}
		add_up_tables(&got);
		rewind(stdin);
		golden_add_up_tables(&golden);
		if (!same(&got, &golden))
			puts(argv[i]);
	}
	return 0;
}
