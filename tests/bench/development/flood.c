/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts islands of a map by recursion.
 *
 * test: ##..# #...# ..#..
 * faulty: 36
 * fixed: 	return y >= 0 && y < m->rows && x >= 0 && x < m->columns;
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#define SIDE 8

struct map {
	char cells[SIDE][SIDE + 1];
	int rows, columns;
};

static int read_map(struct map *m, int n, char **rows)
{
	m->rows = n;
	m->columns = n > 0 ? (int)strlen(rows[0]) : 0;
	if (n > SIDE || m->columns > SIDE)
		return 0;
	for (int y = 0; y < n; y++) {
		if ((int)strlen(rows[y]) != m->columns)
			return 0;
		strcpy(m->cells[y], rows[y]);
	}
	return 1;
}

static int inside(const struct map *m, int y, int x)
{
	return y >= 0 && y < m->rows && x >= 0 && x < m->rows;
}

static int fill(struct map *m, int y, int x)
{
	int size;

	if (!inside(m, y, x) || m->cells[y][x] != '#')
		return 0;
	m->cells[y][x] = '.';
	size = 1;
	size += fill(m, y - 1, x);
	size += fill(m, y + 1, x);
	size += fill(m, y, x - 1);
	size += fill(m, y, x + 1);
	return size;
}

static int islands(struct map *m, int *largest)
{
	int count = 0;

	*largest = 0;
	for (int y = 0; y < m->rows; y++) {
		for (int x = 0; x < m->columns; x++) {
			int size = fill(m, y, x);

			if (size > 0)
				count++;
			if (size > *largest)
				*largest = size;
		}
	}
	return count;
}

int main(int argc, char **argv)
{
	struct map map;
	int largest, count;

	if (!read_map(&map, argc - 1, argv + 1))
		return 2;
	count = islands(&map, &largest);
	printf("%d islands, the largest of %d\n", count, largest);
	assert(count == 3);
	return 0;
}
