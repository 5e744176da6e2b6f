/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/accuracy.h"

#include <glib.h>
#include <math.h>

double accuracy_rank(const struct standing *standings, const unsigned *faulty, unsigned n_faulty,
		     enum rank_scheme scheme)
{
	double best = 0;

	for (unsigned i = 0; i < n_faulty; i++) {
		double rank = order_rank(standings[faulty[i]], scheme);
		best = i ? MIN(best, rank) : rank;
	}
	return best;
}

double accuracy_effort(double rank, unsigned n)
{
	return rank <= 0 || rank > n ? 1 : rank / n;
}

double accuracy_rank_in_set(unsigned n, bool has_fault)
{
	return has_fault ? (n + 1.0) / 2 : 0;
}

static int compare_measured_values(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void summarize_ranks(struct accuracy_summary *s, double *ranks)
{
	unsigned n = s->found;

	if (!n)
		return;
	qsort(ranks, n, sizeof *ranks, compare_measured_values);
	s->median = (ranks[(n - 1) / 2] + ranks[n / 2]) / 2;
	for (unsigned i = 0; i < n; i++) {
		s->mean += ranks[i] / n;
		s->top_1 += ranks[i] <= 1;
		s->top_3 += ranks[i] <= 3;
		s->top_5 += ranks[i] <= 5;
		s->top_10 += ranks[i] <= 10;
	}
}

static void summarize_efforts(struct accuracy_summary *s, const struct accuracy_version *versions,
			      unsigned n)
{
	static const unsigned percent[] = { 5, 10, 15, 20 };
	double squares = 0;

	for (unsigned i = 0; i < n; i++) {
		s->mean_effort += accuracy_effort(versions[i].rank, versions[i].n) / n;
		/* Whole numbers, or halves: compared without rounding. */
		for (unsigned k = 0; k < G_N_ELEMENTS(percent); k++)
			s->found_at[k] +=
				versions[i].rank > 0 &&
				100 * versions[i].rank <= (double)percent[k] * versions[i].n;
	}
	for (unsigned k = 0; k < G_N_ELEMENTS(percent); k++)
		s->found_at[k] /= n;
	for (unsigned i = 0; i < n; i++) {
		double d = accuracy_effort(versions[i].rank, versions[i].n) - s->mean_effort;
		squares += d * d;
	}
	s->effort_deviation = n > 1 ? sqrt(squares / (n - 1)) : 0;
}

struct accuracy_summary accuracy_summarize(const struct accuracy_version *versions, unsigned n)
{
	struct accuracy_summary s = { .versions = n };
	g_autofree double *ranks = g_new(double, n);

	for (unsigned i = 0; i < n; i++)
		if (versions[i].rank > 0)
			ranks[s.found++] = versions[i].rank;
	summarize_ranks(&s, ranks);
	if (n)
		summarize_efforts(&s, versions, n);
	return s;
}
