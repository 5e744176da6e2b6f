/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which suspects stay in a finished answer, and in which order. */
#include "solver/answer/describe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct explanation_suspect *
add_suspect(struct explanation *e, enum explanation_replay replay, const unsigned *lines, guint n)
{
	struct explanation_suspect *s = explanation_suspect_new();

	for (guint i = 0; i < n; i++) {
		const struct explanation_statement st = {
			.file = "a.c", .line = lines[i], .kind = "assignment", .changes = 1
		};

		g_array_append_val(s->statements, st);
	}
	s->rank = e->suspects->len + 1;
	s->size = n;
	s->weight = n;
	s->replay = replay;
	g_ptr_array_add(e->suspects, s);
	return s;
}

static void values_that_fail_go_where_others_pass(void **state)
{
	struct explanation *e = explanation_new();
	const struct explanation_suspect *pair, *further, *other, *proven, *not_run;

	(void)state;
	add_suspect(e, REPLAY_FAILS, (const unsigned[]){ 5 }, 1);
	add_suspect(e, REPLAY_FAILS, (const unsigned[]){ 7, 5 }, 2);
	other = add_suspect(e, REPLAY_FAILS, (const unsigned[]){ 9 }, 1);
	pair = add_suspect(e, REPLAY_PASSES, (const unsigned[]){ 6, 8 }, 2);
	proven = add_suspect(e, REPLAY_PASSES, (const unsigned[]){ 5 }, 1);
	further = add_suspect(e, REPLAY_FAILS, (const unsigned[]){ 5, 1 }, 2);
	((struct explanation_suspect *)further)->further_to = 3;
	not_run = add_suspect(e, REPLAY_NOT_RUN, (const unsigned[]){ 5 }, 1);
	add_suspect(e, REPLAY_FAILS, (const unsigned[]){ 8, 6, 3 }, 3);
	describe_finish(e, NULL, 0);
	assert_int_equal(e->suspects->len, 5);
	assert_ptr_equal(e->suspects->pdata[0], proven);
	assert_ptr_equal(e->suspects->pdata[1], pair);
	assert_ptr_equal(e->suspects->pdata[2], further);
	assert_true(g_ptr_array_find(e->suspects, not_run, NULL));
	assert_true(g_ptr_array_find(e->suspects, other, NULL));
	for (guint i = 0; i < e->suspects->len; i++)
		assert_int_equal(((struct explanation_suspect *)e->suspects->pdata[i])->rank,
				 i + 1);
	explanation_free(e);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_that_fail_go_where_others_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
