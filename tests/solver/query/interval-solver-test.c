/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branch and prune against the solver on random formulas, and questions that it has
 * to decide in a few steps. */
#include "solver/query/interval-solver.h"
#include "tests/support/formula.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROUNDS = 400, STATEMENTS = 6, PATIENCE_MS = 20000, EFFORT = 1000000 };

static uint32_t define(struct formula *f, uint32_t expr, unsigned selector)
{
	struct definition d = { .kind = DEF_MEMORY, .expr = expr, .selector = selector };

	d.variable = term_var(f->pool, term_width(f->pool, expr), f->definitions->len);
	g_array_append_val(f->definitions, d);
	return d.variable;
}

static void require(struct formula *f, uint32_t term)
{
	struct constraint h = { .term = term, .requirement = true };

	g_array_append_val(f->constraints, h);
}

static uint32_t constant(struct formula *f, unsigned width, uint64_t value)
{
	return term_const(f->pool, width, value);
}

static uint32_t pick(const struct formula *f, GRand *r)
{
	return g_array_index(f->definitions, struct definition,
			     g_rand_int_range(r, 0, (int)f->definitions->len))
		.variable;
}

static uint32_t comparison(struct formula *f, GRand *r)
{
	enum ir_kind kind = (enum ir_kind)g_rand_int_range(r, IR_EQ, IR_SLE + 1);
	uint32_t right = g_rand_boolean(r) ? pick(f, r) : constant(f, 8, g_rand_int(r) & 255);

	return term_op2(f->pool, kind, pick(f, r), right);
}

static uint32_t random_value(struct formula *f, GRand *r)
{
	static const enum ir_kind kinds[] = { IR_ADD, IR_SUB,  IR_MUL,	IR_AND,	 IR_OR,
					      IR_XOR, IR_SDIV, IR_SREM, IR_UDIV, IR_ASHR };
	uint32_t b = g_rand_boolean(r) ? pick(f, r) : constant(f, 8, g_rand_int(r) & 15);

	switch (g_rand_int_range(r, 0, 4)) {
	case 0:
		return term_ite(f->pool, comparison(f, r), pick(f, r), b);
	case 1:
		return term_extract(f->pool, term_sext(f->pool, pick(f, r), 16),
				    (unsigned)g_rand_int_range(r, 0, 9), 8);
	default:
		return term_op2(f->pool, kinds[g_rand_int_range(r, 0, G_N_ELEMENTS(kinds))],
				pick(f, r), b);
	}
}

static struct formula *random_formula(GRand *r)
{
	struct formula *f = formula_of_nothing();

	for (unsigned i = 0; i < 3; i++)
		define(f, constant(f, 8, g_rand_int(r) & 255), i);
	for (unsigned i = 3; i < 14; i++)
		define(f, random_value(f, r), i % STATEMENTS);
	for (int i = g_rand_int_range(r, 1, 4); i > 0; i--) {
		uint32_t t = comparison(f, r);

		require(f, g_rand_boolean(r) ? t : term_or(f->pool, t, comparison(f, r)));
	}
	return f;
}

static term_bits value_in(void *arg, uint32_t number)
{
	return ((const term_bits *)arg)[number];
}

/* All requirements hold, and so do all definitions that are not relaxed. */
static void check_witness(const struct formula *f, const struct encoding_question *q,
			  const term_bits *values)
{
	struct term_memo *memo = term_memo_new(f->pool, value_in, (gpointer)values);

	for (guint i = 0; i < f->constraints->len; i++)
		assert_true(
			term_eval(memo, g_array_index(f->constraints, struct constraint, i).term));
	for (guint i = 0; i < f->definitions->len; i++) {
		const struct definition *d = &g_array_index(f->definitions, struct definition, i);

		if (!encoding_question_relaxes(q, d))
			assert_true(term_eval(memo, d->expr) == values[i]);
	}
	term_memo_free(memo);
}

static enum smt_answer by_the_solver(const struct formula *f, const struct encoding_question *q)
{
	struct smt *smt = smt_new(f->pool, SMT_BITBLAST);
	struct inlined_scope scope = { .only = q->relaxed, .n = q->n };
	struct encoding *e = encode(f, smt, &scope, NULL);
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	enum smt_answer answer = encoding_check(e, q, PATIENCE_MS, core);

	encoding_free(e);
	smt_free(smt);
	return answer;
}

static enum smt_answer by_bisection(const struct formula *f, const struct encoding_question *q,
				    term_bits **values)
{
	struct incremental *w = incremental_new(f);
	struct interval_solver *b = interval_solver_new(f, w);
	enum smt_answer answer = interval_solver_decide(b, q, EFFORT, values);

	interval_solver_free(b);
	incremental_free(w);
	return answer;
}

/* Nothing that is relaxed is to blame, and what is cannot all hold. */
static void check_core(const struct formula *f, const struct encoding_question *q)
{
	struct incremental *w = incremental_new(f);
	struct interval_solver *b = interval_solver_new(f, w);
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));
	unsigned others[STATEMENTS];
	struct encoding_question all_others = { others, 0, false, NULL };

	assert_int_equal(interval_core(b, q, EFFORT, core), SMT_UNSAT);
	for (unsigned i = 0; i < STATEMENTS; i++) {
		bool blamed = false, relaxed = false;

		for (guint k = 0; k < core->len; k++)
			blamed |= g_array_index(core, unsigned, k) == i;
		for (unsigned k = 0; k < q->n; k++)
			relaxed |= q->relaxed[k] == i;
		assert_false(blamed && relaxed);
		if (!blamed)
			others[all_others.n++] = i;
	}
	assert_int_equal(by_the_solver(f, &all_others), SMT_UNSAT);
	interval_solver_free(b);
	incremental_free(w);
}

static bool holds_as_it_is(const struct formula *f)
{
	struct incremental *w = incremental_new(f);
	bool all = true;

	for (guint i = 0; i < f->constraints->len; i++)
		all &= incremental_natural(
			       w, g_array_index(f->constraints, struct constraint, i).term) != 0;
	incremental_free(w);
	return all;
}

static void random_questions_are_decided_as_by_the_solver(void **state)
{
	g_autoptr(GRand) r = g_rand_new_with_seed(7);
	unsigned count[3] = { 0 };

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct formula *f = random_formula(r);
		unsigned relaxed[2] = { 0, 0 };
		struct encoding_question q = { relaxed, 1, false, NULL };
		g_autofree term_bits *values = NULL;
		enum smt_answer answer;

		relaxed[0] = (unsigned)g_rand_int_range(r, 0, STATEMENTS - 1);
		relaxed[1] = STATEMENTS - 1;
		q.n = (unsigned)g_rand_int_range(r, 1, 3);
		if (!holds_as_it_is(f)) {
			answer = by_bisection(f, &q, &values);
			count[answer]++;
			if (answer == SMT_SAT)
				check_witness(f, &q, values);
			if (answer == SMT_UNSAT)
				check_core(f, &q);
			if (answer != SMT_UNKNOWN)
				assert_int_equal(answer, by_the_solver(f, &q));
		}
		formula_forget(f);
	}
	assert_true(count[SMT_SAT] > 20 && count[SMT_UNSAT] > 20);
	assert_true(count[SMT_UNKNOWN] < ROUNDS / 20);
}

/* a = 7; b = a * 1500 / 60 + 20000; require b > wanted, and that the product fits. */
static struct formula *scaled(uint64_t wanted)
{
	struct formula *f = formula_of_nothing();
	struct term_pool *p = f->pool;
	uint32_t a = define(f, constant(f, 32, 7), 0);
	uint32_t product = term_op2(p, IR_MUL, a, constant(f, 32, 1500));
	uint32_t b = define(f,
			    term_op2(p, IR_ADD, term_op2(p, IR_SDIV, product, constant(f, 32, 60)),
				     constant(f, 32, 20000)),
			    1);
	uint32_t least = constant(f, 32, (uint64_t)-1000000), most = constant(f, 32, 1000000);

	require(f, term_op2(p, IR_SLT, constant(f, 32, wanted), b));
	require(f, term_and(p, term_op2(p, IR_SLE, least, a), term_op2(p, IR_SLE, a, most)));
	return f;
}

static void the_nearest_value_is_found(void **state)
{
	const unsigned first = 0;
	const struct encoding_question q = { &first, 1, false, NULL };
	struct formula *f = scaled(20200);
	g_autofree term_bits *values = NULL;

	(void)state;
	assert_int_equal(by_bisection(f, &q, &values), SMT_SAT);
	assert_true(values[0] == 9); /* 9 * 25 = 225: the first one above 200 */
	assert_true(values[1] == 20225);
	formula_forget(f);
	f = scaled(90000000);
	assert_int_equal(by_bisection(f, &q, &values), SMT_UNSAT);
	formula_forget(f);
}

/* The work that a question may take is no limit of the time that it may take. */
static void nothing_is_decided_once_the_time_is_up(void **state)
{
	const unsigned first = 0;
	const struct encoding_question q = { &first, 1, false, NULL };
	struct formula *f = scaled(20200);
	struct incremental *w = incremental_new(f);
	struct interval_solver *b = interval_solver_new(f, w);
	struct deadline over = deadline_in(0, NULL), later = deadline_in(PATIENCE_MS, NULL);
	g_autofree term_bits *values = NULL;

	(void)state;
	interval_solver_until(b, &over);
	assert_int_equal(interval_solver_decide(b, &q, EFFORT, &values), SMT_UNKNOWN);
	assert_null(values);
	interval_solver_until(b, &later);
	assert_int_equal(interval_solver_decide(b, &q, EFFORT, &values), SMT_SAT);
	interval_solver_free(b);
	incremental_free(w);
	formula_forget(f);
}

/* Of many instances of a statement one needs to change: the last one that can. */
static void only_what_has_to_change_does(void **state)
{
	const unsigned first = 0;
	const struct encoding_question q = { &first, 1, false, NULL };
	struct formula *f = formula_of_nothing();
	struct term_pool *p = f->pool;
	uint32_t sum = constant(f, 32, 0), last = 0;
	g_autofree term_bits *values = NULL;

	(void)state;
	for (unsigned i = 0; i < 40; i++) {
		last = define(f, term_op2(p, IR_ADD, sum, constant(f, 32, i)), 0);
		sum = last;
	}
	require(f, term_eq(p, last, constant(f, 32, 12345)));
	assert_int_equal(by_bisection(f, &q, &values), SMT_SAT);
	assert_true(values[38] == 38 * 39 / 2 && values[39] == 12345);
	require(f, term_op2(p, IR_SLT, last, constant(f, 32, 100)));
	g_clear_pointer(&values, g_free);
	assert_int_equal(by_bisection(f, &q, &values), SMT_UNSAT);
	formula_forget(f);
}

/* A side that no run took, which writes to a place that the requirement reads. */
static void sides_are_avoided_or_used(void **state)
{
	const unsigned first = 0;
	struct encoding_question q = { &first, 1, true, NULL };
	struct formula *f = formula_of_nothing();
	struct term_pool *p = f->pool;
	uint32_t a = define(f, constant(f, 32, 3), 0), side, unknown;
	struct unexplored u = { .returns = true };
	struct definition d = { .kind = DEF_UNKNOWN, .selector = SELECTOR_HARD, .actual = 1 };
	g_autofree term_bits *values = NULL;

	(void)state;
	side = term_op2(p, IR_SLT, a, constant(f, 32, 0));
	unknown = d.variable = term_var(p, 32, f->definitions->len);
	g_array_append_val(f->definitions, d);
	u.taken = side;
	g_array_append_val(f->unexplored, u);
	require(f, term_eq(p, term_ite(p, side, unknown, constant(f, 32, 1)), constant(f, 32, 77)));
	assert_int_equal(by_bisection(f, &q, &values), SMT_UNSAT);
	q.explored = false;
	assert_int_equal(by_bisection(f, &q, &values), SMT_SAT);
	assert_true(values[0] == 0xffffffff && values[1] == 77);
	formula_forget(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_questions_are_decided_as_by_the_solver),
		cmocka_unit_test(the_nearest_value_is_found),
		cmocka_unit_test(nothing_is_decided_once_the_time_is_up),
		cmocka_unit_test(only_what_has_to_change_does),
		cmocka_unit_test(sides_are_avoided_or_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
