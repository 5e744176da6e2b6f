/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which changes come first, from tables of lines that are filled by hand. */
#include "gdbext/regress/coverage.h"
#include "solver/limits/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* Ten lines, of which 2, 4, 6 and 8 changed: each a change of its own. */
enum { LINES = 10, CHANGES = 4 };

struct runs {
	struct regress_changes *changes;
	struct coverage *old, *newer;
	GArray *suspicions;
	GArray *order;
};

static GBytes *text_of(bool newer)
{
	GString *text = g_string_new(NULL);

	for (unsigned l = 1; l <= LINES; l++)
		g_string_append_printf(text, "%s%u;\n",
				       newer && l % 2 == 0 && l <= 2 * CHANGES ? "n" : "o", l);
	return g_string_free_to_bytes(text);
}

static struct regress_changes *changes_of(const char *path)
{
	struct regress_changes *c = regress_changes_new();
	g_autoptr(GBytes) old = text_of(false), newer = text_of(true);

	regress_changes_add_file(c, path, 0100644, old, path, 0100644, newer);
	for (unsigned i = 1; i <= CHANGES; i++)
		regress_changes_add_lines(c, 2 * i, 1, 2 * i, 1, NULL);
	assert_int_equal(regress_changes_count(c), CHANGES);
	return c;
}

/* All lines stand in a function that begins on line 1 and are executed once in both versions; the
 * code of the changes differs. */
static void setup(struct runs *r)
{
	r->changes = changes_of("f.c");
	r->old = coverage_empty_new();
	r->newer = coverage_empty_new();
	for (unsigned l = 1; l <= LINES; l++) {
		coverage_add_count(r->old, "f.c", l, 1);
		coverage_add_count(r->newer, "f.c", l, 1);
		coverage_add_code(r->old, "f.c", l, 1, l);
		coverage_add_code(r->newer, "f.c", l, 1, l % 2 ? l : 100 + l);
	}
	r->suspicions = r->order = NULL;
}

static void look(struct runs *r, unsigned which)
{
	r->suspicions = suspicions_new(r->changes, r->old, r->newer, limits_default());
	r->order = suspicions_order(r->suspicions, which);
}

static void teardown(struct runs *r)
{
	g_array_unref(r->order);
	g_array_unref(r->suspicions);
	coverage_free(r->old);
	coverage_free(r->newer);
	regress_changes_free(r->changes);
}

static void assert_order(const struct runs *r, const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < r->order->len; i++)
		g_string_append_printf(text, "%u", g_array_index(r->order, unsigned, i));
	assert_string_equal(text->str, expected);
}

static const struct suspicion *suspicion(const struct runs *r, unsigned change)
{
	return &g_array_index(r->suspicions, struct suspicion, change);
}

/* Line 9 is executed by one version only. */
static void the_nearest_to_a_difference_is_first(void **state)
{
	struct runs r;

	(void)state;
	setup(&r);
	coverage_free(r.old);
	r.old = coverage_empty_new();
	for (unsigned l = 1; l <= LINES; l++) {
		coverage_add_count(r.old, "f.c", l, l != 9);
		coverage_add_code(r.old, "f.c", l, 1, l);
	}
	look(&r, SUSPICION_ACTIVE);
	assert_order(&r, "3210");
	assert_true(suspicion(&r, 3)->distance < suspicion(&r, 2)->distance);
	teardown(&r);
}

/* Lines that are executed another number of times are differences, too, but lesser ones. */
static void how_often_counts_less(void **state)
{
	struct runs r;

	(void)state;
	setup(&r);
	coverage_add_count(r.newer, "f.c", 3, 5);
	look(&r, SUSPICION_ACTIVE);
	assert_order(&r, "0123");
	assert_true(suspicion(&r, 0)->distance > 1);
	teardown(&r);
}

/* The runs had parted before one of them came to a change that the other did not come to. */
static void where_one_version_comes_alone_is_later(void **state)
{
	struct runs r;

	(void)state;
	setup(&r);
	coverage_free(r.newer);
	r.newer = coverage_empty_new();
	for (unsigned l = 1; l <= LINES; l++) {
		coverage_add_count(r.newer, "f.c", l, l < 4);
		coverage_add_code(r.newer, "f.c", l, 1, 100 + l);
	}
	look(&r, SUSPICION_ACTIVE);
	assert_order(&r, "0123");
	assert_false(suspicion(&r, 0)->is_parted);
	for (unsigned i = 1; i < CHANGES; i++) {
		assert_true(suspicion(&r, i)->is_parted);
		assert_true(suspicion(&r, i)->is_executed);
	}
	teardown(&r);
}

static void add_ways(struct coverage *c, unsigned line, guint64 taken, guint64 others)
{
	coverage_add_way(c, "f.c", line, true, taken);
	coverage_add_way(c, "f.c", line, false, others);
}

/* In the same number of calls a branch decides otherwise. */
static void a_branch_that_decides_otherwise_is_first(void **state)
{
	struct runs r;

	(void)state;
	setup(&r);
	add_ways(r.old, 6, 3, 1);
	add_ways(r.newer, 6, 2, 1);
	add_ways(r.old, 8, 3, 1);
	add_ways(r.newer, 8, 6, 2); /* as often, in proportion */
	look(&r, SUSPICION_ACTIVE);
	assert_order(&r, "2013");
	assert_false(suspicion(&r, 3)->turns);
	teardown(&r);
}

/* The function is called more often: that a branch in it goes both ways more often is not its
 * doing; that it goes one way less often is. */
static void more_calls_turn_no_branch(void **state)
{
	struct runs r;

	(void)state;
	setup(&r);
	coverage_add_count(r.newer, "f.c", 1, 4);
	add_ways(r.old, 4, 3, 1);
	add_ways(r.newer, 4, 5, 2);
	add_ways(r.old, 6, 3, 1);
	add_ways(r.newer, 6, 2, 9);
	look(&r, SUSPICION_ACTIVE);
	assert_false(suspicion(&r, 1)->turns);
	assert_true(suspicion(&r, 2)->turns);
	assert_int_equal(g_array_index(r.order, unsigned, 0), 2);
	teardown(&r);
}

/* Of the same code on both sides, not executed, without code: each is a group of its own. */
static void groups(void **state)
{
	struct runs r;

	(void)state;
	setup(&r);
	coverage_free(r.newer);
	coverage_free(r.old);
	r.old = coverage_empty_new();
	r.newer = coverage_empty_new();
	coverage_add_count(r.old, "f.c", 2, 1);
	coverage_add_count(r.newer, "f.c", 2, 1);
	coverage_add_code(r.old, "f.c", 2, 1, 7);
	coverage_add_code(r.newer, "f.c", 2, 1, 7);
	coverage_add_count(r.old, "f.c", 4, 1);
	coverage_add_count(r.newer, "f.c", 4, 1);
	coverage_add_code(r.newer, "f.c", 4, 1, 8);
	coverage_add_count(r.newer, "f.c", 6, 0); /* code that is not executed */
	look(&r, SUSPICION_ACTIVE);
	assert_order(&r, "1");
	g_array_unref(r.order);
	r.order = suspicions_order(r.suspicions, SUSPICION_EXECUTED);
	assert_order(&r, "10");
	g_array_unref(r.order);
	r.order = suspicions_order(r.suspicions, SUSPICION_SOURCES);
	assert_order(&r, "3");
	g_array_unref(r.order);
	r.order = suspicions_order(r.suspicions, SUSPICION_OTHERS);
	assert_order(&r, "2");
	teardown(&r);
}

/* What is no source of C is of the others; without any coverage nothing is executed. */
static void without_coverage(void **state)
{
	struct runs r = { .changes = changes_of("data.txt") };

	(void)state;
	look(&r, SUSPICION_SOURCES);
	assert_order(&r, "");
	g_array_unref(r.order);
	r.order = suspicions_order(r.suspicions, SUSPICION_OTHERS);
	assert_order(&r, "0123");
	teardown(&r);
}

/* A file that is added is as executed as its lines are. */
static void an_added_file(void **state)
{
	struct runs r = { .changes = regress_changes_new(), .newer = coverage_empty_new() };
	g_autoptr(GBytes) text = text_of(true);

	(void)state;
	regress_changes_add_file(r.changes, NULL, 0, NULL, "f.c", 0100644, text);
	regress_changes_add_file(r.changes, NULL, 0, NULL, "g.c", 0100644, text);
	coverage_add_count(r.newer, "f.c", 7, 2);
	look(&r, SUSPICION_EXECUTED);
	assert_order(&r, "0");
	teardown(&r);
}

static void the_table_of_lines(void **state)
{
	struct coverage *c = coverage_empty_new();
	guint64 ways[2], one, other;

	(void)state;
	assert_int_equal(coverage_of(c, "f.c", 1), -1);
	assert_int_equal(coverage_of(NULL, "f.c", 1), -1);
	assert_int_equal(coverage_of(c, NULL, 1), -1);
	coverage_add_count(c, "f.c", 1, 0);
	assert_int_equal(coverage_of(c, "f.c", 1), 0);
	coverage_add_count(c, "f.c", 1, G_MAXUINT64);
	coverage_add_count(c, "f.c", 1, 1);
	assert_true(coverage_of(c, "f.c", 1) == G_MAXINT64);
	/* one program's part of line 3, of another function, than line 2 has */
	coverage_add_count(c, "f.c", 2, 6);
	coverage_add_code(c, "f.c", 2, 2, 11);
	coverage_add_code(c, "f.c", 3, 2, 12);
	assert_int_equal(coverage_entries_of(c, "f.c", 3), 6);
	coverage_add_code(c, "f.c", 3, 1, 13);
	assert_int_equal(coverage_entries_of(c, "f.c", 3), -1);
	assert_int_equal(coverage_entries_of(c, "f.c", 9), -1);
	/* the same code on one line as on two, but not in another order */
	coverage_add_code(c, "g.c", 1, 1, 11);
	coverage_add_code(c, "g.c", 1, 1, 12);
	coverage_add_code(c, "g.c", 1, 1, 13);
	one = coverage_code_of(c, "f.c", 2, 2);
	assert_true(one == coverage_code_of(c, "g.c", 1, 1));
	coverage_add_code(c, "g.c", 3, 3, 11);
	coverage_add_code(c, "g.c", 2, 2, 13);
	coverage_add_code(c, "g.c", 2, 2, 12);
	other = coverage_code_of(c, "g.c", 2, 2);
	assert_true(one != other && other);
	assert_true(coverage_code_of(c, "g.c", 4, 5) == 0);
	coverage_add_way(c, "f.c", 2, true, 3);
	coverage_add_way(c, "f.c", 3, false, 4);
	coverage_ways_of(c, "f.c", 1, 3, ways);
	assert_int_equal(ways[0], 3);
	assert_int_equal(ways[1], 4);
	coverage_free(c);
	coverage_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_to_a_difference_is_first),
		cmocka_unit_test(how_often_counts_less),
		cmocka_unit_test(where_one_version_comes_alone_is_later),
		cmocka_unit_test(a_branch_that_decides_otherwise_is_first),
		cmocka_unit_test(more_calls_turn_no_branch),
		cmocka_unit_test(groups),
		cmocka_unit_test(without_coverage),
		cmocka_unit_test(an_added_file),
		cmocka_unit_test(the_table_of_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
