/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In optimized code a register is counted up where it gets its value or is stored, and nowhere
 * else: the processor says so. */
#include "tests/support/patched.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char source[] = "long f(long a, long b)\n"
			     "{\n"
			     "	return a - b;\n"
			     "}\n"
			     "int g(int *to, int n)\n"
			     "{\n"
			     "	*to = n;\n"
			     "	return n << 1;\n"
			     "}\n"
			     "int k(int *r12, int a, int b, int c)\n"
			     "{\n"
			     "	register int high asm(\"r12\") = a;\n"
			     "	asm volatile(\"\" : \"+r\"(high));\n"
			     "	high *= b;\n"
			     "	asm volatile(\"\" : \"+r\"(high));\n"
			     "	return high;\n"
			     "}\n"
			     "int taken(const int *from, int *to)\n"
			     "{\n"
			     "	int n = *from;\n"
			     "	*to = n * n;\n"
			     "	return n;\n"
			     "}\n"
			     "unsigned cut(unsigned bits, unsigned *to)\n"
			     "{\n"
			     "	unsigned n = bits & 7;\n"
			     "	*to = n * n;\n"
			     "	return n;\n"
			     "}\n"
			     "long rounded(double x, long *to)\n"
			     "{\n"
			     "	long n = (long)x;\n"
			     "	*to = n * n;\n"
			     "	return n;\n"
			     "}\n";

/* Only code without a frame can be compiled of it. */
static const char without_frame[] = "long low(long a, long b)\n"
				    "{\n"
				    "	register long base asm(\"rbp\") = a;\n"
				    "	asm volatile(\"\" : \"+r\"(base));\n"
				    "	base += b;\n"
				    "	asm volatile(\"\" : \"+r\"(base));\n"
				    "	return base;\n"
				    "}\n";

/* The only mutant of the line that makes it one more (by 1) or less (-1). */
static GArray *actions_of(struct patched *p, unsigned line, int by)
{
	g_autoptr(GArray) all = mutator_line(p->m, p->file, line);
	GArray *actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	unsigned n = 0;

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);

		if (m->kind != MUTANT_ONE_MORE || m->to != by)
			continue;
		assert_string_equal(m->words, by > 0 ? "1 more" : "1 less");
		mutant_actions(m, actions);
		n++;
	}
	if (n != 1)
		fail_msg("line %u: %u mutants", line, n);
	return actions;
}

static void what_is_computed_is_counted(void **state)
{
	struct patched *p = patched_new_at(source, "-O2");
	long (*f)(long, long) = (long (*)(long, long))(uintptr_t)patched_function(p, "f");
	int (*k)(int *, int, int, int) =
		(int (*)(int *, int, int, int))(uintptr_t)patched_function(p, "k");

	(void)state;
	for (int by = -1; by <= 1; by += 2) {
		g_autoptr(GArray) of_f = actions_of(p, 3, by), of_k = actions_of(p, 14, by);

		patched_put(p, of_f);
		assert_int_equal(f(9, 4), 5 + by);
		assert_int_equal(f(4, 4), by);
		patched_restore(p);
		assert_int_equal(f(9, 4), 5);
		patched_put(p, of_k);
		assert_int_equal(k(NULL, 6, 7, 0), 42 + by);
		patched_restore(p);
	}
	patched_free(p);
}

/* The register is afterwards what it was. */
static void what_is_stored_is_counted(void **state)
{
	struct patched *p = patched_new_at(source, "-O2");
	int (*g)(int *, int) = (int (*)(int *, int))(uintptr_t)patched_function(p, "g");
	int to;

	(void)state;
	for (int by = -1; by <= 1; by += 2) {
		g_autoptr(GArray) actions = actions_of(p, 7, by);

		patched_put(p, actions);
		assert_int_equal(g(&to, 30), 60);
		assert_int_equal(to, 30 + by);
		patched_restore(p);
	}
	patched_free(p);
}

static void what_a_variable_takes_over_is_counted(void **state)
{
	struct patched *p = patched_new_at(source, "-O2");
	int (*taken)(const int *, int *) =
		(int (*)(const int *, int *))(uintptr_t)patched_function(p, "taken");
	unsigned (*cut)(unsigned, unsigned *) =
		(unsigned (*)(unsigned, unsigned *))(uintptr_t)patched_function(p, "cut");
	long (*rounded)(double, long *) =
		(long (*)(double, long *))(uintptr_t)patched_function(p, "rounded");

	(void)state;
	for (int by = -1; by <= 1; by += 2) {
		g_autoptr(GArray) of_taken = actions_of(p, 20, by), of_cut = actions_of(p, 26, by),
				  of_rounded = actions_of(p, 32, by);
		const int from = 6;
		unsigned square;
		long long_square;
		int int_square;

		patched_put(p, of_taken);
		assert_int_equal(taken(&from, &int_square), 6 + by);
		assert_int_equal(int_square, (6 + by) * (6 + by));
		patched_restore(p);
		patched_put(p, of_cut);
		assert_int_equal(cut(13, &square), 5 + by);
		assert_int_equal(square, (5 + by) * (5 + by));
		patched_restore(p);
		patched_put(p, of_rounded);
		assert_int_equal(rounded(4.5, &long_square), 4 + by);
		assert_int_equal(long_square, (4 + by) * (4 + by));
		patched_restore(p);
	}
	patched_free(p);
}

/* Without a frame rbp is a register like others. */
static void rbp_is_counted(void **state)
{
	struct patched *p = patched_new_at(without_frame, "-O2");
	long (*low)(long, long) = (long (*)(long, long))(uintptr_t)patched_function(p, "low");
	g_autoptr(GArray) actions = actions_of(p, 5, 1);

	(void)state;
	patched_put(p, actions);
	assert_int_equal(low(20, 22), 43);
	patched_free(p);
}

/* There expressions are put in the place of others. */
static void unoptimized_code_has_none(void **state)
{
	struct patched *p = patched_new(source);

	(void)state;
	for (unsigned line = 1; line <= 35; line++) {
		g_autoptr(GArray) all = mutator_line(p->m, p->file, line);

		for (guint i = 0; i < all->len; i++)
			assert_int_not_equal(g_array_index(all, struct mutant, i).kind,
					     MUTANT_ONE_MORE);
	}
	patched_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_computed_is_counted),
		cmocka_unit_test(what_is_stored_is_counted),
		cmocka_unit_test(what_a_variable_takes_over_is_counted),
		cmocka_unit_test(rbp_is_counted),
		cmocka_unit_test(unoptimized_code_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
