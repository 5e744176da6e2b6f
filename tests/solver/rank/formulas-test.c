/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every formula on every row of tests/data/sbfl-vectors.csv (exact arithmetic,
 * rounded once), the ranks of all rows in tests/data/sbfl-ranks.csv, and what
 * theory says of whole groups, on random spectra. */
#include "solver/rank/formulas.h"
#include "solver/rank/order.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The rows of a CSV file, the header first; each a NULL-terminated array. */
static GPtrArray *csv(const char *path)
{
	GPtrArray *rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	g_autofree char *text = NULL;

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	g_auto(GStrv) lines = g_strsplit(g_strstrip(text), "\n", -1);
	for (char **line = lines; *line; line++)
		g_ptr_array_add(rows, g_strsplit(g_strstrip(*line), ",", -1));
	return rows;
}

static struct spectrum_counts counts_of(char **row)
{
	return (struct spectrum_counts){ .ef = (unsigned)atoi(row[2]),
					 .ep = (unsigned)atoi(row[3]),
					 .nf = (unsigned)atoi(row[4]),
					 .np = (unsigned)atoi(row[5]) };
}

static bool is_near(double value, double expected)
{
	if (isinf(expected))
		return value == expected;
	return fabs(value - expected) <= 1e-12 * fabs(expected);
}

static void equals_every_vector(void **state)
{
	g_autoptr(GPtrArray) rows = csv("tests/data/sbfl-vectors.csv");
	char **header = rows->pdata[0];
	unsigned checked = 0;

	(void)state;
	for (unsigned i = 1; i < rows->len; i++) {
		char **row = rows->pdata[i];
		struct spectrum_counts counts = counts_of(row);
		for (unsigned k = 6; header[k]; k++) {
			const struct formula *f = formula_find(header[k]);
			assert_non_null(f);
			assert_string_equal(f->id, header[k]);
			double value = formula_score(f, &counts);
			if (!is_near(value, g_ascii_strtod(row[k], NULL)))
				fail_msg("%s of %s %s is %.17g, not %s", f->id, row[0], row[1],
					 value, row[k]);
			checked++;
		}
	}
	assert_int_equal(checked, 39 * 43);
}

/* The standings of the rows of one table under one formula. */
static unsigned standings_of(GPtrArray *rows, const char *table, const struct formula *f,
			     struct standing *standings)
{
	double scores[64];
	unsigned n = 0;

	for (unsigned i = 1; i < rows->len; i++) {
		char **row = rows->pdata[i];
		if (strcmp(row[0], table))
			continue;
		struct spectrum_counts counts = counts_of(row);
		scores[n++] = formula_score(f, &counts);
	}
	order_standings(scores, n, standings);
	return n;
}

static unsigned index_in_table(GPtrArray *rows, const char *table, const char *name)
{
	unsigned n = 0;

	for (unsigned i = 1; i < rows->len; i++) {
		char **row = rows->pdata[i];
		if (strcmp(row[0], table))
			continue;
		if (!strcmp(row[1], name))
			return n;
		n++;
	}
	fail_msg("no row %s %s", table, name);
	return 0;
}

static void ranks_every_table(void **state)
{
	g_autoptr(GPtrArray) rows = csv("tests/data/sbfl-vectors.csv");
	g_autoptr(GPtrArray) ranks = csv("tests/data/sbfl-ranks.csv");

	(void)state;
	assert_int_equal(ranks->len, 1 + 39 * 42);
	for (unsigned i = 1; i < ranks->len; i++) {
		char **row = ranks->pdata[i];
		struct standing standings[64];
		const struct formula *f = formula_find(row[1]);
		standings_of(rows, row[0], f, standings);
		struct standing s = standings[index_in_table(rows, row[0], row[2])];
		if (order_rank(s, RANK_WORST) != atof(row[3]) ||
		    order_rank(s, RANK_BEST) != atof(row[4]) ||
		    order_rank(s, RANK_AVERAGE) != atof(row[5]))
			fail_msg("%s %s %s: positions %u to %u", row[0], row[1], row[2], s.first,
				 s.last);
	}
}

/* Table I of the accuracy-graphs paper, as printed. */
static void gives_table_1_of_the_paper(void **state)
{
	static const struct spectrum_counts counts[] = { { 2, 4, 0, 0 }, { 0, 2, 2, 2 },
							 { 2, 3, 0, 1 }, { 1, 2, 1, 2 },
							 { 0, 2, 2, 2 }, { 1, 0, 1, 4 } };
	static const double naish2[] = { 1.2, -0.4, 1.4, 0.6, -0.4, 1.0 };
	static const double worst[] = { 2, 6, 1, 4, 6, 3 }, best[] = { 2, 5, 1, 4, 5, 3 };
	static const double average[] = { 2, 5.5, 1, 4, 5.5, 3 };
	double scores[6];
	struct standing s[6];

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		scores[i] = formula_score(formula_find("Naish2"), &counts[i]);
		assert_true(is_near(scores[i], naish2[i]));
	}
	order_standings(scores, 6, s);
	for (unsigned i = 0; i < 6; i++) {
		assert_true(order_rank(s[i], RANK_WORST) == worst[i]);
		assert_true(order_rank(s[i], RANK_BEST) == best[i]);
		assert_true(order_rank(s[i], RANK_AVERAGE) == average[i]);
	}
}

static void scores_the_peers_of_figure_1(void **state)
{
	static const struct spectrum_counts block = { 3, 3, 0, 0 };
	static const struct {
		const char *name;
		double printed;
	} peer[] = {
		{ "Tarantula", 0.50 }, { "Jaccard", 0.50 }, { "Ochiai", 0.71 }, { "SBI", 0.50 }
	};

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(peer); i++) {
		double value = formula_score(formula_find(peer[i].name), &block);
		assert_true(fabs(value - peer[i].printed) < 0.005);
	}
	assert_true(formula_confidence(&block) == 1);
	assert_true(formula_confidence(&(struct spectrum_counts){ 1, 1, 1, 3 }) == 0.5);
	assert_true(formula_confidence(&(struct spectrum_counts){ 0, 3, 2, 1 }) == 0.75);
	assert_true(formula_confidence(&(struct spectrum_counts){ 0, 0, 0, 0 }) == 0);
}

static void finds_by_any_name(void **state)
{
	(void)state;
	assert_ptr_equal(formula_find("ochiai"), formula_find("F34"));
	assert_ptr_equal(formula_find("rogers-tanimoto"), formula_find("F15"));
	assert_ptr_equal(formula_find("cbi inc"), formula_find("F10"));
	assert_ptr_equal(formula_find("dstar"), formula_find("F41"));
	assert_null(formula_find("ochia"));
	assert_null(formula_find("ochiai3"));
	assert_null(formula_find(""));
	assert_int_equal(n_formulas, 43);
}

static void random_spectrum(GRand *rand, unsigned most, struct spectrum_counts *c, unsigned n)
{
	int failed = g_rand_int_range(rand, 1, (int)most),
	    passed = g_rand_int_range(rand, 1, (int)most);

	for (unsigned i = 0; i < n; i++) {
		c[i].ef = (unsigned)g_rand_int_range(rand, 0, failed + 1);
		c[i].ep = (unsigned)g_rand_int_range(rand, 0, passed + 1);
		c[i].nf = (unsigned)failed - c[i].ef;
		c[i].np = (unsigned)passed - c[i].ep;
	}
}

static void rank_with(const char *name, const struct spectrum_counts *c, unsigned n,
		      struct standing *s)
{
	double scores[40];

	for (unsigned i = 0; i < n; i++)
		scores[i] = formula_score(formula_find(name), &c[i]);
	order_standings(scores, n, s);
}

/* Formulas that order every spectrum alike tie exactly where the other does. */
static void equivalent_formulas_rank_alike(void **state)
{
	static const char *const group[][9] = { { "F3", "F4", "F5", "F6", "F7", "F30" },
						{ "F8", "F9", "F10", "SBI" },
						{ "F11", "F12", "F13", "F14", "F15", "F16", "F17",
						  "F32" },
						{ "F18", "F19" },
						{ "F21", "F22" },
						{ "F28", "F40" } };
	g_autoptr(GRand) rand = g_rand_new_with_seed(4);
	struct spectrum_counts c[40];
	struct standing first[40], other[40];

	(void)state;
	for (unsigned round = 0; round < 600; round++) {
		random_spectrum(rand, round % 2 ? 12 : 1500, c, 40);
		for (unsigned g = 0; g < G_N_ELEMENTS(group); g++) {
			rank_with(group[g][0], c, 40, first);
			for (unsigned k = 1; group[g][k]; k++) {
				rank_with(group[g][k], c, 40, other);
				if (memcmp(first, other, sizeof first))
					fail_msg("%s and %s differ", group[g][0], group[g][k]);
			}
		}
	}
}

/* No NaN anywhere, and infinity only where the table says so. */
static void stays_finite(void **state)
{
	(void)state;
	for (unsigned bits = 0; bits < 5 * 5 * 5 * 5; bits++) {
		static const unsigned value[] = { 0, 1, 2, 11, 200000000 };
		struct spectrum_counts c = { value[bits % 5], value[bits / 5 % 5],
					     value[bits / 25 % 5], value[bits / 125] };
		for (unsigned i = 0; i < n_formulas; i++) {
			double x = formula_score(&formulas[i], &c);
			bool allowed = formulas[i].zero && strstr(formulas[i].zero, "infinity");
			assert_false(isnan(x));
			assert_true(isfinite(x) || (allowed && x > 0));
		}
	}
}

static void the_table_is_complete(void **state)
{
	unsigned xckx = 0;

	(void)state;
	for (unsigned i = 0; i < 42; i++) {
		g_autofree char *id = g_strdup_printf("F%u", i + 1);
		assert_string_equal(formulas[i].id, id);
		xckx += formulas[i].xckx;
		assert_true(!formulas[i].group || formulas[i].xckx);
	}
	assert_int_equal(xckx, 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equals_every_vector),
		cmocka_unit_test(ranks_every_table),
		cmocka_unit_test(gives_table_1_of_the_paper),
		cmocka_unit_test(scores_the_peers_of_figure_1),
		cmocka_unit_test(finds_by_any_name),
		cmocka_unit_test(equivalent_formulas_rank_alike),
		cmocka_unit_test(stays_finite),
		cmocka_unit_test(the_table_is_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
