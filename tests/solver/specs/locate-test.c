/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ratings, ranks and tests of SAT-TAR's running example: statements 1 to
 * 12 of a list's removal, tests by what they execute there. */
#include "solver/specs/locate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE_OK = 1, REMOVE_OK = 2, SIZE_INVARIANT = 4 };

struct tests {
	GHashTable *first_of_two, *one_node, *second_of_two, *absent, *empty;
};

static GHashTable *lines(const char *numbers)
{
	g_auto(GStrv) words = g_strsplit(numbers, " ", -1);
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (char **w = words; *w; w++)
		g_hash_table_add(set, g_strdup(*w));
	return set;
}

static int set_up(void **state)
{
	struct tests *t = g_new(struct tests, 1);

	t->first_of_two = lines("1 2 3 4 5 7 8 9");
	t->one_node = lines("1 2 3 4 5 7 8 9");
	t->second_of_two = lines("1 2 3 4 5 6 8 9 10 11");
	t->absent = lines("1 2 3 4 10 11 12");
	t->empty = lines("1 2 3 12");
	*state = t;
	return 0;
}

static int take_down(void **state)
{
	struct tests *t = *state;

	g_hash_table_destroy(t->first_of_two);
	g_hash_table_destroy(t->one_node);
	g_hash_table_destroy(t->second_of_two);
	g_hash_table_destroy(t->absent);
	g_hash_table_destroy(t->empty);
	g_free(t);
	return 0;
}

static struct locate *begin(enum locate_technique technique, GHashTable *first, locate_set violated,
			    const char *core)
{
	const struct locate_test test = { first, violated };
	struct locate *l = locate_new(technique, &test, 3);
	g_auto(GStrv) words = g_strsplit(core, " ", -1);

	for (int i = 1; i <= 12; i++) {
		g_autofree char *s = g_strdup_printf("%d", i);

		locate_add_statement(l, s);
	}
	locate_add_core(l);
	for (char **w = words; *w; w++)
		locate_add_suspect(l, *w);
	return l;
}

static bool add(struct locate *l, GHashTable *executed, locate_set violated)
{
	return locate_add(l, &(struct locate_test){ executed, violated });
}

static unsigned similarity(const struct locate *l, GHashTable *executed)
{
	return locate_similarity(l, &(struct locate_test){ executed, 0 });
}

/* "8 2.000 1.000 1; …", as sattar_check.py prints them. */
static void expect(struct locate *l, const char *wanted)
{
	const GArray *ratings = locate_ratings(l);
	GString *got = g_string_new(NULL);

	for (guint i = 0; i < ratings->len; i++) {
		const struct locate_rating *r = &g_array_index(ratings, struct locate_rating, i);

		g_string_append_printf(got, "%s%s %.3f %.3f %u", i ? "; " : "", r->statement,
				       r->suspiciousness, r->confidence, r->rank);
	}
	assert_string_equal(got->str, wanted);
	g_string_free(got, TRUE);
}

static void test_size_err(void **state)
{
	const struct tests *t = *state;
	struct locate *l = begin(LOCATE_SAT_TAR, t->first_of_two, SIZE_OK, "2 3 4 8");

	assert_int_equal(similarity(l, t->one_node), 0);
	assert_int_equal(similarity(l, t->second_of_two), 4);
	assert_int_equal(similarity(l, t->absent), 3);
	assert_int_equal(similarity(l, t->empty), 2);
	assert_true(add(l, t->second_of_two, SIZE_OK));
	expect(l, "2 2.000 1.000 4; 3 2.000 1.000 4; 4 2.000 1.000 4; 8 2.000 1.000 4; "
		  "1 1.000 1.000 7; 5 1.000 1.000 7; 9 1.000 1.000 7; 6 1.000 0.500 11; "
		  "7 1.000 0.500 11; 10 1.000 0.500 11; 11 1.000 0.500 11; 12 0.000 0.000 12");
	assert_true(add(l, t->absent, 0));
	expect(l, "8 2.000 1.000 1; 2 1.500 1.000 4; 3 1.500 1.000 4; 4 1.500 1.000 4; "
		  "5 1.000 1.000 6; 9 1.000 1.000 6; 6 1.000 0.500 8; 7 1.000 0.500 8; "
		  "1 0.500 1.000 9; 10 0.333 1.000 11; 11 0.333 1.000 11; 12 0.000 1.000 12");
	assert_true(add(l, t->empty, 0));
	expect(l, "8 2.000 1.000 1; 4 1.667 1.000 2; 2 1.500 1.000 4; 3 1.500 1.000 4; "
		  "5 1.000 1.000 6; 9 1.000 1.000 6; 6 1.000 0.500 8; 7 1.000 0.500 8; "
		  "1 0.500 1.000 9; 10 0.500 0.500 11; 11 0.500 0.500 11; 12 0.000 1.000 12");
	locate_free(l);
}

static void test_head_err(void **state)
{
	const struct tests *t = *state;
	struct locate *l = begin(LOCATE_SAT_TAR, t->one_node, SIZE_INVARIANT, "1 2 3 4 5 7 8");

	expect(l, "1 2.000 1.000 7; 2 2.000 1.000 7; 3 2.000 1.000 7; 4 2.000 1.000 7; "
		  "5 2.000 1.000 7; 7 2.000 1.000 7; 8 2.000 1.000 7; 9 1.000 1.000 8; "
		  "6 0.000 0.000 12; 10 0.000 0.000 12; 11 0.000 0.000 12; 12 0.000 0.000 12");
	assert_int_equal(similarity(l, t->second_of_two), 6);
	assert_int_equal(similarity(l, t->absent), 4);
	assert_int_equal(similarity(l, t->empty), 3);
	assert_true(add(l, t->second_of_two, 0));
	expect(l, "7 2.000 1.000 1; 1 1.500 1.000 7; 2 1.500 1.000 7; 3 1.500 1.000 7; "
		  "4 1.500 1.000 7; 5 1.500 1.000 7; 8 1.500 1.000 7; 9 0.500 1.000 8; "
		  "6 0.000 1.000 11; 10 0.000 1.000 11; 11 0.000 1.000 11; 12 0.000 0.000 12");
	locate_free(l);
}

/* Tarantula alone, with the one-node test: the fault is below what no passing test executes. */
static void test_tarantula_alone(void **state)
{
	const struct tests *t = *state;
	struct locate *l = begin(LOCATE_TAR_DT, t->first_of_two, SIZE_OK, "2 3 4 8");

	assert_true(add(l, t->second_of_two, SIZE_OK));
	assert_true(add(l, t->one_node, 0));
	assert_true(add(l, t->empty, 0));
	expect(l, "6 1.000 0.500 3; 10 1.000 0.500 3; 11 1.000 0.500 3; 4 0.667 1.000 7; "
		  "5 0.667 1.000 7; 8 0.667 1.000 7; 9 0.667 1.000 7; 1 0.500 1.000 10; "
		  "2 0.500 1.000 10; 3 0.500 1.000 10; 7 0.500 0.500 11; 12 0.000 0.500 12");
	locate_free(l);
}

/* Both faults: what fails for another reason is left out. */
static void test_two_faults(void **state)
{
	const struct tests *t = *state;
	struct locate *l = begin(LOCATE_SAT_TAR, t->one_node, REMOVE_OK, "1 2 3 4 5 7");

	assert_false(add(l, t->second_of_two, SIZE_OK));
	assert_true(add(l, t->absent, 0));
	assert_true(locate_similarity(l, &(struct locate_test){ t->second_of_two, 0 }) > 0);
	locate_free(l);
}

/* A failing test acquits suspects that it does not execute, unless it violates less. */
static void test_acquittal(void **state)
{
	const struct tests *t = *state;
	struct locate *l = begin(LOCATE_SAT_TAR, t->first_of_two, SIZE_OK | REMOVE_OK, "2 3 4 7 8");
	const struct locate_rating *first;

	assert_true(add(l, t->second_of_two, SIZE_OK));
	assert_int_equal(similarity(l, t->empty), 2);
	first = &g_array_index(locate_ratings(l), struct locate_rating, 4);
	assert_string_equal(first->statement, "7"); /* still with its bonus */
	assert_true(first->suspect);
	locate_free(l);
	l = begin(LOCATE_SAT_TAR, t->first_of_two, SIZE_OK, "2 3 4 7 8");
	assert_true(add(l, t->second_of_two, SIZE_OK));
	for (guint i = 0; i < locate_ratings(l)->len; i++) {
		first = &g_array_index(locate_ratings(l), struct locate_rating, i);
		if (!strcmp(first->statement, "7"))
			assert_false(first->suspect);
	}
	locate_free(l);
}

/* After three rounds without change a test has to tell suspects apart. */
static void test_strategy(void **state)
{
	const struct tests *t = *state;
	struct locate *l = begin(LOCATE_SAT_TAR, t->first_of_two, SIZE_OK, "2 3 4 8");
	g_autoptr(GHashTable) other = lines("1 2 3 4 5 6 7 8"), more = lines("2 3 4 8 12");

	assert_true(add(l, t->second_of_two, SIZE_OK));
	assert_true(add(l, other, SIZE_OK));
	assert_int_equal(similarity(l, more), 4);
	assert_true(add(l, other, SIZE_OK));
	assert_int_equal(similarity(l, more), 0);
	assert_int_equal(similarity(l, t->absent), 3);
	locate_free(l);
}

/* What runs have proven comes before what tests make likely; half a proof is less than one. */
static void test_proofs(void **state)
{
	const struct tests *t = *state;
	struct locate *l = begin(LOCATE_SAT_TAR, t->first_of_two, SIZE_OK, "2 3 4");
	const struct locate_rating *first, *second;

	locate_add_proofs(l);
	locate_add_proof(l, "8", 1, 0);
	locate_add_proof(l, "3", 0.5, 0);
	assert_true(add(l, t->absent, 0));
	first = &g_array_index(locate_ratings(l), struct locate_rating, 0);
	second = first + 1;
	assert_string_equal(first->statement, "8");
	assert_int_equal(first->rank, 1);
	assert_float_equal(first->mends, 1, 1e-9);
	assert_float_equal(first->suspiciousness, 2, 1e-9);
	assert_string_equal(second->statement, "3");
	assert_int_equal(second->rank, 2);
	locate_add_proofs(l); /* another call, which 3 mends and 8 does not */
	locate_add_proof(l, "3", 1, 0);
	first = &g_array_index(locate_ratings(l), struct locate_rating, 0);
	assert_string_equal(first->statement, "3");
	assert_float_equal(first->mends, 0.75, 1e-9);
	assert_float_equal(first[1].mends, 0.5, 1e-9);
	locate_free(l);
}

/* Of statements that can mend the call, the one that leaves it as it was in all else is first. */
static void test_likeness(void **state)
{
	const struct tests *t = *state;
	struct locate *l = begin(LOCATE_SAT_TAR, t->first_of_two, SIZE_OK, "4 8");
	const struct locate_rating *first;

	locate_add_proofs(l);
	locate_add_proof(l, "4", 1, 0.25);
	locate_add_proof(l, "8", 1, 1);
	first = &g_array_index(locate_ratings(l), struct locate_rating, 0);
	assert_string_equal(first->statement, "8");
	assert_int_equal(first->rank, 1);
	assert_string_equal(first[1].statement, "4");
	assert_int_equal(first[1].rank, 2);
	assert_float_equal(first->likeness, 1, 1e-9);
	locate_free(l);
}

/* What the user knows to be right stands last, whatever cores and proofs say of it later. */
static void test_cleared(void **state)
{
	struct tests *t = *state;
	struct locate *l = begin(LOCATE_SAT_TAR, t->first_of_two, SIZE_OK, "2 3 4 8");
	const struct locate_rating *r;

	locate_clear(l, "4");
	assert_int_equal(locate_best_similarity(l), 3);
	locate_add_core(l);
	locate_add_suspect(l, "4");
	locate_add_proofs(l);
	locate_add_proof(l, "4", 1, 0);
	assert_true(add(l, t->absent, 0));
	r = &g_array_index(locate_ratings(l), struct locate_rating, 0);
	assert_string_equal(r->statement, "8");
	for (guint i = 0; i < 12; i++)
		if (!strcmp(r[i].statement, "4")) {
			assert_int_equal(r[i].rank, 12);
			assert_float_equal(r[i].suspiciousness, 0, 1e-9);
			assert_false(r[i].suspect);
		}
	locate_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_size_err, set_up, take_down),
		cmocka_unit_test_setup_teardown(test_head_err, set_up, take_down),
		cmocka_unit_test_setup_teardown(test_tarantula_alone, set_up, take_down),
		cmocka_unit_test_setup_teardown(test_two_faults, set_up, take_down),
		cmocka_unit_test_setup_teardown(test_acquittal, set_up, take_down),
		cmocka_unit_test_setup_teardown(test_strategy, set_up, take_down),
		cmocka_unit_test_setup_teardown(test_proofs, set_up, take_down),
		cmocka_unit_test_setup_teardown(test_likeness, set_up, take_down),
		cmocka_unit_test_setup_teardown(test_cleared, set_up, take_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
