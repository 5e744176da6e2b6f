/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The searches, on tables of verdicts: the running example of the AFTER paper, and random ones. */
#include "solver/regress/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Change i is line 2i + 1 of one file. */
static struct regress_changes *n_changes(unsigned n, const char *const *words)
{
	struct regress_changes *c = regress_changes_new();
	GString *old = g_string_new(NULL), *newer = g_string_new(NULL);
	g_autoptr(GBytes) before = NULL, after = NULL;

	for (unsigned i = 0; i < n; i++) {
		g_string_append_printf(old, "old%u %s\nsame\n", i, words ? words[i] : "");
		g_string_append_printf(newer, "new%u\nsame\n", i);
	}
	before = g_string_free_to_bytes(old);
	after = g_string_free_to_bytes(newer);
	regress_changes_add_file(c, "a.txt", 0100644, before, "a.txt", 0100644, after);
	for (unsigned i = 0; i < n; i++)
		regress_changes_add_lines(c, 2 * i + 1, 1, 2 * i + 1, 1, NULL);
	return c;
}

/* By bit mask of what is reverted. */
struct table {
	struct regress_oracle oracle; /* first */
	unsigned n;
	guint32 root;	   /* passes where all of it is reverted */
	guint32 one_of;	   /* and, unless 0, one of these */
	guint32 needs[32]; /* reverted i alone: these as well, or it does not compile */
	const char *complaint;
	unsigned builds, tests;
	GHashTable *built;
};

static guint32 mask_of(const GArray *set)
{
	guint32 mask = 0;

	for (guint i = 0; i < set->len; i++)
		mask |= 1u << regress_set_at(set, i);
	return mask;
}

static enum regress_verdict table_build(struct regress_oracle *o, const GArray *reverted)
{
	struct table *t = (struct table *)o;
	guint32 mask = mask_of(reverted);

	t->builds += g_hash_table_add(t->built, GUINT_TO_POINTER(mask));
	for (unsigned i = 0; i < t->n; i++)
		if (mask & 1u << i && t->needs[i] & ~mask)
			return REGRESS_BROKEN;
	return REGRESS_PASSES;
}

static enum regress_verdict table_test(struct regress_oracle *o, const GArray *reverted)
{
	struct table *t = (struct table *)o;
	guint32 mask = mask_of(reverted);

	if (table_build(o, reverted) != REGRESS_PASSES)
		return REGRESS_BROKEN;
	t->tests++;
	return (mask & t->root) == t->root && (!t->one_of || mask & t->one_of) ? REGRESS_PASSES
									       : REGRESS_FAILS;
}

static char *table_complaint(struct regress_oracle *o, const GArray *reverted)
{
	(void)reverted;
	return g_strdup(((struct table *)o)->complaint);
}

static void table_init(struct table *t, unsigned n)
{
	*t = (struct table){ .oracle = { table_build, table_test, table_complaint,
					 regress_each_in_turn },
			     .n = n,
			     .built = g_hash_table_new(NULL, NULL) };
}

static guint32 root_of(struct table *t, const GArray *order, guint32 *auxiliary)
{
	struct regress_changes *c = n_changes(t->n, NULL);
	struct regress_search *s = regress_search_new(c, &t->oracle, limits_default());
	g_autoptr(GArray) aux = NULL;
	g_autoptr(GArray) root = regress_root(s, order, &aux);
	guint32 mask = root ? mask_of(root) : 0;

	*auxiliary = aux ? mask_of(aux) : 0;
	regress_search_free(s);
	regress_changes_free(c);
	return mask;
}

/* Part E.2: it passes exactly when C3 and at least one of C1, C2 is reverted. */
static void example_init(struct table *t)
{
	table_init(t, 4);
	t->root = 1 << 2;
	t->one_of = 1 << 0 | 1 << 1;
}

static void dyn_needs_both_changes_of_the_example(void **state)
{
	struct table t;
	guint32 auxiliary;
	g_autoptr(GArray) first = regress_set_of((const unsigned[]){ 2 }, 1);
	g_autoptr(GArray) second = regress_set_of((const unsigned[]){ 1, 2 }, 2);

	(void)state;
	example_init(&t);
	assert_int_equal(root_of(&t, first, &auxiliary), 0);
	assert_int_equal(root_of(&t, second, &auxiliary), 1 << 1 | 1 << 2);
	assert_int_equal(auxiliary, 0);
	assert_int_equal(t.builds, 3);
	g_hash_table_unref(t.built);
}

static void dd_isolates_the_wrong_change_of_the_example(void **state)
{
	struct table t;
	struct regress_changes *c = n_changes(4, NULL);
	struct regress_search *s;
	g_autoptr(GArray) difference = NULL, mixture = NULL;

	(void)state;
	example_init(&t);
	s = regress_search_new(c, &t.oracle, limits_default());
	difference = regress_difference(s, NULL, &mixture);
	assert_int_equal(mask_of(difference), 1 << 2);
	regress_search_free(s);
	regress_changes_free(c);
	g_hash_table_unref(t.built);
}

/* One of twenty is to blame, the third in the order: the first alone, the second, the third. */
static void one_change_is_found_with_few_builds(void **state)
{
	struct table t;
	guint32 auxiliary;
	g_autoptr(GArray) order = regress_set_all(20);

	(void)state;
	table_init(&t, 20);
	t.root = 1 << 2;
	assert_int_equal(root_of(&t, order, &auxiliary), 1 << 2);
	assert_int_equal(t.builds, 3);
	g_hash_table_unref(t.built);
}

/* In the last place: four by themselves and 16 fail, all pass, then four are left, and one is
 * tested after the other. */
static void the_last_change_is_not_asked_for_twice(void **state)
{
	struct table t;
	guint32 auxiliary;
	g_autoptr(GArray) order = regress_set_all(20);

	(void)state;
	table_init(&t, 20);
	t.root = 1 << 19;
	assert_int_equal(root_of(&t, order, &auxiliary), 1 << 19);
	assert_int_equal(t.builds, 9);
	g_hash_table_unref(t.built);
}

static guint32 random_mask(GRand *r, unsigned n, unsigned most)
{
	guint32 mask = 0;

	for (unsigned i = 0; i < 1 + (unsigned)g_rand_int_range(r, 0, (gint32)most); i++)
		mask |= 1u << g_rand_int_range(r, 0, (gint32)n);
	return mask;
}

/* Whatever the order is and whatever does not compile, the least set is found. */
static void dyn_finds_random_roots(void **state)
{
	GRand *r = g_rand_new_with_seed(16);

	(void)state;
	for (int i = 0; i < 300; i++) {
		struct table t;
		guint32 auxiliary, needed = 0, all;
		g_autoptr(GArray) order = NULL;

		table_init(&t, 2 + (unsigned)g_rand_int_range(r, 0, 20));
		all = (1u << t.n) - 1;
		order = regress_set_all(t.n);
		t.root = random_mask(r, t.n, 3);
		for (unsigned k = 0; k < t.n; k++)
			if (g_rand_int_range(r, 0, 4) == 0 && !(t.root & 1u << k))
				t.needs[k] = random_mask(r, t.n, 2) & ~t.root;
		for (unsigned k = 0; k < t.n; k++) {
			if (t.root & 1u << k && i % 3 == 0)
				t.needs[k] = 1u << (k + 1) % t.n & ~t.root;
			needed |= t.root & 1u << k ? t.needs[k] : 0;
		}
		assert_int_equal(root_of(&t, order, &auxiliary) & ~t.root & ~needed, 0);
		assert_int_equal((root_of(&t, order, &auxiliary) | auxiliary) & t.root, t.root);
		assert_int_equal(auxiliary & ~all, 0);
		g_hash_table_unref(t.built);
	}
	g_rand_free(r);
}

static void auxiliary_follows_the_complaint(void **state)
{
	static const char *const words[] = { "", "", "", "", "", "", "counter", "" };
	struct regress_changes *c = n_changes(8, words);
	struct regress_search *s;
	struct table t;
	g_autoptr(GArray) delta = regress_set_of((const unsigned[]){ 1 }, 1), aux = NULL;

	(void)state;
	table_init(&t, 8);
	t.needs[1] = 1 << 6;
	t.complaint = "a.c:3:2: error: 'counter' undeclared (first use in this function)\n";
	s = regress_search_new(c, &t.oracle, limits_default());
	aux = regress_auxiliary(s, delta);
	assert_int_equal(mask_of(aux), 1 << 6);
	assert_int_equal(t.builds, 2); /* alone, and with what was asked for */
	regress_search_free(s);
	regress_changes_free(c);
	g_hash_table_unref(t.built);
}

static void auxiliary_halves_where_nothing_is_named(void **state)
{
	struct regress_changes *c = n_changes(8, NULL);
	struct regress_search *s;
	struct table t;
	g_autoptr(GArray) delta = regress_set_of((const unsigned[]){ 1 }, 1), aux = NULL;

	(void)state;
	table_init(&t, 8);
	t.needs[1] = 1 << 6 | 1 << 3;
	s = regress_search_new(c, &t.oracle, limits_default());
	aux = regress_auxiliary(s, delta);
	assert_int_equal(mask_of(aux), 1 << 6 | 1 << 3);
	regress_search_free(s);
	regress_changes_free(c);
	g_hash_table_unref(t.built);
}

/*
 * Changes 2, 3 and 4 are of one function.  2 is the first suspect; it needs 5 to compile, and
 * passes only with the others of its function, of which 3 alone is enough.
 */
static void the_function_of_a_suspect_is_looked_through(void **state)
{
	static const char *const words[] = { "", "", "", "", "", "counter" };
	struct regress_changes *c = n_changes(6, words);
	struct regress_search *s;
	struct table t;
	g_autoptr(GArray) order = regress_set_of((const unsigned[]){ 2 }, 1);
	g_autoptr(GArray) root = NULL, aux = NULL;

	(void)state;
	for (unsigned i = 2; i <= 4; i++)
		g_array_index(c->changes, struct regress_change, i).function = g_strdup("f");
	table_init(&t, 6);
	t.root = 1 << 3;
	t.needs[2] = 1 << 5;
	t.complaint = "b.c:3:2: error: 'counter' undeclared (first use in this function)\n";
	s = regress_search_new(c, &t.oracle, limits_default());
	root = regress_root(s, order, &aux);
	assert_non_null(root);
	assert_int_equal(mask_of(root), 1 << 3);
	assert_int_equal(mask_of(aux), 0);
	regress_search_free(s);
	regress_changes_free(c);
	g_hash_table_unref(t.built);
}

/* Like the table, and no part of a unit is ever asked for: of 1, 4 and 6, and of 2 and 3. */
static enum regress_verdict closed_build(struct regress_oracle *o, const GArray *reverted)
{
	guint32 mask = mask_of(reverted), first = mask & (1 << 1 | 1 << 4 | 1 << 6),
		second = mask & (1 << 2 | 1 << 3);

	assert_true(!first || first == (1 << 1 | 1 << 4 | 1 << 6));
	assert_true(!second || second == (1 << 2 | 1 << 3));
	return table_build(o, reverted);
}

static enum regress_verdict closed_test(struct regress_oracle *o, const GArray *reverted)
{
	return closed_build(o, reverted) == REGRESS_PASSES ? table_test(o, reverted)
							   : REGRESS_BROKEN;
}

static struct regress_search *search_with_units(struct regress_changes *c, struct table *t)
{
	static const unsigned units[] = { 0, 1, 2, 2, 1, 5, 1, 7 };

	for (unsigned i = 0; i < G_N_ELEMENTS(units); i++)
		g_array_index(c->changes, struct regress_change, i).unit = units[i];
	table_init(t, G_N_ELEMENTS(units));
	t->oracle.build = closed_build;
	t->oracle.test = closed_test;
	return regress_search_new(c, &t->oracle, limits_default());
}

/* The root is 4, which comes only with 1 and 6, and compiles only with 3, which comes only with 2.
 */
static void units_stay_whole(void **state)
{
	struct regress_changes *c = n_changes(8, NULL);
	struct table t;
	struct regress_search *s = search_with_units(c, &t);
	g_autoptr(GArray) order = regress_set_all(8), root = NULL, aux = NULL;
	g_autoptr(GArray) part = regress_set_of((const unsigned[]){ 4 }, 1), more = NULL;
	g_autoptr(GArray) difference = NULL, mixture = NULL;

	(void)state;
	t.root = 1 << 4;
	t.needs[4] = 1 << 3;
	root = regress_root(s, order, &aux);
	assert_non_null(root);
	assert_int_equal(mask_of(root), 1 << 1 | 1 << 4 | 1 << 6);
	assert_int_equal(mask_of(aux), 1 << 2 | 1 << 3);
	more = regress_auxiliary(s, part);
	assert_int_equal(mask_of(more), 1 << 1 | 1 << 6 | 1 << 2 | 1 << 3);
	t.needs[4] = 0;
	difference = regress_difference(s, part, &mixture);
	assert_int_equal(mask_of(difference), 1 << 1 | 1 << 4 | 1 << 6);
	regress_search_free(s);
	regress_changes_free(c);
	g_hash_table_unref(t.built);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dyn_needs_both_changes_of_the_example),
		cmocka_unit_test(dd_isolates_the_wrong_change_of_the_example),
		cmocka_unit_test(one_change_is_found_with_few_builds),
		cmocka_unit_test(the_last_change_is_not_asked_for_twice),
		cmocka_unit_test(dyn_finds_random_roots),
		cmocka_unit_test(auxiliary_follows_the_complaint),
		cmocka_unit_test(auxiliary_halves_where_nothing_is_named),
		cmocka_unit_test(the_function_of_a_suspect_is_looked_through),
		cmocka_unit_test(units_stay_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
