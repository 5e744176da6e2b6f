/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/combine.h"
#include "solver/search/joint.h"
#include "tests/support/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* "1 2+3": suspects of line 1, and of lines 2 and 3, all proven, and as lines of
 * falling score. */
static struct explanation *explanation_of(const char *sets)
{
	struct explanation *e = explanation_new();
	g_auto(GStrv) words = g_strsplit(sets, " ", -1);

	for (char **w = words; *w; w++) {
		g_auto(GStrv) lines = g_strsplit(*w, "+", -1);
		struct explanation_suspect *s = explain_add_suspect(e, REPLAY_PASSES);

		for (char **l = lines; *l; l++) {
			struct explanation_line line = { .file = "/p.c" };

			line.line = (unsigned)g_ascii_strtoull(*l, NULL, 10);
			line.score = s->score;
			explain_add_statement(s, (struct explanation_statement){
							 .file = "/p.c", .line = line.line });
			g_array_append_val(e->lines, line);
		}
	}
	return e;
}

static char *text_of(const struct explanation *e)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		assert_int_equal(s->rank, i + 1);
		g_string_append(text, i ? " " : "");
		for (guint k = 0; k < s->statements->len; k++)
			g_string_append_printf(
				text, "%s%u", k ? "+" : "",
				g_array_index(s->statements, struct explanation_statement, k).line);
	}
	return g_string_free(text, FALSE);
}

static void check_joint(const char *a, const char *b, const char *c, unsigned max_size,
			const char *expected)
{
	struct explanation *es[] = { explanation_of(a), explanation_of(b),
				     c ? explanation_of(c) : NULL };
	unsigned n = c ? 3 : 2;
	struct limits limits = *limits_default();
	g_autofree char *got = NULL;

	limits.size = max_size;
	assert_true(joint(es, n, NULL, &limits));
	for (unsigned i = 1; i < 3; i++) /* nothing of theirs is in the answer */
		explanation_free(es[i]);
	got = text_of(es[0]);
	assert_string_equal(got, expected);
	for (guint i = 0; i < es[0]->suspects->len; i++)
		assert_int_equal(((struct explanation_suspect *)es[0]->suspects->pdata[i])->tests,
				 n);
	explanation_free(es[0]);
}

/* With which lines 3 would mend the second test is not known: perhaps with none. */
static void known_explanations_leave_others_out(void **state)
{
	struct explanation *a = explanation_of("1 3 2+4"), *b = explanation_of("1 2 4");
	struct limits limits = *limits_default();
	struct joint *j = joint_new(a, NULL, &limits);
	g_autofree char *got = NULL;

	(void)state;
	joint_add(j, a);
	assert_int_equal(joint_sets(j), 3);
	joint_add_known(j, b);
	assert_true(joint_answer(j));
	got = text_of(a);
	assert_string_equal(got, "1 2+4");
	assert_int_equal(joint_left_out(j), 1);
	joint_free(j);
	explanation_free(a);
	explanation_free(b);
}

static void smallest_sets_of_all(void **state)
{
	(void)state;
	check_joint("1 2", "2 3", NULL, 5, "2 1+3");
	check_joint("1 2", "2 3", NULL, 1, "2");
	check_joint("1", "2", "3", 5, "1+2+3");
	check_joint("1", "2", "3", 2, "");
	check_joint("1+2 4", "2 3+4", NULL, 5, "1+2 2+4 4+3");
	check_joint("1 2 3", "3 2", "2", 5, "2");
	check_joint("1", "", NULL, 5, "");
}

enum { RANDOM_LINES = 6, RANDOM_TESTS = 4, RANDOM_SETS = 3, RANDOM_ROUNDS = 300 };

/* A test with some random sets of lines, bit i for line i + 1, each of which mends it. */
static struct explanation *random_explanation(GRand *rand, unsigned masks[RANDOM_SETS])
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (unsigned i = 0; i < RANDOM_SETS; i++) {
		const char *between = i ? " " : "";

		masks[i] = (unsigned)g_rand_int_range(rand, 1, 1 << RANDOM_LINES);
		for (unsigned bit = 0; bit < RANDOM_LINES; bit++)
			if (masks[i] >> bit & 1) {
				g_string_append_printf(text, "%s%u", between, bit + 1);
				between = "+";
			}
	}
	return explanation_of(text->str);
}

static bool explains_all(unsigned mask, unsigned masks[RANDOM_TESTS][RANDOM_SETS])
{
	for (unsigned t = 0; t < RANDOM_TESTS; t++) {
		bool explains = false;

		for (unsigned i = 0; i < RANDOM_SETS; i++)
			explains |= (mask & masks[t][i]) == masks[t][i];
		if (!explains)
			return false;
	}
	return true;
}

/* It explains all tests, and none of its proper subsets does. */
static bool is_diagnosis(unsigned mask, unsigned masks[RANDOM_TESTS][RANDOM_SETS])
{
	for (unsigned bit = 0; bit < RANDOM_LINES; bit++)
		if (mask >> bit & 1 && explains_all(mask & ~(1u << bit), masks))
			return false;
	return explains_all(mask, masks);
}

static uint64_t answered(const struct explanation *e)
{
	uint64_t all = 0;

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];
		unsigned mask = 0;

		for (guint k = 0; k < s->statements->len; k++)
			mask |= 1u << (g_array_index(s->statements, struct explanation_statement, k)
					       .line -
				       1);
		assert_false(all >> mask & 1);
		all |= UINT64_C(1) << mask;
	}
	return all;
}

/* Exactly the subset-minimal diagnoses are the answer, as trying all sets of lines finds them. */
static void exactly_the_minimal_ones(void **state)
{
	GRand *rand = g_rand_new_with_seed(19);
	struct limits limits = *limits_default();

	(void)state;
	limits.size = RANDOM_LINES;
	for (unsigned round = 0; round < RANDOM_ROUNDS; round++) {
		unsigned masks[RANDOM_TESTS][RANDOM_SETS];
		struct explanation *es[RANDOM_TESTS];
		uint64_t expected = 0;

		for (unsigned t = 0; t < RANDOM_TESTS; t++)
			es[t] = random_explanation(rand, masks[t]);
		for (unsigned mask = 1; mask < 1u << RANDOM_LINES; mask++)
			expected |= (uint64_t)is_diagnosis(mask, masks) << mask;
		assert_true(joint(es, RANDOM_TESTS, NULL, &limits));
		assert_true(answered(es[0]) == expected);
		for (unsigned t = 0; t < RANDOM_TESTS; t++)
			explanation_free(es[t]);
	}
	g_rand_free(rand);
}

static void only_what_is_proven(void **state)
{
	struct explanation *es[] = { explanation_of("1 2"), explanation_of("1 2") };
	g_autofree char *got = NULL;

	(void)state;
	((struct explanation_suspect *)es[1]->suspects->pdata[0])->replay = REPLAY_FAILS;
	assert_true(joint(es, 2, NULL, limits_default()));
	explanation_free(es[1]);
	got = text_of(es[0]);
	assert_string_equal(got, "2");
	explanation_free(es[0]);
}

/* A change that misses the check in one of the tests does so in the answer about all of them. */
static void unchecked_in_any_test(void **state)
{
	struct explanation *es[] = { explanation_of("1 2 3"), explanation_of("1 2 2 3") };
	static const bool unchecked[] = { true, false, false };
	g_autofree char *got = NULL;

	(void)state;
	((struct explanation_suspect *)es[1]->suspects->pdata[0])->unchecked = true;
	((struct explanation_suspect *)es[1]->suspects->pdata[1])->unchecked = true;
	((struct explanation_suspect *)es[1]->suspects->pdata[3])->needs_run = true;
	assert_true(joint(es, 2, NULL, limits_default()));
	explanation_free(es[1]);
	got = text_of(es[0]);
	assert_string_equal(got, "1 2 3");
	for (guint i = 0; i < 3; i++) {
		const struct explanation_suspect *s = es[0]->suspects->pdata[i];

		assert_int_equal(s->unchecked, unchecked[i]);
		assert_int_equal(s->needs_run, i == 2);
	}
	explanation_free(es[0]);
}

static void what_more_tests_share_comes_first(void **state)
{
	struct explanation *es[] = { explanation_of("1 2 3"), explanation_of("3 2 4"),
				     explanation_of("3") };
	static const unsigned lines[] = { 3, 2, 1, 4 };
	g_autofree char *got = NULL;

	(void)state;
	combine(es, 3);
	explanation_free(es[1]);
	explanation_free(es[2]);
	got = text_of(es[0]);
	assert_string_equal(got, "3 2 1");
	assert_int_equal(((struct explanation_suspect *)es[0]->suspects->pdata[0])->tests, 3);
	assert_int_equal(((struct explanation_suspect *)es[0]->suspects->pdata[2])->tests, 1);
	assert_int_equal(es[0]->lines->len, 4);
	for (guint i = 0; i < es[0]->lines->len; i++) {
		const struct explanation_line *l =
			&g_array_index(es[0]->lines, struct explanation_line, i);

		assert_int_equal(l->line, lines[i]);
		assert_true(l->score > 0 && l->score <= 1);
		assert_true(!i || l->score <= l[-1].score);
	}
	explanation_free(es[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(smallest_sets_of_all),
		cmocka_unit_test(known_explanations_leave_others_out),
		cmocka_unit_test(exactly_the_minimal_ones),
		cmocka_unit_test(only_what_is_proven),
		cmocka_unit_test(unchecked_in_any_test),
		cmocka_unit_test(what_more_tests_share_comes_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
