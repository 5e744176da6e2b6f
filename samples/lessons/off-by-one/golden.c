/*
 * Moving sums over a row of measurements.
 *
 *     program WIDTH VALUE... [=EXPECTED]
 *
 * A window of WIDTH neighbours is moved over the values; the program prints the greatest sum of a
 * window.  A last argument `=N' is checked.  There are at most MOST values.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 24

struct row {
	int values[MOST];
	int length;
};

static void append(struct row *row, int value)
{
	if (row->length < MOST)
		row->values[row->length++] = value;
}

/* Of the values from first on, width of them. */
static int window_sum(const struct row *row, int first, int width)
{
	int sum = 0;

	for (int i = first; i < first + width; i++)
		sum += row->values[i];
	return sum;
}

/* The row has at least width values. */
static int best_window(const struct row *row, int width)
{
	int last = row->length - width;
	int best = window_sum(row, 0, width);

	for (int first = 1; first <= last; first++) {
		int sum = window_sum(row, first, width);

		if (sum > best)
			best = sum;
	}
	return best;
}

int main(int argc, char **argv)
{
	struct row row = { .length = 0 };
	int width, best, expected = 0, check = 0;

	if (argc < 3)
		return 2;
	width = atoi(argv[1]);
	for (int i = 2; i < argc; i++) {
		if (argv[i][0] == '=') {
			expected = atoi(argv[i] + 1);
			check = 1;
		} else {
			append(&row, atoi(argv[i]));
		}
	}
	if (width < 1 || row.length < width)
		return 2;
	best = best_window(&row, width);
	printf("=%d\n", best);
	if (check)
		assert(best == expected);
	return 0;
}
