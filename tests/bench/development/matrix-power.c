/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fibonacci numbers by powers of a matrix.
 *
 * test: 10
 * faulty: 32
 * fixed: 				r.cell[i][j] += a->cell[i][k] * b->cell[k][j];
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct matrix {
	long cell[2][2];
};

static struct matrix identity(void)
{
	struct matrix m = { { { 1, 0 }, { 0, 1 } } };

	return m;
}

static struct matrix multiply(const struct matrix *a, const struct matrix *b)
{
	struct matrix r;

	for (int i = 0; i < 2; i++) {
		for (int j = 0; j < 2; j++) {
			r.cell[i][j] = 0;
			for (int k = 0; k < 2; k++)
				r.cell[i][j] += a->cell[i][k] * b->cell[j][k];
		}
	}
	return r;
}

static struct matrix power(struct matrix base, int exponent)
{
	struct matrix result = identity();

	while (exponent > 0) {
		if (exponent % 2 == 1)
			result = multiply(&result, &base);
		base = multiply(&base, &base);
		exponent /= 2;
	}
	return result;
}

static long slowly(int n)
{
	long a = 0, b = 1;

	for (int i = 0; i < n; i++) {
		long c = a + b;
		a = b;
		b = c;
	}
	return a;
}

int main(int argc, char **argv)
{
	struct matrix step = { { { 2, 1 }, { 0, 1 } } };
	struct matrix fib = { { { 1, 1 }, { 1, 0 } } };
	int n = argc > 1 ? atoi(argv[1]) : 5;
	struct matrix f = power(fib, n);
	struct matrix g = power(step, n);

	printf("fib %ld\n", f.cell[0][1]);
	assert(f.cell[0][1] == slowly(n));
	assert(g.cell[0][0] == 1L << n);
	assert(g.cell[0][1] == (1L << n) - 1);
	return 0;
}
