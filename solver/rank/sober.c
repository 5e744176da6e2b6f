/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "solver/rank/alternatives.h"

/* Mean and squared deviations of what was noted (Welford). */
struct moments {
	unsigned n;
	double mean, squares;
	double least, most;
};

static void note_moment(struct moments *m, double x)
{
	double from_mean = x - m->mean;

	m->least = m->n ? MIN(m->least, x) : x;
	m->most = m->n ? MAX(m->most, x) : x;
	m->n++;
	m->mean += from_mean / m->n;
	m->squares += from_mean * (x - m->mean);
}

/* Equal shares are equal doubles, but their mean may be rounded. */
static double mean_of(const struct moments *m)
{
	return m->least == m->most ? m->least : m->mean;
}

static double standard_deviation(const struct moments *m)
{
	return m->least == m->most ? 0 : sqrt(m->squares / (m->n - 1));
}

static double unlikeliness_of_chance(const struct moments *passed, const struct moments *failed)
{
	if (passed->n < 2 || !failed->n)
		return 0;
	double difference = mean_of(failed) - mean_of(passed);
	double error = standard_deviation(passed) / sqrt(failed->n);
	if (fabs(difference) <= 1e-12)
		difference = 0;
	if (error == 0)
		return difference == 0 ? 0 : INFINITY;
	double z = difference / error;
	return log10(error) + log10(sqrt(2 * G_PI)) + z * z / (2 * G_LN10);
}

/* A predicate that was not evaluated tells nothing, so its share counts as one half. */
static void note_predicate_test(const struct alternatives *a, struct moments *moments)
{
	for (unsigned i = 0; i < a->n; i++) {
		guint64 total = a->total[a->predicate[i]];
		note_moment(&moments[i], total ? (double)a->times[i] / (double)total : 0.5);
	}
}

static void collect_moments(struct alternatives *a, const struct spectrum *s,
			    struct moments *passed, struct moments *failed,
			    struct predicate_score *scores)
{
	for (unsigned t = 0; t < spectrum_n_tests(s); t++) {
		enum spectrum_verdict verdict = spectrum_verdict(s, t);
		if (verdict == SPECTRUM_IGNORED)
			continue;
		alternatives_load(a, s, t);
		note_predicate_test(a, verdict == SPECTRUM_FAILED ? failed : passed);
		for (unsigned p = 0; p < a->n_predicates; p++)
			scores[p].reached |= a->total[p] > 0;
	}
}

static void score_best(const struct alternatives *a, const struct moments *passed,
		       const struct moments *failed, struct predicate_score *scores)
{
	g_autofree bool *known = g_new0(bool, a->n_predicates);

	for (unsigned i = 0; i < a->n; i++) {
		unsigned p = a->predicate[i];
		/* With two outcomes, the second is one minus the first; the scores would
		 * differ by rounding only. */
		if (!scores[p].reached || (known[p] && a->of_predicate[p] == 2))
			continue;
		double score = unlikeliness_of_chance(&passed[i], &failed[i]);
		scores[p].score = known[p] ? MAX(score, scores[p].score) : score;
		known[p] = true;
	}
}

void predicates_sober(const struct units *u, const struct spectrum *s, enum predicate_view view,
		      struct predicate_score *scores)
{
	struct alternatives *a = alternatives_new(u, view);
	g_autofree struct moments *passed = g_new0(struct moments, a->n);
	g_autofree struct moments *failed = g_new0(struct moments, a->n);

	for (unsigned p = 0; p < a->n_predicates; p++)
		scores[p] = (struct predicate_score){ .reached = false };
	collect_moments(a, s, passed, failed, scores);
	score_best(a, passed, failed, scores);
	predicates_settle(scores, a->n_predicates);
	alternatives_free(a);
}
