/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/weights.h"

#include <glib.h>
#include <math.h>

/* Scores below this count as 0: no formula gives them, and sums stay finite. */
static const double smallest = 1e-100;

double weights_of(const double *scores, unsigned n, double *weights)
{
	double sum = 0, least = 2;

	for (unsigned i = 0; i < n; i++) {
		g_assert(!isnan(scores[i]));
		weights[i] = 0;
		if (scores[i] < smallest || isinf(scores[i]))
			continue;
		weights[i] = 1 / scores[i];
		least = sum > 0 ? MIN(least, weights[i]) : weights[i];
		sum += weights[i];
	}
	for (unsigned i = 0; i < n; i++) {
		if (!isinf(scores[i]) || scores[i] < 0)
			continue;
		weights[i] = least / 2;
		sum += weights[i];
	}
	double largest = sum + MAX(1, sum * 1e-9);
	for (unsigned i = 0; i < n; i++)
		if (scores[i] < smallest)
			weights[i] = largest;
	return largest;
}
