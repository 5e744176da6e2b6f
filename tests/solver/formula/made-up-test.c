/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small made-up formulas: what inlining, trials and witnesses make of them,
 * against evaluation and brute force.
 */
#include "solver/query/encode.h"
#include "solver/query/inline.h"
#include "solver/query/concrete-search.h"
#include "solver/query/witness.h"
#include "tests/support/formula.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { BUDGET_MS = 20000 };

static term_bits value_in(void *arg, uint32_t number)
{
	return ((const term_bits *)arg)[number];
}

static const struct definition *definition_at(const struct formula *f, uint32_t number)
{
	return &g_array_index(f->definitions, struct definition, number);
}

static term_bits value_of(const struct formula *f, const term_bits *values, uint32_t term)
{
	struct term_memo *m = term_memo_new(f->pool, value_in, (gpointer)values);
	term_bits v = term_eval(m, term);

	term_memo_free(m);
	return v;
}

/* A definition of this term; its variable. */
static uint32_t define(struct formula *f, uint32_t expr, uint32_t selector)
{
	struct definition d = {
		.kind = DEF_MEMORY, .expr = expr, .selector = selector, .reach = term_true(f->pool)
	};
	term_bits values[64] = { 0 };

	g_assert(f->definitions->len < G_N_ELEMENTS(values));
	for (uint32_t i = 0; i < f->definitions->len; i++)
		values[i] = definition_at(f, i)->actual;
	d.actual = value_of(f, values, expr);
	d.variable = term_var(f->pool, term_width(f->pool, expr), f->definitions->len);
	if (term_width(f->pool, expr) == 1)
		d.kind = DEF_GUARD;
	g_array_append_val(f->definitions, d);
	return d.variable;
}

static void require(struct formula *f, uint32_t term)
{
	struct constraint h = { .term = term, .requirement = true };

	g_array_append_val(f->constraints, h);
}

/* As bounds and overflow do. */
static void constrain(struct formula *f, uint32_t term)
{
	struct constraint h = { .term = term };

	g_array_append_val(f->constraints, h);
}

static uint32_t constant(struct formula *f, uint64_t value)
{
	return term_const(f->pool, 8, value);
}

static bool all_hold(const struct formula *f, const term_bits *values)
{
	for (guint i = 0; i < f->constraints->len; i++)
		if (!value_of(f, values, g_array_index(f->constraints, struct constraint, i).term))
			return false;
	return true;
}

/* ---- a question and its solver ---- */

struct asked {
	struct smt *smt;
	struct encoding *e;
	unsigned relaxed[4];
	struct encoding_question q;
};

/* Selectors first … first + n - 1 are relaxed. */
static void ask_several(struct asked *a, const struct formula *f, unsigned first, unsigned n)
{
	a->smt = smt_new(f->pool, SMT_BITBLAST);
	for (unsigned i = 0; i < n; i++)
		a->relaxed[i] = first + i;
	struct inlined_scope scope = { .only = a->relaxed, .n = n };

	a->e = encode(f, a->smt, &scope, NULL);
	a->q = (struct encoding_question){ a->relaxed, n, true, NULL };
}

static void ask(struct asked *a, const struct formula *f, unsigned selector)
{
	ask_several(a, f, selector, 1);
}

static enum smt_answer answer_of(struct asked *a)
{
	g_autoptr(GArray) core = g_array_new(FALSE, FALSE, sizeof(unsigned));

	return encoding_check(a->e, &a->q, BUDGET_MS, core);
}

static void asked_clear(struct asked *a)
{
	encoding_free(a->e);
	smt_free(a->smt);
}

static term_bits *concrete_search_of(struct asked *a, bool quick)
{
	struct incremental *w = incremental_new(a->e->formula);
	term_bits *values = concrete_search_witness(a->e->formula, w, &a->q, quick, NULL);

	incremental_free(w);
	return values;
}

/* The model keeps every definition that is not relaxed, and all requirements. */
static unsigned check_model(const struct formula *f, const term_bits *values, unsigned selector)
{
	unsigned changed = 0;

	assert_true(all_hold(f, values));
	for (uint32_t i = 0; i < f->definitions->len; i++) {
		const struct definition *d = definition_at(f, i);
		bool kept = value_of(f, values, d->expr) == values[i];

		if (d->selector != selector)
			assert_true(kept);
		changed += !kept;
	}
	return changed;
}

/* ---- a loop: x = x + 1, selector 0, four times; x = 3 at first ---- */

static uint32_t count_up(struct formula *f, unsigned rounds)
{
	uint32_t x = define(f, constant(f, 3), SELECTOR_HARD);

	for (unsigned i = 0; i < rounds; i++)
		x = define(f, term_op2(f->pool, IR_ADD, x, constant(f, 1)), 0);
	return x;
}

static void a_witness_changes_one_late_instance_a_little(void **state)
{
	(void)state;
	struct formula *f = formula_of_nothing();
	uint32_t x = count_up(f, 6), limit = constant(f, 12);
	struct asked a;

	/* x is 9; at least 12 by itself or in steps: the last instance, by 3 or 4 */
	require(f, term_op2(f->pool, IR_ULE, limit, x));
	ask(&a, f, 0);
	assert_int_equal(answer_of(&a), SMT_SAT);
	g_autofree term_bits *values = witness_near_the_run(a.e, &a.q, BUDGET_MS);

	assert_int_equal(check_model(f, values, 0), 1);
	assert_true(values[5] == 8);
	assert_in_range((uint64_t)values[6], 12, 9 + 4);
	asked_clear(&a);
	formula_forget(f);
}

static void a_witness_keeps_what_need_not_change(void **state)
{
	(void)state;
	struct formula *f = formula_of_nothing();
	uint32_t first = count_up(f, 2), x = first, y;
	struct asked a;

	/* the first two rounds' x is needed as 7, the end's as it is: y = x - 5 + … */
	y = define(f, term_op2(f->pool, IR_SUB, x, constant(f, 5)), 1);
	x = define(f, term_op2(f->pool, IR_ADD, x, constant(f, 1)), 0);
	require(f, term_eq(f->pool, y, constant(f, 2)));
	require(f, term_eq(f->pool, x, constant(f, 6)));
	ask(&a, f, 0);
	assert_int_equal(answer_of(&a), SMT_SAT);
	g_autofree term_bits *values = witness_near_the_run(a.e, &a.q, BUDGET_MS);

	assert_int_equal(check_model(f, values, 0), 2);
	assert_true(values[1] == 4 && values[2] == 7 && values[4] == 6);
	asked_clear(&a);
	formula_forget(f);
}

static void a_trial_finds_a_product_and_only_true_models(void **state)
{
	(void)state;
	struct formula *f = formula_of_nothing();
	uint32_t a0 = define(f, constant(f, 3), 0), b0 = define(f, constant(f, 5), 1);
	uint32_t p = define(f, term_op2(f->pool, IR_MUL, a0, b0), 2);
	struct asked a;

	require(f, term_eq(f->pool, p, constant(f, 30)));
	for (unsigned selector = 0; selector < 3; selector++) {
		ask(&a, f, selector);
		g_autofree term_bits *values = concrete_search_of(&a, false);

		/* 6 = 2 * 3, 10 = 2 * 5, 30 = 2 * 15 */
		assert_non_null(values);
		assert_int_equal(check_model(f, values, selector), 1);
		asked_clear(&a);
	}
	require(f, term_eq(f->pool, a0, constant(f, 3)));
	ask(&a, f, 0);
	assert_null(concrete_search_of(&a, false));
	asked_clear(&a);
	formula_forget(f);
}

static void a_trial_takes_the_nearest_value_that_works(void **state)
{
	(void)state;
	static const struct {
		unsigned actual, most, nearest;
	} tried[] = { { 3, 1, 1 }, { 40, 20, 20 }, { 40, 10, 10 }, { 200, 201, 201 } };

	for (size_t i = 0; i < G_N_ELEMENTS(tried); i++) {
		struct formula *f = formula_of_nothing();
		uint32_t x = define(f, constant(f, tried[i].actual), 0);
		struct asked a;

		/* what is least works, too, but not what is */
		require(f, term_op2(f->pool, IR_ULE, x, constant(f, tried[i].most)));
		require(f, term_not(f->pool, term_eq(f->pool, x, constant(f, tried[i].actual))));
		ask(&a, f, 0);
		g_autofree term_bits *values = concrete_search_of(&a, true);

		assert_non_null(values);
		assert_int_equal((uint64_t)values[0], tried[i].nearest);
		asked_clear(&a);
		formula_forget(f);
	}
}

static void a_trial_stays_off_sides_that_no_run_took(void **state)
{
	(void)state;
	struct formula *f = formula_of_nothing();
	uint32_t x = define(f, constant(f, 3), 0);
	struct unexplored u = { .taken = term_op2(f->pool, IR_ULT, constant(f, 3), x) };
	struct asked a;

	require(f, term_not(f->pool, term_eq(f->pool, x, constant(f, 3))));
	g_array_append_val(f->unexplored, u);
	ask(&a, f, 0);
	g_autofree term_bits *values = concrete_search_of(&a, false);

	assert_non_null(values);
	assert_true(values[0] < 3);
	a.q.explored = false;
	g_autofree term_bits *anywhere = concrete_search_of(&a, false);

	assert_true(anywhere[0] == 4);
	/* what the side does may be what is required */
	require(f, term_eq(f->pool, x, constant(f, 201)));
	a.q.explored = true;
	assert_null(concrete_search_of(&a, false));
	a.q.explored = false;
	g_autofree term_bits *beyond = concrete_search_of(&a, false);

	assert_non_null(beyond);
	assert_true(beyond[0] > 3);
	asked_clear(&a);
	formula_forget(f);
}

/* x + 1 <= x needs an overflow, which is forbidden but where a guard is true
 * that the requirement does not depend on; and that one needs another. */
static void a_constraint_holds_whatever_its_guards_are(void **state)
{
	(void)state;
	static const enum smt_answer expected[] = { SMT_UNSAT, SMT_UNSAT, SMT_SAT };
	struct formula *f = formula_of_nothing();
	uint32_t no = term_false(f->pool), x = define(f, constant(f, 3), 0);
	uint32_t guard = define(f, no, 1), other = define(f, no, 2);

	require(f, term_op2(f->pool, IR_ULE, term_op2(f->pool, IR_ADD, x, constant(f, 1)), x));
	constrain(f, term_or(f->pool, guard,
			     term_not(f->pool, term_eq(f->pool, x, constant(f, 255)))));
	constrain(f, term_or(f->pool, term_not(f->pool, guard), other));
	for (unsigned n = 1; n <= 3; n++) {
		struct asked a;

		ask_several(&a, f, 0, n);
		assert_int_equal(answer_of(&a), expected[n - 1]);
		if (expected[n - 1] == SMT_SAT) {
			g_autofree term_bits *model = encoding_model(a.e, &a.q);
			g_autofree term_bits *near = witness_near_the_run(a.e, &a.q, BUDGET_MS);

			assert_true(all_hold(f, model));
			assert_true(all_hold(f, near));
		}
		asked_clear(&a);
	}
	formula_forget(f);
}

/* ---- random formulas ---- */

static uint32_t any_term(struct formula *f, GRand *rand)
{
	guint n = f->definitions->len;

	if (!n || g_rand_int_range(rand, 0, 5) == 0)
		return constant(f, g_rand_int(rand));
	return definition_at(f, (uint32_t)g_rand_int_range(rand, 0, (gint32)n))->variable;
}

/* Of width 8: variables of width 1 are extended. */
static uint32_t any_byte(struct formula *f, GRand *rand)
{
	return term_zext(f->pool, any_term(f, rand), 8);
}

static uint32_t any_expression(struct formula *f, GRand *rand)
{
	static const enum ir_kind kinds[] = { IR_ADD, IR_SUB, IR_MUL, IR_UDIV, IR_SREM, IR_AND,
					      IR_OR,  IR_XOR, IR_SHL, IR_ULT,  IR_SLE,	IR_EQ };
	enum ir_kind kind = kinds[g_rand_int_range(rand, 0, G_N_ELEMENTS(kinds))];
	uint32_t a = any_byte(f, rand), b = any_byte(f, rand);

	if (g_rand_int_range(rand, 0, 4) == 0)
		return term_ite(f->pool, term_op2(f->pool, IR_ULT, a, b), any_byte(f, rand), a);
	return term_op2(f->pool, kind, a, b);
}

static struct formula *any_formula(GRand *rand, uint32_t *end)
{
	struct formula *f = formula_of_nothing();

	for (unsigned i = 0; i < 14; i++)
		define(f, any_expression(f, rand),
		       g_rand_boolean(rand) ? SELECTOR_HARD : g_rand_int(rand) % 4);
	*end = any_byte(f, rand);
	require(f, term_not(f->pool, term_eq(f->pool, *end, constant(f, g_rand_int(rand) % 4))));
	return f;
}

/* only: n selectors; NULL = all. */
static bool is_relaxed(const struct definition *d, const unsigned *only, unsigned n)
{
	bool relaxed = !only && d->selector != SELECTOR_HARD;

	for (unsigned k = 0; k < n; k++)
		relaxed |= only && only[k] == d->selector;
	return relaxed;
}

/* Relaxed definitions as they please, all others as they follow. */
static void assign(const struct formula *f, GRand *rand, const unsigned *only, unsigned n,
		   uint32_t first, term_bits *values)
{
	for (uint32_t i = 0; i < f->definitions->len; i++) {
		const struct definition *d = definition_at(f, i);

		values[i] = i >= first && is_relaxed(d, only, n) ? g_rand_int(rand) & 0xff
								 : value_of(f, values, d->expr);
		if (term_width(f->pool, d->variable) == 1)
			values[i] &= 1;
	}
}

static void inlining_keeps_the_meaning(void **state)
{
	(void)state;
	static const unsigned sets[][2] = { { 0, 0 }, { 1, 3 } };
	GRand *rand = g_rand_new_with_seed(5);
	unsigned shorter = 0;

	for (unsigned round = 0; round < 300; round++) {
		uint32_t end;
		struct formula *f = any_formula(rand, &end);
		const unsigned *only = round % 3 ? sets[round % 3 - 1] : NULL;
		unsigned n = only ? 2 : 0;
		uint32_t first = only ? round / 3 % f->definitions->len : 0;
		struct inlined_scope scope = { .only = only, .n = n, .first = first };
		struct incremental *w = round % 2 ? incremental_new(f) : NULL;
		struct inlined *x = inlined_new(f, &scope, w, NULL);
		uint32_t old = g_array_index(f->constraints, struct constraint, 0).term;
		uint32_t simpler = inlined_term(x, old);

		shorter += simpler != old;
		for (unsigned k = 0; k < 20; k++) {
			term_bits values[16], meant;

			assign(f, rand, only, n, first, values);
			meant = value_of(f, values, old);
			/* what is worked in is no variable of it any more */
			for (uint32_t i = 0; i < f->definitions->len; i++)
				if (i < first || !is_relaxed(definition_at(f, i), only, n))
					values[i] = ~values[i] & 1;
			assert_true(value_of(f, values, simpler) == meant);
		}
		inlined_free(x);
		incremental_free(w);
		formula_forget(f);
	}
	assert_true(shorter > 100);
	g_rand_free(rand);
}

/* What is set in turn is followed as if everything were evaluated each time: a value that comes out
 * as in the run, behind one that did not, is not left over. */
static void values_follow_what_is_set(void **state)
{
	(void)state;
	GRand *rand = g_rand_new_with_seed(6);
	unsigned like_the_run = 0, others = 0;

	for (unsigned round = 0; round < 200; round++) {
		uint32_t end;
		struct formula *f = any_formula(rand, &end);
		struct incremental *w = incremental_new(f);
		const unsigned only[2] = { 0, 2 };
		g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));

		for (uint32_t i = 0; i < f->definitions->len; i++)
			if (is_relaxed(definition_at(f, i), only, 2))
				g_array_append_val(numbers, i);
		incremental_change(w, (const uint32_t *)(const void *)numbers->data, numbers->len);
		for (unsigned k = 0; k < 10; k++) {
			term_bits values[16], set[16];

			assign(f, rand, only, k % 2 ? 2 : 0, 0, values);
			for (guint i = 0; i < numbers->len; i++)
				set[i] = values[g_array_index(numbers, uint32_t, i)];
			incremental_set(w, set);
			for (uint32_t i = 0; i < f->definitions->len; i++) {
				uint32_t t = definition_at(f, i)->variable;

				if (!incremental_matters(w, t))
					continue;
				assert_true(incremental_value(w, t) == values[i]);
				like_the_run += values[i] == incremental_natural(w, t);
				others += values[i] != incremental_natural(w, t);
			}
		}
		incremental_free(w);
		formula_forget(f);
	}
	assert_true(like_the_run > 100 && others > 100);
	g_rand_free(rand);
}

/* Is there a value for the only definition of the selector? */
static bool can_be_mended(const struct formula *f, uint32_t number)
{
	unsigned width = term_width(f->pool, definition_at(f, number)->variable);

	for (unsigned v = 0; v < 1u << width; v++) {
		term_bits values[16];

		for (uint32_t i = 0; i < f->definitions->len; i++)
			values[i] =
				i == number ? v : value_of(f, values, definition_at(f, i)->expr);
		if (all_hold(f, values))
			return true;
	}
	return false;
}

static void questions_are_answered_as_by_brute_force(void **state)
{
	(void)state;
	GRand *rand = g_rand_new_with_seed(9);
	unsigned n[2] = { 0 };

	for (unsigned round = 0; round < 80; round++) {
		uint32_t end, number = (uint32_t)g_rand_int_range(rand, 0, 14);
		struct formula *f = any_formula(rand, &end);
		struct asked a;
		bool can;

		for (uint32_t i = 0; i < f->definitions->len; i++)
			g_array_index(f->definitions, struct definition, i).selector =
				i == number ? 1 : SELECTOR_HARD;
		require(f, term_eq(f->pool, end, constant(f, g_rand_int(rand) % 16)));
		can = can_be_mended(f, number);
		n[can]++;
		ask(&a, f, 1);
		assert_int_equal(answer_of(&a), can ? SMT_SAT : SMT_UNSAT);
		if (can) {
			g_autofree term_bits *model = encoding_model(a.e, &a.q);
			g_autofree term_bits *near = witness_near_the_run(a.e, &a.q, BUDGET_MS);

			check_model(f, model, 1);
			check_model(f, near, 1);
		}
		g_autofree term_bits *tried = concrete_search_of(&a, true);

		if (tried)
			check_model(f, tried, 1);
		asked_clear(&a);
		formula_forget(f);
	}
	assert_true(n[0] > 5 && n[1] > 5);
	g_rand_free(rand);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_witness_changes_one_late_instance_a_little),
		cmocka_unit_test(a_witness_keeps_what_need_not_change),
		cmocka_unit_test(a_trial_finds_a_product_and_only_true_models),
		cmocka_unit_test(a_trial_takes_the_nearest_value_that_works),
		cmocka_unit_test(a_trial_stays_off_sides_that_no_run_took),
		cmocka_unit_test(a_constraint_holds_whatever_its_guards_are),
		cmocka_unit_test(inlining_keeps_the_meaning),
		cmocka_unit_test(values_follow_what_is_set),
		cmocka_unit_test(questions_are_answered_as_by_brute_force),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
