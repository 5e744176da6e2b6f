/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of suspects without a suite: a common slip first, what hands a value on, dodges
 * the check or needs a far value later. */
#include "solver/answer/order/plausibility.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct explanation_suspect *add(struct explanation *e, unsigned line, const char *kind,
				       const char *text, const char *actual, const char *witness)
{
	struct explanation_suspect *s = explanation_suspect_new();
	struct explanation_statement st = { .file = "a.c",
					    .line = line,
					    .kind = kind,
					    .text = text,
					    .actual = actual,
					    .witness = witness,
					    .changes = 1 };
	struct explanation_line l = { "a.c", line, 1, 1, NULL };

	g_array_append_val(s->statements, st);
	g_array_append_val(e->lines, l);
	s->rank = e->suspects->len + 1;
	s->size = 1;
	s->replay = REPLAY_PASSES;
	g_ptr_array_add(e->suspects, s);
	return s;
}

static void mend_by(struct explanation *e, struct explanation_suspect *s, const char *change,
		    double effort)
{
	struct explanation_evidence *v = g_new0(struct explanation_evidence, 1);

	v->change = change;
	v->effort = effort;
	v->failing = v->mended = 1;
	g_ptr_array_add(e->evidence, v);
	s->evidence = v;
}

static void mend(struct explanation *e, struct explanation_suspect *s, double effort)
{
	mend_by(e, s, "5 for 4", effort);
}

static unsigned line_at(const struct explanation *e, guint i)
{
	const struct explanation_suspect *s = e->suspects->pdata[i];

	return g_array_index(s->statements, struct explanation_statement, 0).line;
}

/* The lines of the suspects, in order, and ranks and scores that agree. */
static void expect(struct explanation *e, const unsigned *lines, guint n)
{
	plausibility_order(e, limits_default());
	assert_int_equal(e->suspects->len, n);
	for (guint i = 0; i < n; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		assert_int_equal(line_at(e, i), lines[i]);
		assert_int_equal(s->rank, i + 1);
		assert_int_equal(g_array_index(e->lines, struct explanation_line, i).line,
				 lines[i]);
		if (i)
			assert_true(
				((struct explanation_suspect *)e->suspects->pdata[i - 1])->score >=
				s->score);
	}
	explanation_free(e);
}

static void a_slip_comes_first(void **state)
{
	struct explanation *e = explanation_new();

	(void)state;
	add(e, 1, "assignment", "x = y + 1;", "3", "4");
	mend(e, add(e, 2, "assignment", "x = y * 2;", "3", "4"), 2.2);
	mend(e, add(e, 3, "condition", "if (x < y)", "true", "false"), 1);
	expect(e, (const unsigned[]){ 3, 2, 1 }, 3);
}

static void what_hands_on_comes_later(void **state)
{
	struct explanation *e = explanation_new();

	(void)state;
	add(e, 1, "return", "return v;", "3", "4");
	add(e, 2, "assignment", "int v = term();", "3", "4");
	add(e, 3, "call", "push(&l, v);", "3", "4");
	add(e, 4, "return", "return v + 1;", "3", "4");
	mend(e, add(e, 5, "assignment", "int v = 3;", "3", "4"), 1.5);
	mend(e, add(e, 6, "assignment", "v = 3;", "3", "4"), 1.5);
	expect(e, (const unsigned[]){ 6, 5, 4, 1, 2, 3 }, 6);
}

/* A number that is written in a call comes from nowhere else. */
static void a_number_that_is_passed_is_not_handed_on(void **state)
{
	struct explanation *e = explanation_new();

	(void)state;
	mend(e, add(e, 1, "call", "fill(m, y + 4);", "3", "4"), 1);
	mend(e, add(e, 2, "assignment", "x = y * 4;", "3", "4"), 1.5);
	mend(e, add(e, 3, "call", "number(value, 4);", "4", "5"), 1);
	expect(e, (const unsigned[]){ 3, 2, 1 }, 3);
}

static void far_values_come_later(void **state)
{
	struct explanation *e = explanation_new();

	(void)state;
	add(e, 1, "assignment", "x = y + 1;", "0", "-429496730");
	add(e, 2, "assignment", "x = y + 2;", "0", "100");
	add(e, 3, "assignment", "x = y + 3;", "0", "1");
	add(e, 4, "assignment", "p = q->next;", "one address", "another address");
	expect(e, (const unsigned[]){ 3, 2, 1, 4 }, 4);
}

/* A value that only mends by an overflow comes behind one that is as far as any, but the ends of a
 * type's range are meant. */
static void values_that_overflow_come_last(void **state)
{
	struct explanation *e = explanation_new();

	(void)state;
	add(e, 1, "assignment", "x = y + 1;", "10", "171798702");
	add(e, 2, "assignment", "x = y + 2;", "10", "60000");
	add(e, 3, "assignment", "x = y + 3;", "10", "2147483647");
	expect(e, (const unsigned[]){ 2, 3, 1 }, 3);
}

/* Less than 0 in an unsigned number is far from nothing, and nobody wants it; neither the end of a
 * hash nor a pointer's arrow is a difference. */
static void what_wrapped_comes_first(void **state)
{
	struct explanation *e = explanation_new();

	(void)state;
	add(e, 1, "assignment", "x = y + 1;", "3", "4");
	add(e, 2, "assignment", "hash = hash * 31 - c;", "3735928559", "4");
	add(e, 3, "assignment", "n = p->n;", "4294967246", "0");
	add(e, 4, "assignment", "left -= price;", "4294967246", "0");
	add(e, 5, "assignment", "left--;", "18446744073709551615", "0");
	expect(e, (const unsigned[]){ 5, 4, 1, 2, 3 }, 5);
}

/* The condition on which main() returns 1 stands for an assertion; one that notices an error
 * elsewhere does not. */
static void the_own_check_comes_later(void **state)
{
	struct explanation *e = explanation_new();
	const guint way[] = { 0, 1 };

	(void)state;
	e->failure.kind = "status";
	e->failure.function = "main";
	for (unsigned i = 0; i < 2; i++) {
		struct explanation_link link = { .edge = EDGE_CONTROL };

		g_array_append_val(e->chain, link);
	}
	for (unsigned line = 1; line <= 2; line++) {
		struct explanation_suspect *s =
			add(e, line, "condition", "if (n > 3)", "true", "false");

		g_array_append_vals(s->chain, way, G_N_ELEMENTS(way));
		g_array_index(s->statements, struct explanation_statement, 0).function =
			line == 1 ? "main" : "check";
	}
	expect(e, (const unsigned[]){ 2, 1 }, 2);
}

/* Numbers in main() are what the test works on, whether an assertion of it fails or another
 * function crashes; where main() itself crashes, they are its work. */
/* Of another assertion the comparison is code like other code. */
static void a_tolerance_comes_later(void **state)
{
	(void)state;
	for (int asks = 0; asks < 2; asks++) {
		struct explanation *e = explanation_new();
		struct explanation_suspect *check =
			add(e, 1, "return", "return fabs(a - b) < 1e-6;", "0", "1");

		e->failure.kind = "assert";
		e->failure.requirement = asks ? "close_to(x, 1)" : "count == 3";
		g_array_index(check->statements, struct explanation_statement, 0).function =
			"close_to";
		mend(e, check, 1);
		mend(e, add(e, 2, "assignment", "x = a * b;", "3", "1"), 1.8);
		expect(e, asks ? (const unsigned[]){ 2, 1 } : (const unsigned[]){ 1, 2 }, 2);
	}
}

static void the_input_comes_later(void **state)
{
	static const struct {
		const char *kind, *function;
		unsigned first;
	} failures[] = { { "assert", "main", 2 },
			 { "signal", "f", 2 },
			 { "output", "f", 2 },
			 { "signal", "main", 1 } };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(failures); i++) {
		const unsigned first = failures[i].first;
		struct explanation *e = explanation_new();

		e->failure.kind = failures[i].kind;
		e->failure.function = failures[i].function;
		for (unsigned line = 1; line <= 2; line++) {
			struct explanation_suspect *s =
				add(e, line, "assignment", "x = 4 * y;", "8", "10");

			mend(e, s, line == 1 ? 1 : 1.5);
			g_array_index(s->statements, struct explanation_statement, 0).function =
				line == 1 ? "main" : "f";
		}
		expect(e, (const unsigned[]){ first, 3 - first }, 2);
	}
}

/* So are values that a list in main() begins with, and the order of its statements. */
static void lists_and_order_are_input(void **state)
{
	static const char *const changes[] = { "`a[1]' and `a[2]' exchanged",
					       "this line and the next one exchanged",
					       "'\\n' for ' ' in text[3]" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
		struct explanation *e = explanation_new();
		struct explanation_suspect *of_test =
			add(e, 1, "assignment", i ? "put(1);" : "int a[] = { 1, 2 };", "1", "2");
		struct explanation_suspect *other = add(e, 2, "assignment", "x = y;", "1", "2");

		e->failure.kind = "assert";
		e->failure.function = "main";
		mend_by(e, of_test, changes[i], 1.5);
		mend(e, other, 2.5);
		g_array_index(of_test->statements, struct explanation_statement, 0).function =
			"main";
		g_array_index(other->statements, struct explanation_statement, 0).function = "f";
		expect(e, (const unsigned[]){ 2, 1 }, 2);
	}
}

static void a_dodged_check_comes_later(void **state)
{
	struct explanation *e = explanation_new();

	(void)state;
	add(e, 1, "condition", "if (x > 2)", "true", "false")->unchecked = true;
	add(e, 2, "condition", "while (x > 2)", "true", "false");
	add(e, 3, "condition", "if (argc > 2)", "true", "false");
	add(e, 4, "condition", "if (y > 2)", "true", "false");
	expect(e, (const unsigned[]){ 4, 2, 3, 1 }, 4);
}

/* Of two branches that only led to the failure, the one at which its NULL was at hand is where a
 * check is missing. */
static void a_missing_check_is_not_dodged(void **state)
{
	struct explanation *e = explanation_new();
	struct explanation_value null = { "p", "NULL" };
	struct explanation_link row = { .file = "a.c", .line = 2 };

	(void)state;
	row.values = g_array_new(FALSE, FALSE, sizeof(struct explanation_value));
	g_array_append_val(row.values, null);
	g_array_append_val(e->opening, row);
	add(e, 1, "condition", "if (x > 2)", "true", "false")->avoids = true;
	add(e, 2, "condition", "if ((p = q->first))", "true", "false")->avoids = true;
	expect(e, (const unsigned[]){ 2, 1 }, 2);
}

/* The pointer that was NULL where the test crashed is checked before another constant is tried. */
static void a_check_of_the_null_comes_first(void **state)
{
	struct explanation *e = explanation_new();
	struct explanation_value null = { "p", "NULL" };

	(void)state;
	e->failure.kind = "signal";
	e->complete = true;
	g_array_append_val(e->failure.values, null);
	mend(e, add(e, 1, "condition", "if (x > 4)", "true", "false"), 1.6);
	mend(e, add(e, 2, "code", "if (q->n)", NULL, NULL), 1.9);
	mend(e, add(e, 3, "code", "if (p->n)", NULL, NULL), 1.9);
	((struct explanation_evidence *)e->evidence->pdata[1])->change =
		"`q != NULL' checked before it";
	((struct explanation_evidence *)e->evidence->pdata[2])->change =
		"`p != NULL' checked before it";
	expect(e, (const unsigned[]){ 3, 1, 2 }, 3);
}

static void what_is_not_proven_comes_last(void **state)
{
	struct explanation *e = explanation_new();
	struct explanation_suspect *s;

	(void)state;
	s = add(e, 1, "condition", "if (x > 2)", "true", "false");
	s->replay = REPLAY_FAILS;
	add(e, 2, "return", "return v;", "0", "1000000")->unchecked = true;
	expect(e, (const unsigned[]){ 2, 1 }, 2);
}

static void what_only_a_change_names_comes_later_where_a_check_failed(void **state)
{
	struct explanation *e = explanation_new();

	(void)state;
	e->failure.kind = "assert";
	e->complete = true;
	mend(e, add(e, 1, "code", "l = l + 1;", NULL, NULL), 1);
	mend(e, add(e, 2, "assignment", "n = n + 1;", "4", "3"), 2.5);
	expect(e, (const unsigned[]){ 2, 1 }, 2);
}

/* There may be a value that was not found. */
static void what_only_a_change_names_costs_less_where_the_search_was_cut(void **state)
{
	struct explanation *e = explanation_new();

	(void)state;
	e->failure.kind = "assert";
	e->complete = false;
	mend(e, add(e, 1, "code", "l = l + 1;", NULL, NULL), 1);
	mend(e, add(e, 2, "assignment", "n = n + 1;", "4", "3"), 2.5);
	expect(e, (const unsigned[]){ 1, 2 }, 2);
}

/* A statement that is missing there is no value of the line, and depends on nothing. */
static void what_is_missing_need_not_be_near(void **state)
{
	static const char *const changes[] = { "`leave(r)' put before it",
					       "`break' put behind it" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
		struct explanation *e = explanation_new();
		struct explanation_suspect *missing = add(e, 1, "code", "return;", NULL, NULL);

		e->failure.kind = i ? "assert" : "output";
		e->complete = true;
		mend_by(e, missing, changes[i], 1.2);
		mend(e, add(e, 2, "assignment", "n = n + 1;", "4", "3"), 1.8);
		expect(e, (const unsigned[]){ 1, 2 }, 2);
	}
}

/* How near the first one is to a wrong output, nobody knows. */
static void what_was_only_executed_late_is_not_near(void **state)
{
	struct explanation *e = explanation_new();
	struct explanation_suspect *known;

	(void)state;
	e->failure.kind = "output";
	mend(e, add(e, 1, "code", "store(a + b);", NULL, NULL), 1);
	known = add(e, 2, "condition", "if (x < y)", "true", "false");
	known->distance = 4;
	mend(e, known, 1.2);
	expect(e, (const unsigned[]){ 2, 1 }, 2);
}

static void what_looks_at_the_arguments_comes_later(void **state)
{
	const unsigned lines[] = { 2, 1 };
	struct explanation *e = explanation_new();

	(void)state;
	mend(e, add(e, 1, "condition", "if (argc > 2)", "true", "false"), 1);
	mend(e, add(e, 2, "condition", "if (n > 2)", "true", "false"), 2);
	expect(e, lines, G_N_ELEMENTS(lines));
}

static void what_was_before_the_open_calls_comes_later(void **state)
{
	struct explanation *e = explanation_new();
	struct explanation_suspect *early = add(e, 5, "condition", "if (a > 1)", "true", "false"),
				   *late = add(e, 6, "condition", "if (a > 2)", "true", "false");

	(void)state;
	mend(e, early, 1);
	mend(e, late, 1.3);
	early->calls_since = 3;
	late->calls_since = 0;
	expect(e, (const unsigned[]){ 6, 5 }, 2);
}

static void equal_ones_keep_their_order(void **state)
{
	struct explanation *e = explanation_new();

	(void)state;
	for (unsigned i = 1; i <= 5; i++)
		add(e, i, "assignment", "x = y + 1;", "3", "4");
	expect(e, (const unsigned[]){ 1, 2, 3, 4, 5 }, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slip_comes_first),
		cmocka_unit_test(what_hands_on_comes_later),
		cmocka_unit_test(a_number_that_is_passed_is_not_handed_on),
		cmocka_unit_test(far_values_come_later),
		cmocka_unit_test(values_that_overflow_come_last),
		cmocka_unit_test(a_tolerance_comes_later),
		cmocka_unit_test(the_input_comes_later),
		cmocka_unit_test(lists_and_order_are_input),
		cmocka_unit_test(a_dodged_check_comes_later),
		cmocka_unit_test(what_wrapped_comes_first),
		cmocka_unit_test(the_own_check_comes_later),
		cmocka_unit_test(a_missing_check_is_not_dodged),
		cmocka_unit_test(a_check_of_the_null_comes_first),
		cmocka_unit_test(what_is_not_proven_comes_last),
		cmocka_unit_test(what_only_a_change_names_comes_later_where_a_check_failed),
		cmocka_unit_test(what_only_a_change_names_costs_less_where_the_search_was_cut),
		cmocka_unit_test(what_is_missing_need_not_be_near),
		cmocka_unit_test(what_was_only_executed_late_is_not_near),
		cmocka_unit_test(what_looks_at_the_arguments_comes_later),
		cmocka_unit_test(what_was_before_the_open_calls_comes_later),
		cmocka_unit_test(equal_ones_keep_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
