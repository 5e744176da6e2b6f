/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What theory says, tried on every suite of up to 9 passing and 5 failing tests: wherever the
 * better formula ranks another line before the faulty one, the worse one does, too. */
#include "solver/evaluate/theory.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_PASSED = 9, MOST_FAILED = 5 };

struct suite {
	unsigned passed, failed, fault_passed; /* tests that execute the faulty line: all failed */
};

static int sign_of(const struct formula *f, struct suite s, unsigned ef, unsigned ep)
{
	const struct spectrum_counts fault = { s.failed, s.fault_passed, 0,
					       s.passed - s.fault_passed };
	const struct spectrum_counts other = { ef, ep, s.failed - ef, s.passed - ep };
	double a = formula_score(f, &other), b = formula_score(f, &fault);

	return (a > b) - (a < b);
}

static void compare_signs(const struct formula *a, const struct formula *b, struct suite s)
{
	enum theory_relation r = theory_compare(a, b);

	for (unsigned ef = 0; ef <= s.failed; ef++) {
		for (unsigned ep = 0; ep <= s.passed; ep++) {
			int x = sign_of(a, s, ef, ep), y = sign_of(b, s, ef, ep);

			if (x == y)
				continue;
			if (r == THEORY_EQUAL || (r == THEORY_MORE && (x == 1 || y == -1)))
				fail_msg("%s and %s: P %u F %u e %u, other %u %u", a->name, b->name,
					 s.passed, s.failed, s.fault_passed, ef, ep);
		}
	}
}

static void holds_in_all_small_suites(void **state)
{
	(void)state;
	for (unsigned i = 0; i < n_formulas; i++) {
		for (unsigned k = 0; k < n_formulas; k++) {
			enum theory_relation r = theory_compare(&formulas[i], &formulas[k]);

			if (r != THEORY_MORE && r != THEORY_EQUAL)
				continue;
			for (unsigned p = 1; p <= MOST_PASSED; p += 2)
				for (unsigned f = 1; f <= MOST_FAILED; f += 2)
					for (unsigned e = 0; e <= p; e++)
						compare_signs(&formulas[i], &formulas[k],
							      (struct suite){ p, f, e });
		}
	}
}

/* 37 ordered pairs of nodes, two nodes that nothing is more accurate than, none of ER5. */
static void has_the_published_shape(void **state)
{
	g_autoptr(GHashTable) nodes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	unsigned pairs = 0, most_accurate = 0;
	GHashTableIter a, b;
	gpointer first, f, second, s;

	(void)state;
	for (unsigned i = 0; i < n_formulas; i++)
		if (formulas[i].xckx && strcmp(formulas[i].id, "SBI") != 0)
			g_hash_table_insert(nodes, theory_node(&formulas[i]),
					    (gpointer)&formulas[i]);
	assert_int_equal(g_hash_table_size(nodes), 14);
	g_hash_table_iter_init(&a, nodes);
	while (g_hash_table_iter_next(&a, &first, &f)) {
		unsigned better = 0;

		g_hash_table_iter_init(&b, nodes);
		while (g_hash_table_iter_next(&b, &second, &s)) {
			enum theory_relation r = theory_compare(f, s);

			pairs += r == THEORY_MORE;
			better += r == THEORY_LESS;
			if (strcmp(first, "ER5") == 0 && f != s)
				assert_int_equal(r, THEORY_NONE);
		}
		most_accurate += !better;
	}
	assert_int_equal(pairs, 37);
	assert_int_equal(most_accurate, 2);
	assert_int_equal(theory_compare(formula_find("Zoltar"), formula_find("Ochiai")),
			 THEORY_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_in_all_small_suites),
		cmocka_unit_test(has_the_published_shape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
