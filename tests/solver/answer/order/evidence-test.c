/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What other tests say, as an order. */
#include "solver/answer/order/evidence.h"
#include "tests/support/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

/* Suspects of lines 1, 2, ... n, of falling score. */
static struct explanation *explanation_of(unsigned n)
{
	struct explanation *e = explanation_new();

	for (unsigned i = 1; i <= n; i++) {
		struct explanation_suspect *s = explain_add_suspect(e, REPLAY_PASSES);
		struct explanation_line line = { .file = "/p.c", .line = i, .score = 1.0 / i };

		s->score = line.score;
		explain_add_statement(s,
				      (struct explanation_statement){ .file = "/p.c", .line = i });
		g_array_append_val(e->lines, line);
	}
	return e;
}

static char *order_of(const struct explanation *e)
{
	GString *text = g_string_new(NULL);
	double before = 1;

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];
		unsigned line = g_array_index(s->statements, struct explanation_statement, 0).line;

		assert_int_equal(s->rank, i + 1);
		assert_true(s->score > 0 && s->score <= before);
		before = s->score;
		g_string_append_printf(text, "%s%u", i ? " " : "", line);
	}
	return g_string_free(text, FALSE);
}

static void add(struct explanation *e, unsigned line, const char *contradicted, const char *change,
		unsigned mended, unsigned broken)
{
	struct explanation_evidence v = { .contradicted = contradicted,
					  .change = change,
					  .mended = mended,
					  .failing = 3,
					  .broken = broken,
					  .passing = 9 };

	evidence_add(e, "/p.c", line, &v);
}

static void check(const struct explanation *e, const char *expected, const char *lines)
{
	g_autofree char *got = order_of(e);
	g_auto(GStrv) words = g_strsplit(lines, " ", -1);

	assert_string_equal(got, expected);
	for (guint i = 0; i < e->lines->len; i++)
		assert_int_equal(g_array_index(e->lines, struct explanation_line, i).line,
				 atoi(words[i]));
}

/* In the ranking of lines, too, but only among those that are named alike. */
static void against_gives_way_to_equals(void **state)
{
	struct explanation *e = explanation_of(4);

	(void)state;
	for (guint i = 0; i < 3; i++)
		g_array_index(e->lines, struct explanation_line, i).score = 0.5;
	add(e, 2, "t", NULL, 0, 0);
	evidence_order(e, limits_default());
	assert_int_equal(g_array_index(e->lines, struct explanation_line, 2).line, 2);
	assert_int_equal(g_array_index(e->lines, struct explanation_line, 3).line, 4);
	explanation_free(e);
}

static void for_comes_first_against_last(void **state)
{
	struct explanation *e = explanation_of(6);

	(void)state;
	add(e, 1, "t", NULL, 0, 0);
	add(e, 3, "t", "4 for 5", 3, 0);
	add(e, 5, NULL, "4 for 5", 3, 0);
	add(e, 6, NULL, "6 for 5", 3, 0);
	evidence_order(e, limits_default());
	check(e, "5 6 3 2 4 1", "5 6 3 1 2 4");
	explanation_free(e);
}

/* Where a change of each mends all, a likelier slip weighs more than how often a line is named; of
 * equal slips that counts. */
static void the_likelier_slip_comes_first(void **state)
{
	struct explanation *e = explanation_of(3);
	struct explanation_evidence v = { .change = "4 for 5", .mended = 3, .failing = 3 };

	(void)state;
	for (unsigned i = 1; i <= 3; i++) {
		v.effort = i == 1 ? 2.6 : 1;
		evidence_add(e, "/p.c", i, &v);
	}
	for (guint i = 0; i < 3; i++)
		g_array_index(e->lines, struct explanation_line, i).score = i ? 0.9 - 0.1 * i : 0.9;
	evidence_order(e, limits_default());
	check(e, "2 1 3", "2 3 1");
	explanation_free(e);
}

/* Unless nothing else is named. */
static void the_tests_own_file_comes_later(void **state)
{
	for (unsigned others = 0; others < 2; others++) {
		struct explanation *e = explanation_of(3);

		(void)state;
		e->failure.file = "/p.c";
		e->failure.in_test = true;
		if (others)
			g_array_index(e->lines, struct explanation_line, 2).file = "/q.c";
		for (guint i = 0; i < 3; i++)
			g_array_index(e->lines, struct explanation_line, i).score = 0.9 - 0.1 * i;
		evidence_order(e, limits_default());
		check(e, "1 2 3", others ? "3 1 2" : "1 2 3");
		explanation_free(e);
	}
}

/* What mends all, too, since it may only weaken the check: then it stands among the conditions. */
static void a_change_of_the_test_is_like_a_condition(void **state)
{
	struct explanation *e = explanation_of(3);
	struct explanation_evidence v = {
		.change = "5 for 4", .mended = 3, .failing = 3, .effort = 1
	};

	(void)state;
	e->failure.file = "/p.c";
	e->failure.in_test = true;
	for (guint i = 1; i < 3; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		g_array_index(s->statements, struct explanation_statement, 0).file = "/q.c";
		g_array_index(e->lines, struct explanation_line, i).file = "/q.c";
	}
	evidence_add(e, "/p.c", 1, &v);
	v.condition = "a > 1";
	v.effort = 1.7;
	evidence_add(e, "/q.c", 2, &v);
	v.condition = NULL;
	v.effort = 3;
	evidence_add(e, "/q.c", 3, &v);
	evidence_order(e, limits_default());
	check(e, "3 2 1", "3 2 1");
	explanation_free(e);
}

/* What mends all under a condition comes behind what does without one, likelier ones first,
 * whatever a passing test says of the line as it is. */
static void guarded_ones_come_next(void **state)
{
	struct explanation *e = explanation_of(5);
	struct explanation_evidence guarded = { .change = "`&& a > 1' added",
						.condition = "a > 1",
						.contradicted = "t",
						.effort = 2.5,
						.mended = 3,
						.failing = 3,
						.passing = 9 };
	const struct explanation_suspect *third;

	(void)state;
	evidence_add(e, "/p.c", 2, &guarded);
	guarded.effort = 1.5;
	evidence_add(e, "/p.c", 4, &guarded);
	add(e, 5, NULL, "4 for 5", 3, 0);
	evidence_order(e, limits_default());
	check(e, "5 4 2 1 3", "5 4 2 1 3");
	third = e->suspects->pdata[2];
	assert_string_equal(third->evidence->condition, "a > 1");
	explanation_free(e);
}

/* A change that mends not all, or breaks something, says nothing. */
static void half_is_nothing(void **state)
{
	struct explanation *e = explanation_of(3);

	(void)state;
	add(e, 2, NULL, "4 for 5", 2, 0);
	add(e, 3, NULL, "4 for 5", 3, 1);
	evidence_order(e, limits_default());
	check(e, "1 2 3", "1 2 3");
	explanation_free(e);
}

static void unproven_ones_stay_last(void **state)
{
	struct explanation *e = explanation_of(2);
	struct explanation_suspect *second = e->suspects->pdata[1];

	(void)state;
	second->replay = REPLAY_FAILS;
	add(e, 2, NULL, "4 for 5", 3, 0);
	evidence_order(e, limits_default());
	assert_ptr_equal(e->suspects->pdata[1], second);
	assert_true(second->score == 0.5);
	explanation_free(e);
}

/* The line's evidence is not that of a set which holds it. */
static void sets_have_none(void **state)
{
	struct explanation *e = explanation_of(2);
	struct explanation_suspect *both = explain_add_suspect(e, REPLAY_PASSES);
	char name[] = "t";

	(void)state;
	for (unsigned i = 1; i <= 2; i++)
		explain_add_statement(both,
				      (struct explanation_statement){ .file = "/p.c", .line = i });
	add(e, 2, name, NULL, 0, 0);
	name[0] = 'x'; /* it is copied */
	assert_null(both->evidence);
	assert_null(((struct explanation_suspect *)e->suspects->pdata[0])->evidence);
	assert_string_equal(
		((struct explanation_suspect *)e->suspects->pdata[1])->evidence->contradicted, "t");
	explanation_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(for_comes_first_against_last),
		cmocka_unit_test(against_gives_way_to_equals),
		cmocka_unit_test(the_likelier_slip_comes_first),
		cmocka_unit_test(the_tests_own_file_comes_later),
		cmocka_unit_test(a_change_of_the_test_is_like_a_condition),
		cmocka_unit_test(guarded_ones_come_next),
		cmocka_unit_test(half_is_nothing),
		cmocka_unit_test(unproven_ones_stay_last),
		cmocka_unit_test(sets_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
