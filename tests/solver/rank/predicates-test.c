/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CBI, SOBER and their DES variants: the published figures, and small suites
 * worked out by hand. */
#include "solver/rank/predicates.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/figure-1.h"

static void assert_near(double value, double expected, double within)
{
	if (!(fabs(value - expected) <= within))
		fail_msg("%.17g is not %.17g", value, expected);
}

static void scores_figure_1_as_printed(void **state)
{
	static const double printed[] = { 1.03, 4.17 }, exact[] = { 1.0299, 4.1701 };
	struct figure_1 f;
	struct predicate_cbi cbi[2];
	struct predicate_score sober[2], increase[2];

	(void)state;
	figure_1_init(&f);
	for (unsigned view = PREDICATE_OUTCOMES; view <= PREDICATE_SEQUENCES; view++) {
		predicates_cbi(f.units, f.spectrum, (enum predicate_view)view, cbi);
		predicates_cbi_score(f.units, f.spectrum, (enum predicate_view)view, increase);
		predicates_sober(f.units, f.spectrum, (enum predicate_view)view, sober);
		for (unsigned p = 0; p < 2; p++) {
			assert_true(cbi[p].failure == 0.5 && cbi[p].context == 0.5);
			assert_true(cbi[p].increase == 0 && cbi[p].importance == 0);
			assert_true(increase[p].reached && increase[p].score == 0);
			assert_true(sober[p].reached);
			assert_near(sober[p].score, printed[p], 0.005);
			assert_near(sober[p].score, exact[p], 0.00005);
		}
		/* Ranks as printed: CBI ties, SOBER puts p2 first. */
		assert_true(increase[0].score == increase[1].score);
		assert_true(sober[1].score > sober[0].score);
	}
	figure_1_deinit(&f);
}

/* A suite of one predicate `a && b', whose sequences are TT, TF and F-. */
struct compound {
	struct units *u;
	struct spectrum *s;
	unsigned predicate, sequence[3];
};

static void compound_init(struct compound *c)
{
	static const char *const text[] = { "TT", "TF", "F-" };

	c->u = units_new();
	c->s = spectrum_new();
	units_add_statement(c->u, units_line(c->u, "f.c", 1), UNIT_NONE);
	c->predicate = units_add_predicate(c->u, 0, 2);
	for (unsigned i = 0; i < 3; i++)
		c->sequence[i] = units_sequence(c->u, c->predicate, text[i]);
}

static void compound_deinit(struct compound *c)
{
	units_free(c->u);
	spectrum_free(c->s);
}

static void compound_test(struct compound *c, bool failed, unsigned tt, unsigned tf, unsigned f)
{
	spectrum_begin(c->s, "t", failed ? SPECTRUM_FAILED : SPECTRUM_PASSED);
	spectrum_add(c->s, SPECTRUM_OUTCOME, 0, tt);
	spectrum_add(c->s, SPECTRUM_OUTCOME, 1, tf + f);
	spectrum_add(c->s, SPECTRUM_SEQUENCE, c->sequence[0], tt);
	spectrum_add(c->s, SPECTRUM_SEQUENCE, c->sequence[1], tf);
	spectrum_add(c->s, SPECTRUM_SEQUENCE, c->sequence[2], f);
	spectrum_end(c->s);
}

/* Failing tests, and only these, are false by way of b: outcomes do not tell
 * (false in all), the sequence TF does (in failing tests only). */
static void sequences_tell_more_than_outcomes(void **state)
{
	struct compound c;
	struct predicate_cbi cbi;
	struct predicate_score base, des;

	(void)state;
	compound_init(&c);
	compound_test(&c, false, 1, 0, 3);
	compound_test(&c, false, 2, 0, 2);
	compound_test(&c, false, 0, 0, 0);
	compound_test(&c, false, 1, 0, 1);
	compound_test(&c, true, 1, 3, 1);
	compound_test(&c, true, 1, 1, 1);
	predicates_cbi(c.u, c.s, PREDICATE_OUTCOMES, &cbi);
	assert_near(cbi.failure, 0.4, 1e-15);
	assert_near(cbi.context, 0.4, 1e-15);
	assert_true(cbi.increase == 0);
	predicates_cbi(c.u, c.s, PREDICATE_SEQUENCES, &cbi);
	assert_true(cbi.failure == 1);
	assert_near(cbi.context, 0.4, 1e-15);
	assert_near(cbi.increase, 0.6, 1e-15);
	/* Both failing tests: log 2 / log 2 is 1. */
	assert_near(cbi.importance, 2 / (1 / 0.6 + 1), 1e-15);
	predicates_sober(c.u, c.s, PREDICATE_OUTCOMES, &base);
	predicates_sober(c.u, c.s, PREDICATE_SEQUENCES, &des);
	assert_true(isfinite(base.score) && des.score > base.score);
	compound_deinit(&c);
}

/* Shares of true: 0.5, 0.75, 0.5 (not evaluated), 0.25 in passed tests, whose
 * mean is 0.5 and variance 1/24; 1 and 0.6 in failed ones. */
static void sober_follows_its_equations(void **state)
{
	struct compound c;
	struct predicate_score score;
	double error = sqrt(1.0 / 24 / 2), z = 0.3 / error;
	double likelihood = exp(-z * z / 2) / sqrt(2 * G_PI) / error;

	(void)state;
	compound_init(&c);
	compound_test(&c, false, 2, 1, 1);
	compound_test(&c, false, 3, 1, 0);
	compound_test(&c, false, 0, 0, 0);
	compound_test(&c, false, 1, 1, 2);
	compound_test(&c, true, 4, 0, 0);
	compound_test(&c, true, 3, 0, 2);
	predicates_sober(c.u, c.s, PREDICATE_OUTCOMES, &score);
	assert_near(score.score, -log10(likelihood), 1e-9);
	compound_deinit(&c);
}

/* A share of 1/3 in all passed tests, in a form that rounds. */
static void sober_takes_equal_shares_as_equal(void **state)
{
	struct compound c;
	struct predicate_score score;

	(void)state;
	compound_init(&c);
	for (unsigned i = 1; i < 8; i++)
		compound_test(&c, false, i, i, i);
	compound_test(&c, true, 5, 10, 0);
	predicates_sober(c.u, c.s, PREDICATE_OUTCOMES, &score);
	assert_true(score.score == 0);
	predicates_sober(c.u, c.s, PREDICATE_SEQUENCES, &score);
	assert_true(score.score == INFINITY);
	compound_deinit(&c);
}

static void too_few_tests_tell_nothing(void **state)
{
	struct compound c;
	struct predicate_score score;
	struct predicate_cbi cbi;

	(void)state;
	compound_init(&c);
	predicates_sober(c.u, c.s, PREDICATE_OUTCOMES, &score);
	predicates_cbi(c.u, c.s, PREDICATE_OUTCOMES, &cbi);
	assert_false(score.reached || cbi.reached);
	compound_test(&c, true, 1, 2, 3);
	compound_test(&c, false, 3, 2, 1);
	predicates_sober(c.u, c.s, PREDICATE_SEQUENCES, &score);
	assert_true(score.reached && score.score == 0);
	predicates_cbi(c.u, c.s, PREDICATE_SEQUENCES, &cbi);
	assert_true(cbi.reached && cbi.increase == 0 && cbi.importance == 0);
	/* One failing test that alone saw TT: an increase, but no importance. */
	spectrum_set_verdict(c.s, 1, SPECTRUM_IGNORED);
	compound_test(&c, false, 0, 2, 1);
	predicates_cbi(c.u, c.s, PREDICATE_SEQUENCES, &cbi);
	assert_true(cbi.increase == 0.5 && cbi.importance == 0);
	compound_deinit(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scores_figure_1_as_printed),
		cmocka_unit_test(sequences_tell_more_than_outcomes),
		cmocka_unit_test(sober_follows_its_equations),
		cmocka_unit_test(sober_takes_equal_shares_as_equal),
		cmocka_unit_test(too_few_tests_tell_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
