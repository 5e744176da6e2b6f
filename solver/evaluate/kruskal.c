/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/evaluate/kruskal.h"

#include <glib.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

struct value {
	double value;
	unsigned group;
};

static int compare_ranked_values(const void *a, const void *b)
{
	double x = ((const struct value *)a)->value, y = ((const struct value *)b)->value;

	return (x > y) - (x < y);
}

static struct value *sort_values(const struct kruskal_group *groups, unsigned n_groups, unsigned n)
{
	struct value *all = g_new(struct value, n);
	unsigned at = 0;

	for (unsigned g = 0; g < n_groups; g++) {
		for (unsigned i = 0; i < groups[g].n; i++) {
			g_assert(isfinite(groups[g].values[i]));
			all[at++] = (struct value){ groups[g].values[i], g };
		}
	}
	qsort(all, n, sizeof(*all), compare_ranked_values);
	return all;
}

/* Equal values share the average of their ranks. */
static void sum_ranks(struct kruskal *k, const struct value *all)
{
	for (unsigned first = 0, next; first < k->n; first = next) {
		double t;

		for (next = first + 1; next < k->n && all[next].value == all[first].value;)
			next++;
		t = next - first;
		k->ties += t * t * t - t;
		for (unsigned i = first; i < next; i++)
			k->mean_ranks[all[i].group] += (first + 1.0 + next) / 2;
	}
}

static void compute_statistic(struct kruskal *k)
{
	double n = k->n, sum = 0, correction;

	for (unsigned g = 0; g < k->n_groups; g++) {
		double away;

		k->mean_ranks[g] /= k->sizes[g];
		away = k->mean_ranks[g] - (n + 1) / 2;
		sum += k->sizes[g] * away * away;
	}
	k->h = 12 / (n * (n + 1)) * sum;
	correction = k->n > 1 ? 1 - k->ties / (n * n * n - n) : 0;
	k->corrected = correction > 0 ? k->h / correction : 0;
	k->p = correction > 0 && k->n_groups > 1 ? gsl_cdf_chisq_Q(k->corrected, k->n_groups - 1)
						 : 1;
}

struct kruskal *kruskal_new(const struct kruskal_group *groups, unsigned n_groups)
{
	struct kruskal *k = g_new0(struct kruskal, 1);
	g_autofree struct value *all = NULL;

	g_assert(n_groups);
	k->n_groups = n_groups;
	k->mean_ranks = g_new0(double, n_groups);
	k->sizes = g_new(unsigned, n_groups);
	for (unsigned g = 0; g < n_groups; g++) {
		g_assert(groups[g].n);
		k->sizes[g] = groups[g].n;
		k->n += groups[g].n;
	}
	all = sort_values(groups, n_groups, k->n);
	sum_ranks(k, all);
	compute_statistic(k);
	return k;
}

void kruskal_free(struct kruskal *k)
{
	if (!k)
		return;
	g_free(k->mean_ranks);
	g_free(k->sizes);
	g_free(k);
}

static double n_pairs(unsigned n_groups)
{
	return n_groups * (n_groups - 1.0) / 2;
}

double kruskal_critical(unsigned n_groups, double alpha)
{
	return n_groups > 1 ? gsl_cdf_ugaussian_Qinv(alpha / (2 * n_pairs(n_groups))) : 0;
}

struct kruskal_pair kruskal_compare(const struct kruskal *k, unsigned first, unsigned second,
				    double critical)
{
	double n = k->n;
	double v = k->n > 1 ? n * (n + 1) / 12 - k->ties / (12 * (n - 1)) : 0;
	double error = sqrt(v / k->sizes[first] + v / k->sizes[second]);
	struct kruskal_pair p = { .difference = k->mean_ranks[first] - k->mean_ranks[second],
				  .p = 1 };

	p.low = p.difference - critical * error;
	p.high = p.difference + critical * error;
	if (error > 0)
		p.p = fmin(1, 2 * n_pairs(k->n_groups) *
				      gsl_cdf_ugaussian_P(-fabs(p.difference) / error));
	p.significant = p.low * p.high > 0;
	return p;
}
