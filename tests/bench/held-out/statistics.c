/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mean, variance and median of numbers.
 *
 * test: 8 4 1 5 2
 * faulty: 35
 * fixed: 	for (int i = 0; i < s->n; i++) {
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 20

struct sample {
	double values[MOST];
	int n;
};

static double mean(const struct sample *s)
{
	double sum = 0;

	for (int i = 0; i < s->n; i++)
		sum += s->values[i];
	return sum / s->n;
}

static double variance(const struct sample *s)
{
	double m = mean(s);
	double sum = 0;

	for (int i = 1; i < s->n; i++) {
		double d = s->values[i] - m;

		sum += d * d;
	}
	return sum / s->n;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(const struct sample *s)
{
	struct sample sorted = *s;

	qsort(sorted.values, sorted.n, sizeof(double), compare);
	if (sorted.n % 2 == 1)
		return sorted.values[sorted.n / 2];
	return (sorted.values[sorted.n / 2 - 1] + sorted.values[sorted.n / 2]) / 2;
}

static int near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

int main(int argc, char **argv)
{
	struct sample s = { .n = 0 };

	for (int i = 1; i < argc && s.n < MOST; i++)
		s.values[s.n++] = atof(argv[i]);
	printf("mean %g, median %g\n", mean(&s), median(&s));
	printf("variance %g\n", variance(&s));
	assert(near(mean(&s), 4));
	assert(near(median(&s), 4));
	assert(near(variance(&s), 6));
	return 0;
}
