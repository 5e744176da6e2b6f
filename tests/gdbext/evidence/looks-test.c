/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long failing tests are looked at, as changes of the code do or do not mend them. */
#include "gdbext/evidence/looks.h"

#include "solver/explanation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static struct limits limits_with_looks(void)
{
	struct limits l = *limits_default();

	l.quick_look = 10;
	l.first_look = 100;
	l.next_look = 20;
	l.dear_look = 30;
	l.last_look = 40;
	l.ask_again = 50;
	return l;
}

static void test_first(void **state)
{
	struct limits limits = limits_with_looks();
	const struct options o = { .command = OPTIONS_RANK };
	const struct test_looks l = { .o = &o, .limits = &limits };
	struct question_look look = test_looks_first(&l);

	(void)state;
	assert_int_equal(look.work, 10);
	assert_int_equal(look.more, 100);
	assert_int_equal(look.limit, LIMIT_quick_look);
	limits.quick_look = 0;
	look = test_looks_first(&l);
	assert_int_equal(look.work, 100);
	assert_int_equal(look.more, 0);
	assert_int_equal(look.limit, LIMIT_first_look);
}

/* After a look of 100, what is known of changes decides. */
static void check_note(enum options_command command, bool mended, bool quick, bool any,
		       uint64_t more, uint64_t next, bool over)
{
	struct limits limits = limits_with_looks();
	const struct options o = { .command = command };
	struct test_looks l = { .o = &o, .limits = &limits, .mended = mended };
	struct question_look look = { .work = 100 };

	test_looks_note(&l, &look, quick, any);
	assert_int_equal(look.more, more);
	assert_int_equal(test_looks_next(&l).work, next);
	assert_int_equal(test_looks_are_over(&l), over);
}

static void test_note(void **state)
{
	(void)state;
	check_note(OPTIONS_RANK, true, false, true, 0, 20, false);
	check_note(OPTIONS_RANK, false, true, false, 0, 0, false); /* the longer look comes */
	check_note(OPTIONS_RANK, false, false, true, 130, 30, true);
	check_note(OPTIONS_RANK, false, false, false, 140, 50, true);
	/* who asks for explanations gets all of them */
	check_note(OPTIONS_EXPLAIN, false, false, false, 0, 0, false);
	check_note(OPTIONS_EXPLAIN, false, false, true, 130, 30, true);
}

static void test_lines(void **state)
{
	struct limits limits = limits_with_looks();
	const struct options o = { .command = OPTIONS_RANK };
	struct test_looks l = { .o = &o, .limits = &limits };
	struct explanation *e = explanation_new();
	const struct explanation_line named = { .file = "a.c", .line = 7, .score = 1 };
	g_autoptr(GHashTable) lines = NULL;

	(void)state;
	g_array_append_val(e->lines, named);
	assert_null(test_looks_lines(&l, e));
	l.in_vain = true;
	lines = test_looks_lines(&l, e);
	assert_int_equal(g_hash_table_size(lines), 1);
	assert_true(g_hash_table_contains(lines, "a.c:7"));
	limits.ask_again = 0;
	assert_null(test_looks_lines(&l, e));
	explanation_free(e);
}

static void test_limit(void **state)
{
	const struct options ranks = { .command = OPTIONS_RANK },
			     explains = { .command = OPTIONS_EXPLAIN };
	struct limits limits = limits_with_looks(), of = limits;

	(void)state;
	of.merge_later_steps = 5000;
	of.ranked_merge_steps = 700;
	test_looks_limit(&(struct test_looks){ .o = &explains, .limits = &limits }, &of);
	assert_int_equal(of.merge_later_steps, 5000);
	test_looks_limit(&(struct test_looks){ .o = &ranks, .limits = &limits }, &of);
	assert_int_equal(of.merge_later_steps, 700);
	of.merge_later_steps = 600; /* as the user set it */
	test_looks_limit(&(struct test_looks){ .o = &ranks, .limits = &limits }, &of);
	assert_int_equal(of.merge_later_steps, 600);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first),
		cmocka_unit_test(test_note),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
