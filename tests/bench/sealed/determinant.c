/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The determinant of a 2x2 or 3x3 matrix by cofactors; a sign is lost.
 *
 * test: 3 1 2 3 0 1 4 5 6 0 1
 * faulty: 32
 */
#include <assert.h>
#include <stdlib.h>

static int n;
static int m[3][3];

static int minor(int column)
{
	int v[4], k = 0;

	for (int i = 1; i < 3; i++)
		for (int j = 0; j < 3; j++)
			if (j != column)
				v[k++] = m[i][j];
	return v[0] * v[3] - v[1] * v[2];
}

static int determinant(void)
{
	int sum = 0;

	if (n == 2)
		return m[0][0] * m[1][1] - m[0][1] * m[1][0];
	for (int j = 0; j < 3; j++)
		sum += m[0][j] * minor(j);
	return sum;
}

int main(int argc, char **argv)
{
	(void)argc;
	n = atoi(argv[1]);
	for (int i = 0; i < n * n; i++)
		m[i / n][i % n] = atoi(argv[2 + i]);
	assert(determinant() == atoi(argv[2 + n * n]));
	return 0;
}
