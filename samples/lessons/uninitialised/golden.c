/*
 * Which digit occurs most often?
 *
 *     program TEXT [EXPECTED]
 *
 * The program counts the digits of TEXT and prints the one that occurs most often, the smaller one
 * when there are two, multiplied by SCALE, plus its count.  EXPECTED is checked.  Counters are taken
 * from a store of cells that are used again and again.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define SCALE 100
#define CELLS 24
#define DIGITS 10

struct store {
	int cells[CELLS];
	int used;
};

/* n cells, with whatever was in them before. */
static int *take(struct store *store, int n)
{
	int *cells = store->cells + store->used;

	store->used += n;
	return cells;
}

static void give_back(struct store *store, int n)
{
	store->used -= n;
}

/* The sum of the digits, by way of their running sums, which need cells, too. */
static int check_sum(struct store *store, const char *text)
{
	int *sums = take(store, DIGITS);
	int n = 0, sum = 0;

	for (int i = 0; text[i] && n < DIGITS; i++)
		if (text[i] >= '0' && text[i] <= '9') {
			sum += text[i] - '0';
			sums[n++] = sum;
		}
	give_back(store, DIGITS);
	return sum;
}

static int most_frequent(struct store *store, const char *text)
{
	int *counts = take(store, DIGITS);
	int best = 0;

	for (int i = 0; i < DIGITS; i++)
		counts[i] = 0;
	for (int i = 0; text[i]; i++)
		if (text[i] >= '0' && text[i] <= '9')
			counts[text[i] - '0']++;
	for (int i = 1; i < DIGITS; i++)
		if (counts[i] > counts[best])
			best = i;
	give_back(store, DIGITS);
	return best * SCALE + counts[best];
}

int main(int argc, char **argv)
{
	struct store store = { { 0 }, 0 };
	int result;

	if (argc < 2)
		return 2;
	if (check_sum(&store, argv[1]) == 0)
		return 3;
	result = most_frequent(&store, argv[1]);
	printf("%d\n", result);
	if (argc > 2)
		assert(result == atoi(argv[2]));
	return 0;
}
