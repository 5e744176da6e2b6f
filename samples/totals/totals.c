/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests tables of counts for independence, all of them together: statistics are
 * summed, and so are degrees of freedom.
 */
#include "totals.h"

#include <math.h>
#include <stdbool.h>

enum { TERMS = 200, LARGE = 9 };

struct table {
	int rows, columns;
	double cells[MOST][MOST];
	double row[MOST], column[MOST]; /* their sums */
	double all;
};

static bool is_size(double size)
{
	return size >= 1 && size <= MOST;
}

static bool read_table(struct table *t)
{
	double rows, columns;

	if (!read_number(&rows) || !read_number(&columns))
		return false;
	if (!is_size(rows) || !is_size(columns))
		return false;
	t->rows = (int)rows;
	t->columns = (int)columns;
	for (int r = 0; r < t->rows; r++)
		for (int c = 0; c < t->columns; c++)
			if (!read_number(&t->cells[r][c]))
				return false;
	return true;
}

/* Whether nothing is counted less than never. */
static bool is_valid(const struct table *t)
{
	for (int r = 0; r < t->rows; r++)
		for (int c = 0; c < t->columns; c++)
			if (t->cells[r][c] < 0)
				return false;
	return true;
}

static void sum_up(struct table *t)
{
	t->all = 0;
	for (int r = 0; r < t->rows; r++)
		t->row[r] = 0;
	for (int c = 0; c < t->columns; c++)
		t->column[c] = 0;
	for (int r = 0; r < t->rows; r++) {
		for (int c = 0; c < t->columns; c++) {
			t->row[r] += t->cells[r][c];
			t->column[c] += t->cells[r][c];
		}
		t->all += t->row[r];
	}
}

/* How many of n sums are of anything. */
static int used(const double *sums, int n)
{
	int count = 0;

	for (int i = 0; i < n; i++)
		if (sums[i] > 0)
			count++;
	return count;
}

static double expected(const struct table *t, int r, int c)
{
	return t->row[r] * t->column[c] / t->all;
}

static float least_expected(const struct table *t)
{
	float least = (float)t->all;

	for (int r = 0; r < t->rows; r++) {
		for (int c = 0; c < t->columns; c++) {
			float here = (float)expected(t, r, c);

			if (here > 0 && here < least)
				least = here;
		}
	}
	return least;
}

/* Yates: the smallest tables look further from independent than they are. */
static double correction(const struct table *t)
{
	bool square = used(t->row, t->rows) == 2 && used(t->column, t->columns) == 2;

	if (square && least_expected(t) < 5.0f)
		return 0.5;
	return 0;
}

static double pearson(const struct table *t)
{
	double less = correction(t);
	double sum = 0;

	for (int r = 0; r < t->rows; r++) {
		for (int c = 0; c < t->columns; c++) {
			double mean = expected(t, r, c);
			double off = fabs(t->cells[r][c] - mean) - less;

			if (mean > 0 && off > 0)
				sum += off * off / mean;
		}
	}
	return sum;
}

static double likelihood(const struct table *t)
{
	double sum = 0;

	for (int r = 0; r < t->rows; r++) {
		for (int c = 0; c < t->columns; c++) {
			double count = t->cells[r][c];

			if (count > 0)
				sum += count * log(count / expected(t, r, c));
		}
	}
	return 2 * sum;
}

static double cramer(const struct table *t, double statistic)
{
	int rows = used(t->row, t->rows);
	int columns = used(t->column, t->columns);
	int fewer = rows < columns ? rows : columns;

	if (fewer < 2)
		return 0;
	return sqrt(statistic / (t->all * (fewer - 1)));
}

/* The logarithm of gamma(a): Stirling's, which is for large a. */
static double log_gamma(double a)
{
	double product = 1;
	double square;

	while (a < LARGE) {
		product *= a;
		a += 1;
	}
	square = a * a;
	return (a - 0.5) * log(a) - a + 0.9189385332046727 +
	       (1 / 12.0 - (1 / 360.0 - 1 / (1260.0 * square)) / square) / a - log(product);
}

/* y^a e^-y / gamma(a) */
static double density(double a, double y)
{
	return exp(a * log(y) - y - log_gamma(a));
}

/* The share of gamma(a) below y, good for y up to about a. */
static double below(double a, double y)
{
	double term = 1 / a;
	double sum = term;

	for (int n = 1; n < TERMS && term > sum * 1e-12; n++) {
		term *= y / (a + n);
		sum += term;
	}
	return density(a, y) * sum;
}

/* The share above y, good for y from about a on: a continued fraction. */
static double above(double a, double y)
{
	double fraction = 0;
	int n = 30;

	while (n > 0) {
		fraction = n * (n - a) / (y + 2 * n + 1 - a - fraction);
		n--;
	}
	return density(a, y) / (y + 1 - a - fraction);
}

/* How likely chance alone gives a statistic that large, or a larger one. */
static double chance_of(double statistic, int freedom)
{
	double a = freedom / 2.0;
	double y = statistic / 2.0;

	if (freedom == 0 || y <= 0)
		return 1;
	if (y < a + 1)
		return 1 - below(a, y);
	return above(a, y);
}

static int stars_of(double chance)
{
	int stars = 0;

	if (chance <= 0.05)
		stars = 1;
	if (chance <= 0.01)
		stars = 2;
	if (chance <= 0.001)
		stars = 3;
	return stars;
}

static void add_table(struct totals *totals, struct table *t)
{
	double statistic, strength;

	sum_up(t);
	if (t->all == 0)
		return;
	statistic = pearson(t);
	strength = cramer(t, statistic);
	totals->tables++;
	totals->freedom += (used(t->row, t->rows) - 1) * (used(t->column, t->columns) - 1);
	totals->statistic += statistic;
	totals->likelihood += likelihood(t);
	if (strength > totals->strongest)
		totals->strongest = strength;
}

void add_up_tables(struct totals *totals)
{
	struct table table;

	totals->tables = 0;
	totals->freedom = 0;
	totals->statistic = 0;
	totals->likelihood = 0;
	totals->strongest = 0;
	while (read_table(&table))
		if (is_valid(&table))
			add_table(totals, &table);
	totals->chance = chance_of(totals->statistic, totals->freedom);
	totals->stars = stars_of(totals->chance);
}
