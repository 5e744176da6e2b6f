/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/order.h"

#include <glib.h>
#include <math.h>

static int by_score(const void *a, const void *b, void *scores)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
	double p = ((const double *)scores)[x], q = ((const double *)scores)[y];

	return p != q ? (p < q) - (p > q) : (x > y) - (x < y);
}

void order_sort(const double *scores, unsigned n, unsigned *sorted)
{
	for (unsigned i = 0; i < n; i++) {
		g_assert(!isnan(scores[i]));
		sorted[i] = i;
	}
	g_qsort_with_data(sorted, (int)n, sizeof *sorted, by_score, (void *)scores);
}

void order_standings(const double *scores, unsigned n, struct standing *standings)
{
	g_autofree unsigned *sorted = g_new(unsigned, n);

	order_sort(scores, n, sorted);
	for (unsigned first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && scores[sorted[end]] == scores[sorted[first]];)
			end++;
		for (unsigned i = first; i < end; i++)
			standings[sorted[i]] = (struct standing){ first + 1, end };
	}
}

double order_rank(struct standing s, enum rank_scheme scheme)
{
	return scheme == RANK_BEST    ? s.first
	       : scheme == RANK_WORST ? s.last
				      : (s.first + (double)s.last) / 2;
}

void order_settle(double *scores, unsigned n)
{
	g_autofree unsigned *sorted = g_new(unsigned, n);
	double largest = 0;

	for (unsigned i = 0; i < n; i++)
		if (isfinite(scores[i]))
			largest = MAX(largest, fabs(scores[i]));
	order_sort(scores, n, sorted);
	for (unsigned i = 1; i < n; i++) {
		double *one = &scores[sorted[i]], before = scores[sorted[i - 1]];
		double size = MAX(fabs(before), fabs(*one));
		if (isfinite(before) && before - *one <= 1e-10 * size + 1e-13 * largest)
			*one = before;
	}
}

static int by_vote(const void *a, const void *b)
{
	const struct order_vote *x = a, *y = b;

	if (x->n != y->n)
		return (x->n < y->n) - (x->n > y->n);
	if (x->average != y->average)
		return (x->average > y->average) - (x->average < y->average);
	return (x->unit > y->unit) - (x->unit < y->unit);
}

unsigned order_combine(const struct order_naming *namings, unsigned n_namings, unsigned n_units,
		       struct order_vote *votes)
{
	unsigned n = 0;

	for (unsigned i = 0; i < n_units; i++)
		votes[i] = (struct order_vote){ .unit = i };
	for (unsigned k = 0; k < n_namings; k++) {
		for (unsigned i = 0; i < namings[k].n; i++) {
			g_assert(namings[k].units[i] < n_units);
			struct order_vote *vote = &votes[namings[k].units[i]];
			vote->n++;
			vote->average += namings[k].ranks[i];
		}
	}
	for (unsigned i = 0; i < n_units; i++) {
		if (!votes[i].n)
			continue;
		votes[n] = votes[i];
		votes[n].average /= votes[n].n;
		n++;
	}
	if (n)
		qsort(votes, n, sizeof *votes, by_vote);
	return n;
}
