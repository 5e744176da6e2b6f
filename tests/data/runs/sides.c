/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Branches with all sorts of things behind them that the code alone tells: calls, loops, a table,
 * numbers with a point; and a library's function, of which it does not tell what it returns.
 * cc: -O0
 * test: 7 3
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static const int price_of[4] = { 100, 80, 60, 45 };
static double share = 0.25;
static int calls;

static int smaller(int n, int by)
{
	calls++;
	return n < by ? n : smaller(n - by, by);
}

static int total(const int *of, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += of[i];
	return sum;
}

static double with_share(int price, int days)
{
	double p = price;

	if (days > 2)
		p = p - p * share;
	return p;
}

int main(int argc, char **argv)
{
	int n = atoi(argv[argc - 2]), days = atoi(argv[argc - 1]);
	int price = price_of[n & 3];

	if (n > 100) {
		printf("many\n");
		price = total(price_of, n & 3);
	} else if (n > 8) {
		price = smaller(n, 4);
	}
	if (days == 99)
		price = abs(days) + rand();
	if (days == 98)
		exit(0);
	assert((int)with_share(price, days) + calls > 34); /* 33 */
	return 0;
}
