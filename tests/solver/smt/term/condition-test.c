/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flags as terms against libVEX's own helpers, on random operands. */
#include "solver/smt/term/condition.h"
#include "solver/isa/lift.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static term_bits value_of(void *arg, uint32_t number)
{
	return ((uint64_t *)arg)[number];
}

static uint64_t random_operand(GRand *r)
{
	static const uint64_t corners[] = { 0,
					    1,
					    0x7f,
					    0x80,
					    0xff,
					    0x7fff,
					    0x8000,
					    0x7fffffff,
					    0x80000000u,
					    INT64_MAX,
					    (uint64_t)INT64_MIN,
					    UINT64_MAX };

	if (g_rand_boolean(r))
		return corners[g_rand_int_range(r, 0, G_N_ELEMENTS(corners))];
	return (uint64_t)g_rand_int(r) << 32 | g_rand_int(r);
}

static void conditions_equal_those_of_libvex(void **state)
{
	(void)state;
	GRand *rand = g_rand_new_with_seed(7);

	for (uint64_t op = 0; op < 61; op++) {
		bool parity = op < 53; /* and-not and its kin leave it undefined */
		uint64_t compared = parity ? 0x8c5 : 0x8c1; /* O S Z P C */
		struct term_pool *p = term_pool_new();
		struct condition_thunk f = { op, term_var(p, 64, 0), term_var(p, 64, 1),
					     term_var(p, 64, 2) };
		uint32_t all = condition_flags(p, &f);

		assert_int_not_equal(all, 0);
		for (int round = 0; round < 60; round++) {
			uint64_t v[3] = { random_operand(rand), random_operand(rand),
					  random_operand(rand) & 0x8d5 };
			struct term_memo *m = term_memo_new(p, value_of, v);

			assert_int_equal((uint64_t)term_eval(m, all) & compared,
					 lift_flags(op, v[0], v[1], v[2]) & compared);
			for (unsigned c = 0; c < 16; c++)
				if (parity || c / 2 != 5)
					assert_int_equal(
						(bool)term_eval(m, condition_holds(p, c, &f)),
						lift_condition(c, op, v[0], v[1], v[2]));
			term_memo_free(m);
		}
		term_pool_free(p);
	}
	g_rand_free(rand);
}

static void a_compare_and_branch_is_a_comparison(void **state)
{
	(void)state;
	struct term_pool *p = term_pool_new();
	uint32_t a = term_var(p, 32, 0), b = term_var(p, 32, 1);
	const uint64_t sub_long = 7;
	struct condition_thunk f = { sub_long, term_zext(p, a, 64), term_zext(p, b, 64),
				     term_const(p, 64, 0) };

	assert_int_equal(condition_holds(p, 14, &f), term_op2(p, IR_SLE, a, b));
	assert_int_equal(condition_holds(p, 2, &f), term_op2(p, IR_ULT, a, b));
	assert_int_equal(condition_holds(p, 5, &f), term_not(p, term_eq(p, a, b)));
	term_pool_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_equal_those_of_libvex),
		cmocka_unit_test(a_compare_and_branch_is_a_comparison),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
