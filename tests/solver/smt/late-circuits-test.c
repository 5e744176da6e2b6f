/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products and quotients get their circuits when a model needs them, and no sooner. */
#include "solver/smt/late-circuits.h"
#include "solver/smt/smt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { WIDTH = 16, PATIENCE_MS = 20000 };

/* x, y and x * y as words of free literals, the last without a circuit. */
struct product {
	struct aig *aig;
	struct late_circuits *late;
	int x[WIDTH], y[WIDTH], out[WIDTH];
};

static void make_product(struct product *p, unsigned x, unsigned y)
{
	p->aig = aig_new();
	p->late = late_circuits_new(p->aig);
	for (unsigned i = 0; i < WIDTH; i++) {
		p->x[i] = aig_input(p->aig, x >> i & 1);
		p->y[i] = aig_input(p->aig, y >> i & 1);
	}
	assert_true(late_circuits_take(p->late, 7, IR_MUL, p->x, p->y, WIDTH, p->out));
}

static void free_product(struct product *p)
{
	late_circuits_free(p->late);
	aig_free(p->aig);
}

static void demand_word(struct product *p, const int *word, unsigned value)
{
	for (unsigned i = 0; i < WIDTH; i++)
		aig_clause(p->aig, (const int[]){ value >> i & 1 ? word[i] : -word[i] }, 1);
}

static void a_result_is_expected_as_the_operands_are(void **state)
{
	struct product p;
	unsigned expected = 0;

	(void)state;
	make_product(&p, 300, 7);
	for (unsigned i = 0; i < WIDTH; i++)
		expected |= (unsigned)aig_is_expected(p.out[i]) << i;
	assert_int_equal(expected, 2100);
	free_product(&p);
}

static void a_right_result_needs_no_circuit(void **state)
{
	struct product p;
	int variables;

	(void)state;
	make_product(&p, 300, 7);
	demand_word(&p, p.x, 300);
	demand_word(&p, p.y, 7);
	demand_word(&p, p.out, 2100);
	variables = aig_variables(p.aig);
	assert_int_equal(ccadical_solve(aig_solver(p.aig)), 10);
	assert_false(late_circuits_make_wrong(p.late, NULL));
	assert_true(late_circuits_are_waiting(p.late));
	assert_int_equal(aig_variables(p.aig), variables);
	free_product(&p);
}

static void a_wrong_result_is_made_right(void **state)
{
	g_autoptr(GHashTable) others = g_hash_table_new(NULL, NULL);
	struct product p;

	(void)state;
	make_product(&p, 300, 7);
	demand_word(&p, p.x, 300);
	demand_word(&p, p.y, 7);
	demand_word(&p, p.out, 2101);
	assert_int_equal(ccadical_solve(aig_solver(p.aig)), 10);
	g_hash_table_add(others, GUINT_TO_POINTER(8));
	assert_false(late_circuits_make_wrong(p.late, others));
	g_hash_table_add(others, GUINT_TO_POINTER(7));
	assert_true(late_circuits_make_wrong(p.late, others));
	assert_false(late_circuits_are_waiting(p.late));
	assert_int_equal(ccadical_solve(aig_solver(p.aig)), 20);
	free_product(&p);
}

static void only_dear_operators_wait(void **state)
{
	struct product p;
	int constant[WIDTH], out[WIDTH];

	(void)state;
	make_product(&p, 1, 1);
	circuit_constant(60, WIDTH, constant);
	assert_false(late_circuits_take(p.late, 1, IR_ADD, p.x, p.y, WIDTH, out));
	assert_false(late_circuits_take(p.late, 1, IR_MUL, p.x, constant, WIDTH, out));
	assert_true(late_circuits_take(p.late, 1, IR_SDIV, p.x, constant, WIDTH, out));
	assert_false(late_circuits_take(p.late, 1, IR_SDIV, constant, constant, WIDTH, out));
	free_product(&p);
}

/* x * y == want, for x and y within bounds; through the engine. */
static enum smt_answer factor(unsigned want, unsigned most_x, unsigned most_y, uint64_t *x)
{
	struct term_pool *p = term_pool_new();
	struct smt *smt = smt_new(p, SMT_BITBLAST);
	uint32_t a = term_var(p, 32, 0), b = term_var(p, 32, 1), two = term_const(p, 32, 2);
	enum smt_answer answer;

	smt_assert(smt, term_op2(p, IR_ULE, two, a));
	smt_assert(smt, term_op2(p, IR_ULE, two, b));
	smt_assert(smt, term_op2(p, IR_ULE, a, term_const(p, 32, most_x)));
	smt_assert(smt, term_op2(p, IR_ULE, b, term_const(p, 32, most_y)));
	smt_assert(smt, term_eq(p, term_op2(p, IR_MUL, a, b), term_const(p, 32, want)));
	answer = smt_check(smt, NULL, 0, PATIENCE_MS);
	if (answer == SMT_SAT) {
		*x = (uint64_t)smt_value(smt, a);
		assert_int_equal(*x * (uint64_t)smt_value(smt, b), want);
	}
	smt_free(smt);
	term_pool_free(p);
	return answer;
}

static void answers_are_those_with_circuits(void **state)
{
	uint64_t x = 0;

	(void)state;
	assert_int_equal(factor(221, 16, 20, &x), SMT_SAT);
	assert_int_equal(x, 13);
	assert_int_equal(factor(221, 12, 20, &x), SMT_UNSAT);
	assert_int_equal(factor(223, 100, 100, &x), SMT_UNSAT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_result_is_expected_as_the_operands_are),
		cmocka_unit_test(a_right_result_needs_no_circuit),
		cmocka_unit_test(a_wrong_result_is_made_right),
		cmocka_unit_test(only_dear_operators_wait),
		cmocka_unit_test(answers_are_those_with_circuits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
