/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A change of a line whose code stands in several places changes all of them. */
#include "tests/support/patched.h"

#include "solver/change/mutant/mutant-operator.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef long function(long a, long b);

/* The mutants of the line with these words. */
static GArray *mutants_with_words(struct patched *p, unsigned line, const char *words)
{
	GArray *all = mutator_line(p->m, p->file, line);

	for (guint i = all->len; i > 0; i--) {
		const struct mutant *m = &g_array_index(all, struct mutant, i - 1);
		g_autofree char *own = m->kind == MUTANT_OPERATOR ? mutant_operator_words(m) : NULL;

		if (g_strcmp0(own, words) != 0)
			g_array_remove_index(all, i - 1);
	}
	return all;
}

static long changed_value(struct patched *p, const struct mutant *m, long a, long b)
{
	function *f = (function *)(uintptr_t)patched_function(p, "f");
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	long value;

	mutant_actions(m, actions);
	patched_put(p, actions);
	value = f(a, b);
	patched_restore(p);
	return value;
}

static void inlined_code_changes_as_one(void **state)
{
	struct patched *p = patched_new(
		"static inline __attribute__((always_inline)) long join(long a, long b)\n"
		"{\n"
		"	return a + b;\n"
		"}\n"
		"long f(long a, long b)\n"
		"{\n"
		"	return join(a, b) * join(b, 3) ^ join(a, 1);\n"
		"}\n");
	g_autoptr(GArray) all = mutants_with_words(p, 3, "`-' for `+'");

	(void)state;
	assert_int_equal(all->len, 1);
	assert_int_equal(changed_value(p, &g_array_index(all, struct mutant, 0), 9, 4),
			 ((9 - 4) * (4 - 3)) ^ (9 - 1));
	patched_free(p);
}

/* Two operators of the line stay two changes, each of all copies. */
static void operators_stay_apart(void **state)
{
	struct patched *p = patched_new(
		"static inline __attribute__((always_inline)) long join(long a, long b)\n"
		"{\n"
		"	return (a + b) * (b + a / 3);\n"
		"}\n"
		"long f(long a, long b)\n"
		"{\n"
		"	return join(a, b) + 100 * join(b, 30);\n"
		"}\n");
	g_autoptr(GArray) all = mutants_with_words(p, 3, "`-' for `+'");

	(void)state;
	assert_int_equal(all->len, 2);
	assert_int_equal(changed_value(p, &g_array_index(all, struct mutant, 0), 5, 16),
			 (5 - 16) * (16 + 5 / 3) + 100 * ((16 - 30) * (30 + 16 / 3)));
	assert_int_equal(changed_value(p, &g_array_index(all, struct mutant, 1), 5, 16),
			 (5 + 16) * (16 - 5 / 3) + 100 * ((16 + 30) * (30 - 16 / 3)));
	patched_free(p);
}

static void code_that_stands_once_is_as_before(void **state)
{
	struct patched *p = patched_new("long f(long a, long b)\n"
					"{\n"
					"	return (a + b) * (b + a / 3);\n"
					"}\n");
	g_autoptr(GArray) all = mutants_with_words(p, 3, "`-' for `+'");

	(void)state;
	assert_int_equal(all->len, 2);
	for (guint i = 0; i < all->len; i++)
		assert_null(g_array_index(all, struct mutant, i).also);
	patched_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inlined_code_changes_as_one),
		cmocka_unit_test(operators_stay_apart),
		cmocka_unit_test(code_that_stands_once_is_as_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
