/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floating point: float, double, long double, complex results, vectors; a
 * vector register that is live across calls into libc and out again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef int four __attribute__((vector_size(16)));
typedef double wide __attribute__((vector_size(32)));

struct pair {
	double x, y;
};

static struct pair turn(struct pair p, double by)
{
	struct pair q = { p.x * cos(by) - p.y * sin(by), p.x * sin(by) + p.y * cos(by) };

	return q;
}

static long double precise(int n)
{
	long double x = 1;

	for (int i = 1; i < n; i++)
		x = x / 3 + sqrtl((long double)i);
	return x;
}

static float simple(float a, int b)
{
	return a * (float)b - 0.5f;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static int sum(four v)
{
	four w = v * 3 + (four){ 1, 2, 3, 4 };

	w = w - (v & (w > 20)) + (v & (w <= 20));
	return w[0] + w[1] * 10 + w[2] * 100 + w[3] * 1000;
}

static double widely(int n)
{
	wide w = { 1, 2, 3, 4 };

	for (int i = 0; i < n; i++) {
		w = w * 1.5 - (wide){ 1, 1, 1, (double)i };
		if (i % 7 == 3)
			printf("%d %.3f\n", i, w[3]);
	}
	return w[0] + w[1] + w[2] + w[3];
}

int main(int argc, char **argv)
{
	double numbers[20];
	struct pair p = { 1, 2 };

	(void)argv;
	for (int i = 0; i < 20; i++)
		numbers[i] = sin(i) * 100;
	qsort(numbers, 20, sizeof *numbers, compare);
	p = turn(p, 0.5);
	printf("%.6f %.6f %.6f %.6f\n", numbers[0], numbers[19], p.x, p.y);
	printf("%.15Lf %.3f %d\n", precise(40), (double)simple(1.25f, argc + 3),
	       sum((four){ argc, 5, 9, 12 }));
	printf("%.6f %d %d\n", widely(16), (int)strtod("42.75", NULL), isnan(sqrt(-1.0 * argc)));
	return 0;
}
