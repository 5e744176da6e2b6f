/*
 * A bill, printed in layers.
 *
 *     program COUNT PRICE [COUNT PRICE ...]
 *
 * Prices are in cents, and each line has a discount of DISCOUNT per cent from TEN pieces on.  It is
 * rounded to the nearest cent, half a cent up.  A line is computed, formatted into cells, and the
 * cells are printed.
 */
#include <stdio.h>
#include <stdlib.h>

#define TEN 10
#define DISCOUNT 15
#define MOST 6

struct line {
	int count, price;
	int gross, discount, net; /* cents */
};

struct cell {
	int whole, cents;
};

static int discount_on(const struct line *line)
{
	int hundredths = line->gross * DISCOUNT;

	if (line->count < TEN)
		return 0;
	return (hundredths + 50) / 100;
}

static void compute(struct line *line)
{
	line->gross = line->count * line->price;
	line->discount = discount_on(line);
	line->net = line->gross - line->discount;
}

static struct cell format(int cents)
{
	struct cell cell = { cents / 100, cents % 100 };

	return cell;
}

static void print_line(int number, const struct line *line)
{
	struct cell net = format(line->net);

	printf("line %d: %d pieces, %d.%02d\n", number, line->count, net.whole, net.cents);
}

static int sum_of(const struct line *lines, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += lines[i].net;
	return sum;
}

static void print_total(const struct line *lines, int n)
{
	struct cell total = format(sum_of(lines, n));

	printf("total %d.%02d\n", total.whole, total.cents);
}

int main(int argc, char **argv)
{
	struct line lines[MOST] = { { 0 } };
	int n = 0;

	for (int i = 1; i + 1 < argc && n < MOST; i += 2) {
		lines[n].count = atoi(argv[i]);
		lines[n].price = atoi(argv[i + 1]);
		compute(&lines[n++]);
	}
	for (int i = 0; i < n; i++)
		print_line(i + 1, &lines[i]);
	print_total(lines, n);
	return 0;
}
