/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The test of the totals: those of the tables on standard input must be what the
 * seven arguments say, in the order of struct totals.  Without arguments they
 * are printed.
 */
#include "totals.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int near(double got, double wanted)
{
	return fabs(got - wanted) <= 1e-7 * (1 + fabs(wanted));
}

static void compare(const struct totals *got, char **wanted)
{
	assert(got->tables == atoi(wanted[0]));
	assert(got->freedom == atoi(wanted[2]));
	assert(near(got->statistic, atof(wanted[3])));
	assert(near(got->likelihood, atof(wanted[4])));
	assert(near(got->strongest, atof(wanted[6])));
	assert(near(got->chance, atof(wanted[5])));
	assert(got->stars == atoi(wanted[1]));
}

int main(int argc, char **argv)
{
	struct totals totals;

	add_up_tables(&totals);
	if (argc == 8)
		compare(&totals, argv + 1);
	else
		printf("%d %d %d %.12g %.12g %.12g %.12g\n", totals.tables, totals.stars, totals.freedom,
		       totals.statistic, totals.likelihood, totals.chance, totals.strongest);
	return 0;
}
