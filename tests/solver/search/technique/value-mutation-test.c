/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which value_mutations of a statement are offered on made-up formulas: those that
 * bring about what is required, or go where nothing is known, and no others.
 */
#include "solver/search/technique/value-mutation.h"
#include "tests/support/formula.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { BRANCH = 100, VALUE = 200 };

static uint32_t constant(struct formula *f, uint64_t v)
{
	return term_const(f->pool, 32, v);
}

/* What the statement 0 gives at one of its executions; its variable. */
static uint32_t define(struct formula *f, enum definition_kind kind, uint32_t expr, uint64_t pc)
{
	struct definition d = { .kind = kind, .expr = expr, .reach = term_true(f->pool), .pc = pc };

	d.variable = term_var(f->pool, term_width(f->pool, expr), f->definitions->len);
	g_array_append_val(f->definitions, d);
	return d.variable;
}

/* Where this number came from outside. */
static uint32_t input(struct formula *f, uint64_t v)
{
	uint32_t variable = define(f, DEF_INPUT, constant(f, v), 0);

	g_array_index(f->definitions, struct definition, f->definitions->len - 1).selector =
		SELECTOR_HARD;
	return variable;
}

static uint32_t branch(struct formula *f, uint64_t x, uint64_t limit)
{
	uint32_t less = term_op2(f->pool, IR_ULT, input(f, x), constant(f, limit));

	return define(f, DEF_GUARD, less, BRANCH);
}

static void require(struct formula *f, uint32_t term)
{
	struct constraint h = { .term = term, .requirement = true };

	g_array_append_val(f->constraints, h);
}

/* Each value_mutation in text: "definition=value …+more;". */
static bool write_down(void *arg, const struct value_mutation *v)
{
	GString *text = arg;

	for (guint i = 0; i < v->changes->len; i++) {
		const struct model_path_change *c =
			&g_array_index(v->changes, struct model_path_change, i);

		assert_true(c->value != c->natural);
		g_string_append_printf(text, "%s%u=%u", i ? " " : "", c->def, (unsigned)c->value);
	}
	if (v->more)
		g_string_append_printf(text, "+%u", v->more);
	g_string_append_c(text, ';');
	return false;
}

static char *offered(const struct formula *f)
{
	const struct deadline over = deadline_in(0, NULL);
	struct incremental *w = incremental_new(f);
	GString *text = g_string_new(NULL);

	/* none once the time is up */
	assert_true(value_mutations_of(f, w, 0, &over, write_down, text));
	assert_string_equal(text->str, "");
	assert_false(value_mutations_of(f, w, 0, NULL, write_down, text));
	incremental_free(w);
	return g_string_free(text, FALSE);
}

static void assert_offered(const struct formula *f, const char *wanted)
{
	g_autofree char *text = offered(f);

	assert_string_equal(text, wanted);
}

/* if (x < 10) with 3, 10, 12 and 40, which should be x < 13. */
static void a_bound_is_moved(void **state)
{
	struct formula *f = formula_of_nothing();
	uint32_t a = branch(f, 3, 10), b = branch(f, 10, 10), c = branch(f, 12, 10),
		 d = branch(f, 40, 10);

	(void)state;
	require(f, term_and(f->pool, term_and(f->pool, a, b),
			    term_and(f->pool, c, term_not(f->pool, d))));
	assert_offered(f, "3=1 5=1;");
	formula_forget(f);
}

static void all_go_one_way(void **state)
{
	struct formula *f = formula_of_nothing();
	uint32_t a = branch(f, 3, 10), b = branch(f, 4, 10), c = branch(f, 50, 10);

	(void)state;
	require(f, term_not(f->pool, term_or(f->pool, term_or(f->pool, a, b), c)));
	assert_offered(f, "1=0 3=0;1=0 3=0;"); /* also by the bound 3 */
	formula_forget(f);
}

/* Beyond a side that no run took a loop may go on. */
static void a_loop_goes_on(void **state)
{
	struct formula *f = formula_of_nothing();
	struct unexplored beyond = { .taken = branch(f, 15, 10), .guard = 1 };

	(void)state;
	require(f, term_false(f->pool));
	g_array_append_val(f->unexplored, beyond);
	assert_offered(f, "1=1;1=1+1;1=1+1;1=1+3;1=1+7;1=1+15;1=1+31;");
	formula_forget(f);
}

/* Where a changed run crashed, another may not; where it failed, it fails. */
static void a_crash_may_not_come(void **state)
{
	for (int crash = 0; crash < 2; crash++) {
		struct formula *f = formula_of_nothing();
		uint32_t a = branch(f, 3, 10);

		(void)state;
		require(f, a);
		require(f, term_not(f->pool, a));
		g_array_index(f->constraints, struct constraint, 0).crash = crash;
		assert_offered(f, crash ? "1=0;1=0+1;1=0+1;1=0+3;1=0+7;1=0+15;1=0+31;" : "");
		formula_forget(f);
	}
}

/* Each value a little more, and both by the same. */
static void values_change_together(void **state)
{
	struct formula *f = formula_of_nothing();
	uint32_t a = define(f, DEF_MEMORY, input(f, 20), VALUE),
		 b = define(f, DEF_MEMORY, input(f, 50), VALUE);

	(void)state;
	require(f, term_and(f->pool, term_eq(f->pool, a, constant(f, 21)),
			    term_eq(f->pool, b, constant(f, 51))));
	assert_offered(f, "1=21 3=51;");
	formula_forget(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bound_is_moved),	  cmocka_unit_test(all_go_one_way),
		cmocka_unit_test(a_loop_goes_on),	  cmocka_unit_test(a_crash_may_not_come),
		cmocka_unit_test(values_change_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
