/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matrices of whole numbers: the product with the transposed one is symmetric.
 *
 * test: 2 3 1 2 3 4 5 6
 * faulty: 51
 * fixed: 			for (int k = 0; k < a->columns; k++)
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 4 };

struct matrix {
	int rows, columns;
	int at[SIDE][SIDE];
};

static struct matrix read_matrix(int argc, char **argv)
{
	struct matrix m = { 0 };
	int next = 3;

	m.rows = argc > 1 ? atoi(argv[1]) : 0;
	m.columns = argc > 2 ? atoi(argv[2]) : 0;
	if (m.rows > SIDE || m.columns > SIDE)
		exit(2);
	for (int i = 0; i < m.rows; i++)
		for (int j = 0; j < m.columns; j++)
			m.at[i][j] = next < argc ? atoi(argv[next++]) : 0;
	return m;
}

static struct matrix transposed(const struct matrix *m)
{
	struct matrix t = { m->columns, m->rows, { { 0 } } };

	for (int i = 0; i < m->rows; i++)
		for (int j = 0; j < m->columns; j++)
			t.at[j][i] = m->at[i][j];
	return t;
}

static struct matrix product(const struct matrix *a, const struct matrix *b)
{
	struct matrix c = { a->rows, b->columns, { { 0 } } };

	for (int i = 0; i < c.rows; i++)
		for (int j = 0; j < c.columns; j++)
			for (int k = 0; k < a->rows; k++)
				c.at[i][j] += a->at[i][k] * b->at[k][j];
	return c;
}

static int trace_of(const struct matrix *m)
{
	int sum = 0;

	for (int i = 0; i < m->rows && i < m->columns; i++)
		sum += m->at[i][i];
	return sum;
}

int main(int argc, char **argv)
{
	struct matrix a = read_matrix(argc, argv), t = transposed(&a);
	struct matrix c = product(&a, &t);
	int squares = 0;

	for (int i = 0; i < a.rows; i++)
		for (int j = 0; j < a.columns; j++)
			squares += a.at[i][j] * a.at[i][j];
	printf("%d by %d, trace %d\n", c.rows, c.columns, trace_of(&c));
	assert(trace_of(&c) == squares);
	return 0;
}
