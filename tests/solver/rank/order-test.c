/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/order.h"

#include <glib.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void ties_share_their_positions(void **state)
{
	static const double scores[] = { 5, 9, -INFINITY, 5, INFINITY, INFINITY, 0, -0.0 };
	static const struct standing expected[] = { { 4, 5 }, { 3, 3 }, { 8, 8 }, { 4, 5 },
						    { 1, 2 }, { 1, 2 }, { 6, 7 }, { 6, 7 } };
	static const unsigned order[] = { 4, 5, 1, 0, 3, 6, 7, 2 };
	struct standing s[8];
	unsigned sorted[8];

	(void)state;
	order_standings(scores, 8, s);
	assert_memory_equal(s, expected, sizeof s);
	order_sort(scores, 8, sorted);
	assert_memory_equal(sorted, order, sizeof order);
	assert_true(order_rank(s[0], RANK_BEST) == 4);
	assert_true(order_rank(s[0], RANK_AVERAGE) == 4.5);
	assert_true(order_rank(s[0], RANK_WORST) == 5);
	order_standings(NULL, 0, NULL);
}

static void settles_rounding_only(void **state)
{
	double scores[] = { 4 + 1e-15, 3.67, 4, INFINITY, 4 - 1e-14, 4 - 1e-6, 0, 1e-17 };

	(void)state;
	order_settle(scores, 8);
	assert_true(scores[0] == scores[2] && scores[2] == scores[4]);
	assert_true(scores[5] < scores[4] && scores[1] == 3.67 && isinf(scores[3]));
	assert_true(scores[6] == scores[7]);
}

/* Three explanations: unit 2 is in all, 0 and 1 in two of them. */
static void combines_by_votes_then_average(void **state)
{
	static const unsigned a[] = { 0, 2 }, b[] = { 1, 2, 0 }, c[] = { 4, 1, 2 };
	static const double in_order[] = { 1, 2, 3 };
	const struct order_naming namings[] = { { a, in_order, 2 },
						{ b, in_order, 3 },
						{ c, in_order, 3 } };
	struct order_vote votes[6];

	(void)state;
	assert_int_equal(order_combine(namings, 3, 6, votes), 4);
	assert_true(votes[0].unit == 2 && votes[0].n == 3);
	assert_true(fabs(votes[0].average - 7.0 / 3) < 1e-12);
	assert_true(votes[1].unit == 1 && votes[1].n == 2 && votes[1].average == 1.5);
	assert_true(votes[2].unit == 0 && votes[2].n == 2 && votes[2].average == 2);
	assert_true(votes[3].unit == 4 && votes[3].n == 1 && votes[3].average == 1);
	assert_int_equal(order_combine(namings, 0, 6, votes), 0);
	assert_int_equal(order_combine(NULL, 0, 0, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ties_share_their_positions),
		cmocka_unit_test(settles_rounding_only),
		cmocka_unit_test(combines_by_votes_then_average),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
