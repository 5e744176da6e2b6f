/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Do several groups of measurements differ, and which from which?  The test of Kruskal and
 * Wallis, corrected for ties, and after it the comparison of all pairs of mean ranks with
 * Bonferroni's correction, as MATLAB's multcompare does it on the statistics of kruskalwallis.
 * Used by the accuracy graphs (Tang, Chan, Yu, Zhang, IEEE Trans. Reliability 2017).
 */
#ifndef SOLVER_EVALUATE_KRUSKAL_H
#define SOLVER_EVALUATE_KRUSKAL_H

#include <stdbool.h>

struct kruskal_group {
	const double *values; /* finite */
	unsigned n;	      /* at least 1 */
};

struct kruskal {
	unsigned n_groups, n;
	double ties;	    /* sum of t^3 - t over all blocks of t equal values */
	double h;	    /* without the correction for ties */
	double corrected;   /* the statistic; 0 where all values are equal */
	double p;	    /* of the chi-squared distribution; 1 where all values are equal */
	double *mean_ranks; /* one a group; the smallest value has rank 1 */
	unsigned *sizes;
};

/* At least one group.  Free it. */
struct kruskal *kruskal_new(const struct kruskal_group *groups, unsigned n_groups);
void kruskal_free(struct kruskal *k);

/* The quantile of the normal distribution with which a difference is compared: two-sided, with
 * alpha divided by the number of pairs of groups. 0 when there is one group. */
double kruskal_critical(unsigned n_groups, double alpha);

struct kruskal_pair {
	double difference; /* of the mean ranks, first minus second */
	double low, high;  /* its confidence interval */
	double p;	   /* adjusted, at most 1 */
	bool significant;  /* the interval does not even touch 0 */
};
struct kruskal_pair kruskal_compare(const struct kruskal *k, unsigned first, unsigned second,
				    double critical);

#endif
