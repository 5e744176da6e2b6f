/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which sets of lines have to explain a further test, and when that is settled. */
#include "gdbext/evidence/transfer/best-sets.h"

#include "tests/support/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* "1 2+3": suspects of line 1, and of lines 2 and 3, all proven. */
static struct explanation *explanation_of(const char *sets)
{
	struct explanation *e = explanation_new();
	g_auto(GStrv) words = g_strsplit(sets, " ", -1);

	for (char **w = words; *w && **w; w++) {
		g_auto(GStrv) lines = g_strsplit(*w, "+", -1);
		struct explanation_suspect *s = explain_add_suspect(e, REPLAY_PASSES);

		for (char **l = lines; *l; l++)
			explain_add_statement(
				s, (struct explanation_statement){
					   .file = "/p.c",
					   .line = (unsigned)g_ascii_strtoull(*l, NULL, 10) });
	}
	return e;
}

struct world {
	struct explanation *first;
	struct limits limits;
	struct joint *joint;
	struct best_sets best;
};

static void start(struct world *w, const char *sets, unsigned best)
{
	w->first = explanation_of(sets);
	w->limits = *limits_default();
	w->limits.size = 5;
	w->limits.joint_best = best;
	w->joint = joint_new(w->first, NULL, &w->limits);
	joint_add(w->joint, w->first);
	w->best = (struct best_sets){ w->joint, &w->limits };
}

static void end(struct world *w)
{
	joint_free(w->joint);
	explanation_free(w->first);
}

static bool are_explained(const struct world *w, const char *covered, const char *also)
{
	struct explanation *c = explanation_of(covered), *a = also ? explanation_of(also) : NULL;
	bool explained = best_sets_are_explained(&w->best, c, a);

	explanation_free(c);
	explanation_free(a);
	return explained;
}

static bool are_settled(const struct world *w, const char *covered)
{
	struct explanation *c = explanation_of(covered);
	bool settled = best_sets_are_settled(&w->best, c);

	explanation_free(c);
	return settled;
}

static void each_best_set_has_to_explain(void **state)
{
	struct world w;

	(void)state;
	start(&w, "1 2+3 4+5+6", 2);
	assert_true(are_explained(&w, "1 2", NULL)); /* a part of a set is enough */
	assert_false(are_explained(&w, "1 7", NULL));
	assert_true(are_explained(&w, "1 7", "3"));
	assert_false(are_explained(&w, "2+3", NULL));
	end(&w);

	/* a single line counts however few are the best */
	start(&w, "1 2 3 4+5", 1);
	assert_false(are_explained(&w, "1 2", NULL));
	assert_true(are_explained(&w, "1 2 3", NULL));
	end(&w);
}

static void large_sets_need_not(void **state)
{
	struct world w;

	(void)state;
	start(&w, "1 2+3 4+5+6", 3);
	assert_true(are_settled(&w, "1 2+3"));	/* three of at most five lines */
	assert_false(are_settled(&w, "1 4"));	/* two */
	assert_false(are_settled(&w, "2+3 4")); /* one */
	assert_true(are_settled(&w, "1 2 4"));
	w.best.one_line_is_enough = true;
	assert_true(are_settled(&w, "1"));
	assert_false(are_settled(&w, "2+3 4"));
	end(&w);

	/* but one of them has to */
	start(&w, "1+2+3 4+5+6", 3);
	assert_false(are_settled(&w, "7"));
	assert_true(are_settled(&w, "5"));
	end(&w);
}

static void the_others_are_asked_about(void **state)
{
	struct explanation *covered = explanation_of("1");
	GHashTable *lines;
	struct world w;
	unsigned size;

	(void)state;
	start(&w, "1 2+3 4+5+6", 3);
	lines = best_sets_to_ask(&w.best, covered, false, &size);
	assert_int_equal(size, 3);
	assert_int_equal(g_hash_table_size(lines), 5);
	assert_true(g_hash_table_contains(lines, "/p.c:6"));
	assert_false(g_hash_table_contains(lines, "/p.c:1"));
	assert_false(best_sets_of_one_line(&w.best, covered));
	g_hash_table_destroy(lines);
	explanation_free(covered);
	end(&w);
}

/* Single lines of which the first question did not tell are asked about once more. */
static void single_lines_are_asked_about_again(void **state)
{
	struct explanation *covered = explanation_of("1");
	GHashTable *lines;
	struct world w;
	unsigned size;

	(void)state;
	start(&w, "1 2 3+4", 3);
	assert_true(best_sets_of_one_line(&w.best, covered));
	lines = best_sets_to_ask(&w.best, covered, true, &size);
	assert_int_equal(size, 1);
	assert_int_equal(g_hash_table_size(lines), 1);
	assert_true(g_hash_table_contains(lines, "/p.c:2"));
	g_hash_table_destroy(lines);
	explanation_free(covered);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_best_set_has_to_explain),
		cmocka_unit_test(large_sets_need_not),
		cmocka_unit_test(the_others_are_asked_about),
		cmocka_unit_test(single_lines_are_asked_about_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
