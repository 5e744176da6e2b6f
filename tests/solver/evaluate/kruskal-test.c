/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kruskal-Wallis, comparisons and letters against tests/data/kruskal-vectors.csv: NIST's
 * data set GEAR, whose values are published, and one with ties; made by a program of its own. */
#include "solver/evaluate/kruskal.h"
#include "solver/evaluate/letters.h"

#include <glib.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double gear[10][10] = {
	{ 1.006, 0.996, 0.998, 1.000, 0.992, 0.993, 1.002, 0.999, 0.994, 1.000 },
	{ 0.998, 1.006, 1.000, 1.002, 0.997, 0.998, 0.996, 1.000, 1.006, 0.988 },
	{ 0.991, 0.987, 0.997, 0.999, 0.995, 0.994, 1.000, 0.999, 0.996, 0.996 },
	{ 1.005, 1.002, 0.994, 1.000, 0.995, 0.994, 0.998, 0.996, 1.002, 0.996 },
	{ 0.998, 0.998, 0.982, 0.990, 1.002, 0.984, 0.996, 0.993, 0.980, 0.996 },
	{ 1.009, 1.013, 1.009, 0.997, 0.988, 1.002, 0.995, 0.998, 0.981, 0.996 },
	{ 0.990, 1.004, 0.996, 1.001, 0.998, 1.000, 1.018, 1.010, 0.996, 1.002 },
	{ 0.998, 1.000, 1.006, 1.000, 1.002, 0.996, 0.998, 0.996, 1.002, 1.006 },
	{ 1.002, 0.998, 0.996, 0.995, 0.996, 1.004, 1.004, 0.998, 0.999, 0.991 },
	{ 0.991, 0.995, 0.984, 0.994, 0.997, 0.997, 0.991, 0.998, 1.004, 0.997 },
};

static const double small[5][12] = {
	{ 1, 1, 2, 2, 2, 3, 3, 1, 2, 1, 2, 1 }, { 1, 2, 2, 3, 3, 3, 4, 2, 2, 1, 3, 2 },
	{ 4, 4, 5, 6, 6, 5, 4, 7, 5, 6, 4, 5 }, { 3, 4, 4, 3, 5, 4, 3, 4, 4, 2, 3, 4 },
	{ 9, 8, 9, 9, 7, 9, 8, 9, 9, 8, 9, 9 },
};

static const char *const relations[LETTERS_RELATIONS] = {
	[LETTERS_SAME] = "=",
	[LETTERS_MORE] = ">",
	[LETTERS_LESS] = "<",
	[LETTERS_NEAR] = "~",
};

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fmax(1, fabs(b)) || fabs(a - b) <= 1e-9 * fabs(b);
}

static double number(const char *text)
{
	return g_ascii_strtod(text, NULL);
}

static unsigned group_of(const char *name)
{
	return name[0] == 'g' ? (unsigned)atoi(name + 1) : (unsigned)(name[1] - 'A');
}

struct data_set {
	struct kruskal *k;
	struct letters *l;
	double critical;
};

static void check_group(const struct data_set *d, char **f)
{
	unsigned g = group_of(f[2]);
	g_autofree char *text = letters_text(d->l, g);

	assert_true(is_near(d->k->mean_ranks[g], number(f[3])));
	assert_string_equal(text, f[4]);
}

static void check_pair(const struct data_set *d, char **f)
{
	g_auto(GStrv) names = g_strsplit(f[2], "|", 2);
	unsigned a = group_of(names[0]), b = group_of(names[1]);
	struct kruskal_pair p = kruskal_compare(d->k, a, b, d->critical);

	assert_true(is_near(p.difference, number(f[3])));
	assert_true(is_near(p.low, number(f[4])));
	assert_true(is_near(p.high, number(f[5])));
	assert_true(is_near(p.p, number(f[6])));
	assert_int_equal(p.significant, atoi(f[7]));
	assert_string_equal(relations[letters_compare(d->l, a, b)], f[8]);
}

/* dataset,stat,"N,k,sumt,H,Hc,p,crit",N,k,sumt,H,Hc,p;crit */
static void check_statistics(const struct data_set *d, const char *line)
{
	g_auto(GStrv) f = g_strsplit_set(strrchr(line, '"') + 2, ",;", -1);

	assert_int_equal(d->k->n, atoi(f[0]));
	assert_int_equal(d->k->n_groups, atoi(f[1]));
	assert_true(d->k->ties == number(f[2]));
	assert_true(is_near(d->k->h, number(f[3])));
	assert_true(is_near(d->k->corrected, number(f[4])));
	assert_true(is_near(d->k->p, number(f[5])));
	assert_true(is_near(d->critical, number(f[6])));
}

static unsigned check_vectors(const char *set, const double *values, unsigned groups, unsigned n)
{
	g_autofree struct kruskal_group *of = g_new(struct kruskal_group, groups);
	g_autofree char *text = NULL, *prefix = g_strconcat(set, ",", NULL);
	g_auto(GStrv) lines = NULL;
	struct data_set d;
	unsigned checked = 0;

	for (unsigned i = 0; i < groups; i++)
		of[i] = (struct kruskal_group){ values + i * n, n };
	d.k = kruskal_new(of, groups);
	d.l = letters_new(d.k, 0.05);
	d.critical = kruskal_critical(groups, 0.05);
	assert_true(g_file_get_contents("tests/data/kruskal-vectors.csv", &text, NULL, NULL));
	lines = g_strsplit_set(text, "\r\n", -1);
	for (char **line = lines; *line; line++) {
		g_auto(GStrv) f = g_strsplit(*line, ",", -1);

		if (!g_str_has_prefix(*line, prefix))
			continue;
		checked++;
		if (strcmp(f[1], "group") == 0)
			check_group(&d, f);
		else if (strcmp(f[1], "pair") == 0)
			check_pair(&d, f);
		else
			check_statistics(&d, *line);
	}
	letters_free(d.l);
	kruskal_free(d.k);
	return checked;
}

static void agrees_with_the_vectors(void **state)
{
	(void)state;
	assert_int_equal(check_vectors("gear", gear[0], 10, 10), 10 + 45 + 1);
	assert_int_equal(check_vectors("small", small[0], 5, 12), 5 + 10 + 1);
}

/* Published with the test of GNU Octave's statistics package. */
static void agrees_with_published_values(void **state)
{
	struct kruskal_group of[10];
	struct kruskal *k;

	(void)state;
	for (unsigned i = 0; i < 10; i++)
		of[i] = (struct kruskal_group){ gear[i], 10 };
	k = kruskal_new(of, 10);
	assert_true(fabs(k->corrected - 17.03124) < 1e-5 && fabs(k->p - 0.048229) < 1e-6);
	kruskal_free(k);
	assert_true(fabs(kruskal_critical(30, 0.05) - 3.856669) < 1e-6);
	assert_true(fabs(kruskal_critical(42, 0.05) - 4.020511) < 1e-6);
}

static void finds_equal_values_alike(void **state)
{
	static const double ones[] = { 1, 1, 1 };
	const struct kruskal_group of[] = { { ones, 3 }, { ones, 2 }, { ones, 3 } };
	struct kruskal *k = kruskal_new(of, 3), *alone = kruskal_new(of, 1);
	struct letters *l = letters_new(k, 0.05), *one = letters_new(alone, 0.05);

	(void)state;
	assert_true(k->p == 1 && k->corrected == 0);
	assert_int_equal(l->n_letters, 1);
	assert_int_equal(letters_compare(l, 0, 2), LETTERS_SAME);
	assert_true(alone->p == 1);
	assert_int_equal(one->n_letters, 1);
	letters_free(l);
	letters_free(one);
	kruskal_free(k);
	kruskal_free(alone);
}

/* Groups of different sizes: B is between A and C and has so few values that it differs from
 * neither, D of many values is between them, too, and differs from both. */
static void keeps_apart_what_is_not_a_row(void **state)
{
	double a[60], c[60], d[200];
	static const double b[] = { 500 };
	struct kruskal_group of[] = { { c, 60 }, { a, 60 }, { b, 1 }, { d, 200 } };
	struct kruskal *k;
	struct letters *l;
	const char *const expected[] = { "B", "A", "ABC", "C" };

	(void)state;
	for (unsigned i = 0; i < 60; i++) {
		a[i] = i;
		c[i] = 1000 + i;
	}
	for (unsigned i = 0; i < 200; i++)
		d[i] = 300 + i;
	of[0].values = c;
	k = kruskal_new(of, 4);
	l = letters_new(k, 0.05);
	for (unsigned i = 0; i < 4; i++) {
		g_autofree char *text = letters_text(l, i);

		/* in the order of mean ranks: a, d, b, c */
		assert_string_equal(text, i == 0 ? "C" : i == 3 ? "B" : expected[i]);
	}
	assert_int_equal(letters_compare(l, 1, 0), LETTERS_MORE);
	assert_int_equal(letters_compare(l, 0, 1), LETTERS_LESS);
	assert_int_equal(letters_compare(l, 1, 2), LETTERS_NEAR);
	letters_free(l);
	kruskal_free(k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_the_vectors),
		cmocka_unit_test(agrees_with_published_values),
		cmocka_unit_test(finds_equal_values_alike),
		cmocka_unit_test(keeps_apart_what_is_not_a_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
