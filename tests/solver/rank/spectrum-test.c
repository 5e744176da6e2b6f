/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra against plain tables, and their size. */
#include "solver/rank/spectrum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "solver/rank/units.h"

enum { N_TESTS = 60, N_UNITS = 300, N_GROUPS = 40 };

struct plain {
	guint64 times[N_TESTS][SPECTRUM_KINDS][N_UNITS];
	enum spectrum_verdict verdict[N_TESTS];
};

static struct spectrum *random_spectrum(GRand *rand, struct plain *p)
{
	struct spectrum *s = spectrum_new();

	for (unsigned t = 0; t < N_TESTS; t++) {
		p->verdict[t] = (enum spectrum_verdict)g_rand_int_range(rand, 0, 3);
		spectrum_begin(s, "x", p->verdict[t]);
		for (unsigned i = g_rand_int_range(rand, 0, 400); i; i--) {
			unsigned unit = (unsigned)g_rand_int_range(rand, 0, N_UNITS);
			enum spectrum_kind kind =
				(enum spectrum_kind)g_rand_int_range(rand, 0, SPECTRUM_KINDS);
			guint64 times = g_rand_int(rand) >> g_rand_int_range(rand, 0, 32);
			spectrum_add(s, kind, unit, times);
			p->times[t][kind][unit] += times;
		}
		spectrum_end(s);
	}
	return s;
}

static void gives_back_what_was_added(void **state)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	g_autofree struct plain *p = g_new0(struct plain, 1);
	struct spectrum *s = random_spectrum(rand, p);

	(void)state;
	for (unsigned t = 0; t < N_TESTS; t++) {
		for (unsigned k = 0; k < SPECTRUM_KINDS; k++) {
			struct spectrum_row row = spectrum_row(s, t, (enum spectrum_kind)k);
			for (unsigned u = 0; u < N_UNITS; u++) {
				if (!p->times[t][k][u])
					continue;
				assert_true(spectrum_next(&row));
				assert_int_equal(row.unit, u);
				assert_int_equal(row.times, p->times[t][k][u]);
			}
			assert_false(spectrum_next(&row));
		}
	}
	spectrum_free(s);
}

static struct spectrum_counts count_plainly(const struct plain *p, const unsigned *group,
					    unsigned wanted)
{
	struct spectrum_counts c = { 0 };

	for (unsigned t = 0; t < N_TESTS; t++) {
		bool met = false, failed = p->verdict[t] == SPECTRUM_FAILED;
		if (p->verdict[t] == SPECTRUM_IGNORED)
			continue;
		for (unsigned u = 0; u < N_UNITS; u++)
			met |= group[u] == wanted && p->times[t][SPECTRUM_STATEMENT][u];
		c.ef += failed && met;
		c.ep += !failed && met;
		c.nf += failed && !met;
		c.np += !failed && !met;
	}
	return c;
}

static void counts_and_sums_as_a_table_does(void **state)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(2);
	g_autofree struct plain *p = g_new0(struct plain, 1);
	struct spectrum *s = random_spectrum(rand, p);
	unsigned group[N_UNITS];
	struct spectrum_counts counts[N_GROUPS];
	guint64 passed[N_UNITS], failed[N_UNITS];

	(void)state;
	for (unsigned u = 0; u < N_UNITS; u++)
		group[u] = u % 7 ? u % N_GROUPS : UNIT_NONE;
	spectrum_count(s, SPECTRUM_STATEMENT, group, N_UNITS, counts, N_GROUPS);
	for (unsigned g = 0; g < N_GROUPS; g++) {
		struct spectrum_counts c = count_plainly(p, group, g);
		assert_memory_equal(&c, &counts[g], sizeof c);
	}
	spectrum_sum(s, SPECTRUM_EDGE, passed, failed, N_UNITS);
	for (unsigned u = 0; u < N_UNITS; u++) {
		for (unsigned t = 0; t < N_TESTS; t++) {
			guint64 times = p->times[t][SPECTRUM_EDGE][u];
			if (p->verdict[t] == SPECTRUM_PASSED)
				passed[u] -= times;
			if (p->verdict[t] == SPECTRUM_FAILED)
				failed[u] -= times;
		}
		assert_true(passed[u] == 0 && failed[u] == 0);
	}
	spectrum_free(s);
}

static void a_dropped_test_leaves_nothing(void **state)
{
	struct spectrum *s = spectrum_new();
	struct spectrum_counts c;

	(void)state;
	spectrum_begin(s, "interrupted", SPECTRUM_FAILED);
	spectrum_add(s, SPECTRUM_STATEMENT, 0, 9);
	assert_int_equal(spectrum_n_tests(s), 0);
	spectrum_drop(s);
	spectrum_begin(s, "whole", SPECTRUM_PASSED);
	spectrum_add(s, SPECTRUM_EDGE, 3, G_MAXUINT64);
	spectrum_add(s, SPECTRUM_EDGE, 3, 5);
	spectrum_end(s);
	assert_int_equal(spectrum_n_tests(s), 1);
	assert_string_equal(spectrum_name(s, 0), "whole");
	spectrum_count(s, SPECTRUM_STATEMENT, NULL, 0, &c, 1);
	assert_true(c.ef == 0 && c.nf == 0 && c.ep == 0 && c.np == 1);
	struct spectrum_row row = spectrum_row(s, 0, SPECTRUM_EDGE);
	assert_true(spectrum_next(&row) && row.unit == 3 && row.times == SPECTRUM_MOST);
	spectrum_set_verdict(s, 0, SPECTRUM_IGNORED);
	spectrum_count(s, SPECTRUM_STATEMENT, NULL, 0, &c, 1);
	assert_int_equal(c.np, 0);
	spectrum_free(s);
}

/* 1,600 tests that meet half of 3,000 units each. */
static void is_small(void **state)
{
	struct spectrum *s = spectrum_new();

	(void)state;
	for (unsigned t = 0; t < 1600; t++) {
		spectrum_begin(s, "t", SPECTRUM_PASSED);
		for (unsigned u = t % 2; u < 3000; u += 2)
			spectrum_add(s, SPECTRUM_STATEMENT, u, u % 100 + 1);
		spectrum_end(s);
	}
	assert_in_range(spectrum_bytes(s), 1, 2 * 1600 * 1500);
	spectrum_free(s);
}

static void units_are_looked_up(void **state)
{
	struct units *u = units_new();
	unsigned line = units_line(u, "f.c", 3), a = units_add_block(u, false);
	unsigned b = units_add_block(u, true);
	unsigned s = units_add_statement(u, line, a), p = units_add_predicate(u, s, 2);
	unsigned q = units_add_predicate(u, s, 3);

	(void)state;
	assert_int_equal(units_line(u, "f.c", 4), line + 1);
	assert_int_equal(units_line(u, "g.c", 3), line + 2);
	assert_int_equal(units_line(u, "f.c", 3), line);
	assert_int_equal(units_find_line(u, "g.c", 3), line + 2);
	assert_int_equal(units_find_line(u, "g.c", 4), UNIT_NONE);
	unsigned edge = units_edge(u, a, b);
	assert_int_equal(units_edge(u, b, a), edge + 1);
	assert_int_equal(units_edge(u, a, b), edge);
	unsigned tt = units_sequence(u, p, "TT");
	assert_int_equal(units_sequence(u, q, "TT"), tt + 1);
	assert_int_equal(units_sequence(u, p, "F-"), tt + 2);
	assert_int_equal(units_sequence(u, p, "TT"), tt);
	assert_int_equal(u->outcomes->len, 5);
	assert_int_equal(g_array_index(u->outcomes, unsigned, 4), q);
	assert_int_equal(g_array_index(u->predicates, struct unit_predicate, q).first, 2);
	units_free(u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_back_what_was_added),
		cmocka_unit_test(counts_and_sums_as_a_table_does),
		cmocka_unit_test(a_dropped_test_leaves_nothing),
		cmocka_unit_test(is_small),
		cmocka_unit_test(units_are_looked_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
