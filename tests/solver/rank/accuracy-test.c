/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/accuracy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-12;
}

/* The second and the last of the five are faulty; the last two tie. */
static void finds_the_first_fault(void **state)
{
	static const double scores[] = { 9, 2, 7, 5, 5 };
	static const unsigned faulty[] = { 1, 4 };
	struct standing s[5];

	(void)state;
	order_standings(scores, 5, s);
	assert_true(accuracy_rank(s, faulty, 2, RANK_BEST) == 3);
	assert_true(accuracy_rank(s, faulty, 2, RANK_AVERAGE) == 3.5);
	assert_true(accuracy_rank(s, faulty, 2, RANK_WORST) == 4);
	assert_true(accuracy_rank(s, faulty, 1, RANK_WORST) == 5);
	assert_true(accuracy_rank(s, faulty, 0, RANK_WORST) == 0);
	assert_true(is_near(accuracy_effort(4, 5), 0.8));
	assert_true(accuracy_effort(0, 5) == 1);
	assert_true(accuracy_effort(7, 5) == 1);
	assert_true(accuracy_rank_in_set(4, true) == 2.5);
	assert_true(accuracy_rank_in_set(4, false) == 0);
}

/* Table I of the accuracy-graphs paper: s3 is the fault, 1 of 6. */
static void gives_the_accuracy_of_table_1(void **state)
{
	static const double naish2[] = { 1.2, -0.4, 1.4, 0.6, -0.4, 1.0 };
	static const unsigned faulty[] = { 2 };
	struct standing s[6];

	(void)state;
	order_standings(naish2, 6, s);
	for (unsigned scheme = 0; scheme < RANK_SCHEMES; scheme++) {
		double rank = accuracy_rank(s, faulty, 1, (enum rank_scheme)scheme);
		assert_true(is_near(accuracy_effort(rank, 6), 1.0 / 6));
	}
}

static void summarizes_versions(void **state)
{
	static const struct accuracy_version versions[] = {
		{ 1, 20 }, { 10.5, 40 }, { 0, 20 }, { 3, 20 }, { 2, 20 }
	};

	(void)state;
	struct accuracy_summary s = accuracy_summarize(versions, 5);
	assert_true(s.versions == 5 && s.found == 4);
	assert_true(is_near(s.mean, 16.5 / 4) && s.median == 2.5);
	assert_true(s.top_1 == 1 && s.top_3 == 3 && s.top_5 == 3 && s.top_10 == 3);
	/* Efforts 0.05, 0.2625, 1, 0.15, 0.1. */
	assert_true(is_near(s.mean_effort, 0.3125));
	assert_true(fabs(s.effort_deviation - 0.3923089) < 1e-6);
	assert_true(is_near(s.found_at[0], 0.2) && is_near(s.found_at[1], 0.4));
	assert_true(is_near(s.found_at[2], 0.6) && is_near(s.found_at[3], 0.6));
	s = accuracy_summarize(versions, 0);
	assert_true(s.versions == 0 && s.mean == 0 && s.mean_effort == 0 &&
		    s.effort_deviation == 0);
	s = accuracy_summarize(versions + 2, 1);
	assert_true(s.found == 0 && s.median == 0 && s.mean_effort == 1 && s.effort_deviation == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_first_fault),
		cmocka_unit_test(gives_the_accuracy_of_table_1),
		cmocka_unit_test(summarizes_versions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
