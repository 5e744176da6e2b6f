/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Re-evaluation of a part of a formula against that of all of it, and witnesses
 * by descent on equations whose solutions are known. */
#include "solver/query/secant-search.h"
#include "solver/library/libm.h"
#include "tests/support/formula.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { DEFINITIONS = 60, ROUNDS = 200, WORK = 1000000 };

static uint32_t number(struct formula *f, double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return term_const(f->pool, 64, bits);
}

static double as_double(term_bits v)
{
	uint64_t bits = (uint64_t)v;
	double d;

	memcpy(&d, &bits, sizeof(d));
	return d;
}

/* A statement's value; its selector is its number. */
static uint32_t define(struct formula *f, uint32_t expr)
{
	struct definition d = { .kind = DEF_MEMORY, .expr = expr, .selector = f->definitions->len };

	d.variable = term_var(f->pool, term_width(f->pool, expr), f->definitions->len);
	g_array_append_val(f->definitions, d);
	return d.variable;
}

static void require(struct formula *f, uint32_t term)
{
	struct constraint h = { .term = term, .requirement = true };

	g_array_append_val(f->constraints, h);
}

static uint32_t fp(struct formula *f, enum ir_fp what, uint32_t a, uint32_t b)
{
	bool compares = what >= IR_FP_EQ && what <= IR_FP_UN;

	return term_op(f->pool, IR_FP, compares ? 1 : 64, a, b, 0, what);
}

static uint32_t call(struct formula *f, const char *name, uint32_t a)
{
	struct libm_function function;

	assert_true(libm_find(name, &function));
	return term_op(f->pool, IR_FP, 64, a, 0, 0, IR_FP_CALL + function.number);
}

/* |term - wanted| <= 1e-9 */
static void require_near(struct formula *f, uint32_t term, double wanted)
{
	uint32_t off = fp(f, IR_FP_SUB, term, number(f, wanted));

	off = term_op2(f->pool, IR_AND, off, term_const(f->pool, 64, INT64_MAX));
	require(f, fp(f, IR_FP_LE, off, number(f, 1e-9)));
}

static uint32_t pick(const struct formula *f, GRand *r)
{
	return g_array_index(f->definitions, struct definition,
			     g_rand_int_range(r, 0, (int)f->definitions->len))
		.variable;
}

static void grow(struct formula *f, GRand *r)
{
	uint32_t a = pick(f, r), b = pick(f, r);
	enum ir_fp what = (enum ir_fp)g_rand_int_range(r, IR_FP_ADD, IR_FP_SQRT);

	switch (g_rand_int_range(r, 0, 4)) {
	case 0:
		define(f, term_ite(f->pool, fp(f, IR_FP_LT, a, b), a, pick(f, r)));
		return;
	case 1:
		define(f, term_op2(f->pool, IR_ADD, a, b));
		return;
	default:
		define(f, fp(f, what, a, b));
	}
}

static term_bits value_so_far(void *arg, uint32_t i)
{
	return ((term_bits *)arg)[i];
}

/* What follows when that definition has that value, all evaluated. */
static term_bits *evaluated(const struct formula *f, uint32_t changed, term_bits value)
{
	term_bits *values = g_new0(term_bits, f->definitions->len);
	struct term_memo *memo = term_memo_new(f->pool, value_so_far, values);

	for (guint i = 0; i < f->definitions->len; i++)
		values[i] =
			i == changed
				? value
				: term_eval(
					  memo,
					  g_array_index(f->definitions, struct definition, i).expr);
	term_memo_free(memo);
	return values;
}

static void test_against_evaluation(void **state)
{
	GRand *r = g_rand_new_with_seed(3);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct formula *f = formula_of_nothing();
		uint32_t changed;
		term_bits value;
		struct incremental *w;
		g_autofree term_bits *all = NULL, *values = NULL;

		for (int i = 0; i < 4; i++)
			define(f, number(f, g_rand_double_range(r, -10, 10)));
		while (f->definitions->len < DEFINITIONS)
			grow(f, r);
		for (int i = 0; i < 4; i++)
			require(f, fp(f, IR_FP_LT, pick(f, r), pick(f, r)));
		w = incremental_new(f);
		changed = (uint32_t)g_rand_int_range(r, 0, DEFINITIONS);
		value = (term_bits)g_rand_int(r) << 32;
		incremental_change(w, &changed, 1);
		incremental_set(w, &value);
		all = evaluated(f, changed, value);
		values = incremental_values(w);
		for (guint i = 0; i < f->definitions->len; i++)
			assert_true(values[i] == all[i]);
		for (guint i = 0; i < f->constraints->len; i++) {
			const struct term_node *n = term_node(
				f->pool, g_array_index(f->constraints, struct constraint, i).term);
			uint32_t a = term_node(f->pool, n->a)->a, b = term_node(f->pool, n->b)->a;

			assert_true(
				incremental_value(
					w,
					g_array_index(f->constraints, struct constraint, i).term) ==
				(as_double(all[a]) < as_double(all[b])));
		}
		incremental_free(w);
		formula_forget(f);
	}
	g_rand_free(r);
}

/* What the first definition has to be; NAN when nothing is found. */
static double first_by_secant_search(struct formula *f)
{
	struct incremental *w = incremental_new(f);
	g_autofree term_bits *values = secant_search_witness(f, w, 0, false, WORK, NULL);
	double x = values ? as_double(values[0]) : NAN;

	incremental_free(w);
	return x;
}

static void test_witnesses(void **state)
{
	struct formula *f = formula_of_nothing();
	uint32_t x = define(f, number(f, 2));

	(void)state;
	/* through a chain of operations, from below and from above */
	require_near(f, define(f, fp(f, IR_FP_MUL, define(f, fp(f, IR_FP_MUL, x, x)), x)), 27);
	assert_true(first_by_secant_search(f) == 3);
	g_array_set_size(f->constraints, 0);
	require_near(f, fp(f, IR_FP_DIV, number(f, 1), define(f, fp(f, IR_FP_ADD, x, x))), 0.125);
	assert_true(first_by_secant_search(f) == 4);
	/* through functions of the library */
	g_array_set_size(f->constraints, 0);
	require_near(f, call(f, "exp", define(f, call(f, "log", x))), 5.5);
	assert_true(fabs(first_by_secant_search(f) - 5.5) < 1e-8);
	/* a threshold: the number with the fewest digits beyond it */
	g_array_set_size(f->constraints, 0);
	require(f, fp(f, IR_FP_LT, number(f, 12.34), x));
	assert_true(first_by_secant_search(f) > 12.34);
	formula_forget(f);
}

/* x * x = -1 has none. */
static void test_nothing_to_find(void **state)
{
	struct formula *f = formula_of_nothing();
	uint32_t x = define(f, number(f, 2));

	(void)state;
	require_near(f, fp(f, IR_FP_MUL, x, x), -1);
	assert_true(isnan(first_by_secant_search(f)));
	formula_forget(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_evaluation),
		cmocka_unit_test(test_witnesses),
		cmocka_unit_test(test_nothing_to_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
