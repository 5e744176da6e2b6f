/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A geometric mean by logarithms: the fault is one too many in a divisor, on the
 * way from there to the assertion stand three functions of the library.
 *
 * test: 2 8
 * fails: 38
 * faulty: 24
 * fixed: 	return exp(sum / n);
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

static double geometric_mean(int n, char **numbers)
{
	double sum = 0;

	for (int i = 0; i < n; i++) {
		double number = atof(numbers[i]);

		sum += log(number);
	}
	return exp(sum / (n + 1));
}

int main(int argc, char **argv)
{
	double mean, product = 1;

	if (argc < 2)
		return 2;
	for (int i = 1; i < argc; i++)
		product *= atof(argv[i]);
	mean = geometric_mean(argc - 1, argv + 1);
	mean = pow(mean, argc - 1);

	assert(fabs(mean - product) < 1e-9 * product);
	return 0;
}
