/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/weights.h"

#include <glib.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void weighs_by_the_inverse(void **state)
{
	static const double scores[] = { 0.5, 0, 0.25, 1, -2, 0 };
	double weights[6];

	(void)state;
	double largest = weights_of(scores, 6, weights);
	assert_true(weights[0] == 2 && weights[2] == 4 && weights[3] == 1);
	/* More than the other three together. */
	assert_true(largest == 8);
	assert_true(weights[1] == largest && weights[4] == largest && weights[5] == largest);
}

static void infinite_suspicion_is_cheapest(void **state)
{
	static const double scores[] = { INFINITY, 4, 0.5, INFINITY, -INFINITY },
			    all[] = { INFINITY };
	double weights[5];

	(void)state;
	double largest = weights_of(scores, 5, weights);
	assert_true(weights[0] == 0.125 && weights[3] == 0.125 && weights[1] == 0.25);
	assert_true(weights[2] == 2 && weights[4] == largest && largest == 3.5);
	assert_true(weights_of(all, 1, weights) == 2 && weights[0] == 1);
	assert_true(weights_of(NULL, 0, NULL) == 1);
}

static void stays_positive_and_finite(void **state)
{
	static const double value[] = { 0, 5e-324, 1e-300,   1e-99, 1e-5,
					1, 1e300,  INFINITY, -1,    -INFINITY };
	enum { N = 6 };
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);

	(void)state;
	for (unsigned round = 0; round < 5000; round++) {
		double scores[N], weights[N], finite = 0;
		for (unsigned i = 0; i < N; i++)
			scores[i] = value[g_rand_int_range(rand, 0, G_N_ELEMENTS(value))];
		double largest = weights_of(scores, N, weights);
		for (unsigned i = 0; i < N; i++) {
			assert_true(weights[i] > 0 && isfinite(weights[i]));
			finite += scores[i] > 1e-100 ? weights[i] : 0;
			for (unsigned k = 0; k < N; k++)
				assert_true(scores[i] < scores[k] || weights[i] <= weights[k]);
		}
		assert_true(largest > finite && isfinite(largest));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weighs_by_the_inverse),
		cmocka_unit_test(infinite_suspicion_is_cheapest),
		cmocka_unit_test(stays_positive_and_finite),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
