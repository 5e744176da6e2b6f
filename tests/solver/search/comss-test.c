/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The enumeration against brute force over all subsets. */
#include "solver/search/comss.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MOST 12

/* An unsatisfiable world is given by its minimal cores. */
struct world {
	unsigned n, n_cores;
	unsigned core[10]; /* bit masks */
	double weight[MOST];
};

static bool is_correction(const struct world *w, unsigned set)
{
	for (unsigned i = 0; i < w->n_cores; i++)
		if (!(w->core[i] & set))
			return false;
	return true;
}

static bool is_minimal(const struct world *w, unsigned set)
{
	if (!is_correction(w, set))
		return false;
	for (unsigned i = 0; i < w->n; i++)
		if (set & 1u << i && is_correction(w, set & ~(1u << i)))
			return false;
	return true;
}

static double weight_of(const struct world *w, unsigned set)
{
	double sum = 0;

	for (unsigned i = 0; i < w->n; i++)
		if (set & 1u << i)
			sum += w->weight[i];
	return sum;
}

static unsigned mask_of(const unsigned *member, unsigned n)
{
	unsigned set = 0;

	for (unsigned i = 0; i < n; i++)
		set |= 1u << member[i];
	return set;
}

/* As a solver would: any core that the relaxed set misses, with some more
 * selectors in it. */
static unsigned some_core(const struct world *w, GRand *rand, unsigned set)
{
	unsigned start = g_rand_int(rand) % w->n_cores;

	for (unsigned i = 0; i < w->n_cores; i++) {
		unsigned core = w->core[(start + i) % w->n_cores];

		if (!(core & set))
			return (core | (g_rand_int(rand) & g_rand_int(rand))) & ((1u << w->n) - 1) &
			       ~set;
	}
	g_assert_not_reached();
}

static GArray *enumerate(const struct world *w, GRand *rand, unsigned max_size)
{
	struct comss *c = comss_new(w->n, w->weight, max_size);
	GArray *found = g_array_new(FALSE, FALSE, sizeof(unsigned));
	const unsigned *member;
	unsigned n;

	while ((member = comss_candidate(c, &n))) {
		unsigned set = mask_of(member, n), core[MOST], n_core = 0;

		assert_true(n <= max_size);
		if (is_correction(w, set)) {
			g_array_append_val(found, set);
			comss_accept(c);
			continue;
		}
		unsigned mask = some_core(w, rand, set);

		for (unsigned i = 0; i < w->n; i++)
			if (mask & 1u << i)
				core[n_core++] = w->n - 1 - i; /* any order will do */
		for (unsigned i = 0; i < n_core; i++)
			core[i] = w->n - 1 - core[i];
		comss_refute(c, core, n_core);
	}
	comss_free(c);
	return found;
}

static void every_minimal_set_once_in_order_of_weight(void **state)
{
	(void)state;
	GRand *rand = g_rand_new_with_seed(11);

	for (int round = 0; round < 300; round++) {
		struct world w = { .n = (unsigned)g_rand_int_range(rand, 1, MOST + 1),
				   .n_cores = (unsigned)g_rand_int_range(rand, 1, 11) };
		unsigned max_size = (unsigned)g_rand_int_range(rand, 1, 6), expected = 0;

		for (unsigned i = 0; i < w.n; i++)
			w.weight[i] = round % 2 ? 1 : g_rand_int_range(rand, 1, 6);
		for (unsigned i = 0; i < w.n_cores; i++)
			do
				w.core[i] = g_rand_int(rand) & g_rand_int(rand) & ((1u << w.n) - 1);
			while (!w.core[i]);
		g_autoptr(GArray) found = enumerate(&w, rand, max_size);

		for (unsigned set = 0; set < 1u << w.n; set++)
			expected += is_minimal(&w, set) &&
				    (unsigned)__builtin_popcount(set) <= max_size;
		assert_int_equal(found->len, expected);
		for (guint i = 0; i < found->len; i++) {
			unsigned set = g_array_index(found, unsigned, i);

			assert_true(is_minimal(&w, set));
			if (i)
				assert_true(weight_of(&w, set) >=
					    weight_of(&w, g_array_index(found, unsigned, i - 1)));
		}
	}
	g_rand_free(rand);
}

static void an_empty_core_ends_it(void **state)
{
	(void)state;
	struct comss *c = comss_new(3, NULL, 3);
	unsigned n;

	assert_non_null(comss_candidate(c, &n));
	comss_refute(c, NULL, 0);
	assert_null(comss_candidate(c, &n));
	comss_free(c);
}

static void what_is_put_off_comes_back(void **state)
{
	(void)state;
	struct comss *c = comss_new(2, NULL, 2);
	const unsigned both[] = { 1, 0 };
	unsigned n;

	comss_add_core(c, both, 2);
	assert_non_null(comss_candidate(c, &n));
	assert_int_equal(n, 1);
	comss_defer(c);
	assert_non_null(comss_candidate(c, &n));
	comss_defer(c);
	assert_null(comss_candidate(c, &n));
	assert_true(comss_resume(c));
	assert_non_null(comss_candidate(c, &n));
	comss_accept(c);
	assert_non_null(comss_candidate(c, &n));
	comss_accept(c);
	assert_null(comss_candidate(c, &n));
	assert_false(comss_resume(c));
	assert_int_equal(comss_n_cores(c), 1);
	comss_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_minimal_set_once_in_order_of_weight),
		cmocka_unit_test(an_empty_core_ends_it),
		cmocka_unit_test(what_is_put_off_comes_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
