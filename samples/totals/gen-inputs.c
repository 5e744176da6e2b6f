/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test inputs for the totals: gen-inputs DIR [COUNT [SEED]] writes DIR/001 to
 * DIR/240, always the same ones.  Most are one or a few small tables; of some a
 * row or a column is empty, a count is negative, a table is cut off or too large.
 */
#include "totals.h"

#include <stdio.h>
#include <stdlib.h>

struct source {
	unsigned long long state;
};

/* Knuth's MMIX generator; its high bits are the good ones. */
static int below(struct source *s, int n)
{
	s->state = s->state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (int)((s->state >> 33) % (unsigned long long)n);
}

static int between(struct source *s, int low, int high)
{
	return low + below(s, high - low + 1);
}

/* Its cells, of a mean size each; more or less of them where row and column are
 * the same, by a hundred times the bias. */
static void write_cells(struct source *s, FILE *to, int rows, int columns)
{
	static const int means[] = { 2, 6, 15, 40, 100 };
	int mean = means[below(s, 5)];
	int bias = below(s, 2) ? 100 : between(s, 20, 300);
	int empty_row = below(s, 8) ? -1 : below(s, rows);
	int empty_column = below(s, 8) ? -1 : below(s, columns);
	int negative = below(s, 16) ? -1 : below(s, rows * columns);

	for (int r = 0; r < rows; r++) {
		for (int c = 0; c < columns; c++) {
			int count = between(s, mean / 2, mean + mean / 2);

			if (r == c)
				count = count * bias / 100;
			if (r == empty_row || c == empty_column)
				count = 0;
			if (r * columns + c == negative)
				count = -1 - count;
			fprintf(to, "%s%d", c ? " " : "", count);
		}
		fputc('\n', to);
	}
}

static void write_table(struct source *s, FILE *to)
{
	int rows = below(s, 3) ? between(s, 2, 4) : between(s, 1, MOST);
	int columns = below(s, 3) ? between(s, 2, 4) : between(s, 1, MOST);

	if (below(s, 4) == 0)
		rows = columns = 2;
	if (below(s, 20) == 0)
		rows = MOST + 1;
	fprintf(to, "%d %d\n", rows, columns);
	write_cells(s, to, rows, columns);
	fputc('\n', to);
}

/* A table that ends before its last row does. */
static void write_half(struct source *s, FILE *to)
{
	int columns = between(s, 2, MOST);

	fprintf(to, "2 %d\n", columns);
	for (int c = 1; c < 2 * columns; c++)
		fprintf(to, "%d ", below(s, 30));
}

int main(int argc, char **argv)
{
	struct source s = { argc > 3 ? strtoull(argv[3], NULL, 0) : 26 };
	int count = argc > 2 ? atoi(argv[2]) : 240;

	for (int i = 1; i <= count && argc > 1; i++) {
		int tables = below(&s, 2) ? 1 : between(&s, 2, 4);
		char name[4096];
		FILE *to;

		snprintf(name, sizeof name, "%s/%03d", argv[1], i);
		to = fopen(name, "w");
		if (!to) {
			perror(name);
			return 2;
		}
		while (tables--)
			write_table(&s, to);
		if (below(&s, 12) == 0)
			write_half(&s, to);
		if (fclose(to) != 0)
			return 2;
	}
	return argc > 1 ? 0 : 2;
}
