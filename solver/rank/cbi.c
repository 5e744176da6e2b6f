/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "solver/rank/alternatives.h"

/* Tests, by verdict. */
struct tests {
	unsigned failed, passed;
};

static void note_test_verdict(struct tests *t, enum spectrum_verdict verdict)
{
	t->failed += verdict == SPECTRUM_FAILED;
	t->passed += verdict == SPECTRUM_PASSED;
}

static double failing_share(struct tests t)
{
	return t.failed ? t.failed / ((double)t.failed + t.passed) : 0;
}

static double importance_of(double increase, unsigned n_failed, unsigned failed)
{
	if (increase <= 0 || failed <= 1)
		return 0;
	return 2 / (1 / increase + log(n_failed) / log(failed));
}

static struct predicate_cbi measure_cbi(struct tests seen, struct tests evaluated,
					unsigned n_failed)
{
	struct predicate_cbi c = { .reached = true };

	c.failure = failing_share(seen);
	c.context = failing_share(evaluated);
	c.increase = c.failure - c.context;
	c.importance = importance_of(c.increase, n_failed, seen.failed);
	return c;
}

static bool is_more_suspicious(const struct predicate_cbi *a, const struct predicate_cbi *b)
{
	return a->increase != b->increase ? a->increase > b->increase
					  : a->importance > b->importance;
}

static void count_predicate_tests(struct alternatives *a, const struct spectrum *s,
				  struct tests *seen, struct tests *evaluated)
{
	for (unsigned t = 0; t < spectrum_n_tests(s); t++) {
		enum spectrum_verdict verdict = spectrum_verdict(s, t);
		alternatives_load(a, s, t);
		for (unsigned i = 0; i < a->n; i++)
			if (a->times[i])
				note_test_verdict(&seen[i], verdict);
		for (unsigned p = 0; p < a->n_predicates; p++)
			if (a->total[p])
				note_test_verdict(&evaluated[p], verdict);
	}
}

void predicates_cbi(const struct units *u, const struct spectrum *s, enum predicate_view view,
		    struct predicate_cbi *cbi)
{
	struct alternatives *a = alternatives_new(u, view);
	g_autofree struct tests *seen = g_new0(struct tests, a->n);
	g_autofree struct tests *evaluated = g_new0(struct tests, a->n_predicates);
	unsigned n_failed = spectrum_n_verdict(s, SPECTRUM_FAILED);

	count_predicate_tests(a, s, seen, evaluated);
	for (unsigned p = 0; p < a->n_predicates; p++)
		cbi[p] = (struct predicate_cbi){ .reached = false };
	for (unsigned i = 0; i < a->n; i++) {
		unsigned p = a->predicate[i];
		if (!evaluated[p].failed && !evaluated[p].passed)
			continue;
		struct predicate_cbi c = measure_cbi(seen[i], evaluated[p], n_failed);
		if (!cbi[p].reached || is_more_suspicious(&c, &cbi[p]))
			cbi[p] = c;
	}
	alternatives_free(a);
}

void predicates_cbi_score(const struct units *u, const struct spectrum *s, enum predicate_view view,
			  struct predicate_score *scores)
{
	unsigned n = u->predicates->len;
	g_autofree struct predicate_cbi *cbi = g_new(struct predicate_cbi, n);

	predicates_cbi(u, s, view, cbi);
	for (unsigned p = 0; p < n; p++)
		scores[p] = (struct predicate_score){ cbi[p].reached, cbi[p].increase };
	predicates_settle(scores, n);
}
