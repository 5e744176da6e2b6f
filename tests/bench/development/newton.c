/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Roots by Newton's method.
 *
 * test: 2 9 27
 * faulty: 29
 * fixed: 		double slope = n * power(x, n - 1);
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double power(double x, int n)
{
	double result = 1;

	for (int i = 0; i < n; i++)
		result *= x;
	return result;
}

static double root(double value, int n)
{
	double x = value > 1 ? value : 1;

	for (int i = 0; i < 60; i++) {
		double f = power(x, n) - value;
		double slope = n * power(x, n);
		double next = x - f / slope;

		if (fabs(next - x) < 1e-12)
			break;
		x = next;
	}
	return x;
}

static double distance(double a, double b)
{
	double d = a - b;

	return d < 0 ? -d : d;
}

static double mean(const double *v, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += v[i];
	return n ? sum / n : 0;
}

int main(int argc, char **argv)
{
	double values[8];
	int n = 0;
	int exponent = argc > 1 ? atoi(argv[1]) : 2;

	for (int i = 2; i < argc && n < 8; i++)
		values[n++] = atof(argv[i]);
	printf("mean %.3f\n", mean(values, n));
	for (int i = 0; i < n; i++) {
		double r = root(values[i], exponent);

		printf("%.6f\n", r);
		assert(distance(power(r, exponent), values[i]) < 1e-6);
	}
	return 0;
}
