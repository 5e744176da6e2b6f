/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mean of three numbers is compared with a limit; it is divided by one too many.
 * cc: -O0
 * test: 4.5 6 9
 */
#include <stdlib.h>

static const double least = 5.0;
static float scale = 1.5f;

static double mean(const double *values, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += values[i];
	return sum / (n + 1); /* fault */
}

static int is_large(double value)
{
	float scaled = (float)value * scale;

	return scaled > least * scale;
}

int main(int argc, char **argv)
{
	double values[8];
	int n = argc - 1, result = 0;

	for (int i = 0; i < n; i++)
		values[i] = atof(argv[i + 1]);
	if (!is_large(mean(values, n)))
		result = 3;
	return result;
}
