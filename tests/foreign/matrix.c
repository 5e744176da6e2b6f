/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sum of a matrix.
 *
 * test: 1 2 3 4 5 6
 * fails: 37
 * faulty: 22
 * fixed: sum += m[i][j];
 */
#include <assert.h>
#include <stdlib.h>

#define ROWS 2
#define COLUMNS 3

static long total(int m[ROWS][COLUMNS])
{
	long sum = 0;

	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			sum += m[i][i];
	return sum;
}

int main(int argc, char **argv)
{
	int m[ROWS][COLUMNS];
	long expected = 0;

	if (argc != 1 + ROWS * COLUMNS)
		return 2;
	for (int i = 0; i < ROWS * COLUMNS; i++) {
		m[i / COLUMNS][i % COLUMNS] = atoi(argv[i + 1]);
		expected += atoi(argv[i + 1]);
	}
	assert(total(m) == expected);
	return 0;
}
