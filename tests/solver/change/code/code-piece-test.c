/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of code that are executed elsewhere: each is put into memory far from the function that it
 * changes, and the processor says what it does. */
#include "solver/change/code/code-piece.h"
#include "tests/support/patched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* A library, so that its code can be called here. */
static const char source[] = "struct box { short small; int large; };\n"
			     "int limit = 50;\n"
			     "const char *word = \"+b\";\n"
			     "int f(int x, const struct box *p)\n"
			     "{\n"
			     "	int low = 1;\n"
			     "	unsigned char c = 200;\n"
			     "	if (x > 10)\n"
			     "		low = 2;\n"
			     "	low = low + limit;\n"
			     "	return low + (c - c);\n"
			     "}\n"
			     "int main(void) { return 0; }\n";

struct box {
	short small;
	int large;
};
typedef int function(int x, const struct box *p);

static int set_up(void **state)
{
	*state = patched_new(source);
	return 0;
}

static int tear_down(void **state)
{
	patched_free(*state);
	return 0;
}

static int run(struct patched *f, const GArray *actions, int x, const struct box *p)
{
	int result;

	patched_put(f, actions);
	result = ((function *)(uintptr_t)patched_function(f, "f"))(x, p);
	patched_restore(f);
	return result;
}

static const struct watch *watch_named(const GPtrArray *all, const char *text)
{
	for (guint i = 0; i < all->len; i++)
		if (!strcmp(((struct watch *)all->pdata[i])->text, text))
			return all->pdata[i];
	fail_msg("no variable %s", text);
	return NULL;
}

/* The store of `low = 2' is left out where the guard holds. */
static int with_guards(struct patched *f, const char *v, enum guard_op op, int64_t constant,
		       const char *w, const char *also, int x, const struct box *p)
{
	g_autoptr(GArray) mutants = mutator_line(f->m, f->file, 9);
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	const struct mutant *removed = NULL;
	g_autoptr(GPtrArray) watches = NULL;
	struct guard g = { .is = { .op = op, .constant = constant } };
	struct code_piece piece = { 0 };

	for (guint i = 0; i < mutants->len; i++)
		if (g_array_index(mutants, struct mutant, i).kind == MUTANT_REMOVED)
			removed = &g_array_index(mutants, struct mutant, i);
	assert_non_null(removed);
	watches = watches_at(f->im, removed->addr, limits_default());
	g.is.v = watch_named(watches, v);
	g.is.w = w ? watch_named(watches, w) : NULL;
	if (also) /* it is not 0 */
		g.also = (struct guard_part){ .v = watch_named(watches, also), .op = GUARD_NE };
	assert_true(code_piece_guard(&piece, &g, removed, f->im));
	code_piece_actions(&piece, removed->addr, removed->length, actions);
	return run(f, actions, x, p);
}

static int with_guard(struct patched *f, const char *v, enum guard_op op, int64_t constant,
		      const char *w, int x, const struct box *p)
{
	return with_guards(f, v, op, constant, w, NULL, x, p);
}

static void guards_decide(void **state)
{
	struct patched *f = *state;
	const struct box b = { -3, 70000 };

	assert_int_equal(with_guard(f, "x", GUARD_GT, 20, NULL, 15, &b), 52);
	assert_int_equal(with_guard(f, "x", GUARD_GT, 20, NULL, 21, &b), 51);
	assert_int_equal(with_guard(f, "x", GUARD_LE, 20, NULL, 20, &b), 51);
	assert_int_equal(with_guard(f, "x", GUARD_BIT, 4, NULL, 12, &b), 51);
	assert_int_equal(with_guard(f, "x", GUARD_BIT, 4, NULL, 11, &b), 52);
	assert_int_equal(with_guard(f, "p->small", GUARD_LT, 0, NULL, 15, &b), 51);
	assert_int_equal(with_guard(f, "p->large", GUARD_EQ, 70000, NULL, 15, &b), 51);
	assert_int_equal(with_guard(f, "p->large", GUARD_EQ, 70001, NULL, 15, &b), 52);
	assert_int_equal(with_guard(f, "c", GUARD_EQ, 200, NULL, 15, &b), 51);
	assert_int_equal(with_guard(f, "x", GUARD_LT, 0, "low", 15, &b), 52);
	assert_int_equal(with_guard(f, "x", GUARD_GT, 0, "low", 15, &b), 51);
	assert_int_equal(with_guard(f, "p", GUARD_EQ, 0, NULL, 15, &b), 52);
	assert_int_equal(with_guard(f, "p", GUARD_EQ, 0, NULL, 15, NULL), 51);
	assert_int_equal(with_guard(f, "*word", GUARD_EQ, '+', NULL, 15, &b), 51);
	assert_int_equal(with_guard(f, "*word", GUARD_EQ, 'b', NULL, 15, &b), 52);
	assert_int_equal(with_guard(f, "word[1]", GUARD_EQ, 'b', NULL, 15, &b), 51);
}

static void two_comparisons_decide(void **state)
{
	struct patched *f = *state;
	const struct box one = { 0, 1 }, none = { 0, 0 };

	assert_int_equal(with_guards(f, "x", GUARD_GT, 20, NULL, "p->large", 21, &one), 51);
	assert_int_equal(with_guards(f, "x", GUARD_GT, 20, NULL, "p->large", 21, &none), 52);
	assert_int_equal(with_guards(f, "x", GUARD_GT, 20, NULL, "p->large", 15, &one), 52);
	assert_int_equal(with_guards(f, "x", GUARD_GT, 20, NULL, "p->large", 15, &none), 52);
	/* the second one is not made where the first one does not hold */
	assert_int_equal(with_guards(f, "p", GUARD_NE, 0, NULL, "p->large", 15, NULL), 52);
}

/* Addresses relative to the instruction still mean what they meant. */
static void instructions_move(void **state)
{
	struct patched *f = *state;
	const struct trace_insn *insns;
	size_t n = image_insns(f->im, &insns), avail;
	unsigned moved = 0;

	for (size_t i = 0; i < n; i++) {
		const struct image_function *in = image_function_at(f->im, insns[i].addr);
		g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
		struct code_piece piece = { 0 };

		if (!in || strcmp(in->name, "f") != 0)
			continue;
		assert_true(code_piece_insns(&piece, image_bytes(f->im, insns[i].addr, &avail),
					     insns[i].length, insns[i].addr));
		code_piece_actions(&piece, insns[i].addr, insns[i].length, actions);
		assert_int_equal(run(f, actions, 15, NULL), 52);
		moved++;
	}
	assert_true(moved >= 2);
}

static void watches_are_what_is_visible(void **state)
{
	struct patched *f = *state;
	g_autoptr(GArray) skips = mutator_skips(f->m, f->file, 9);
	const struct mutant *skip = &g_array_index(skips, struct mutant, 0);
	struct limits limits = *limits_default();
	g_autoptr(GPtrArray) all = NULL;
	g_autoptr(GPtrArray) fewer = NULL;
	g_autoptr(GPtrArray) first = NULL;

	assert_int_equal(skips->len, 1);
	all = watches_at(f->im, skip->addr, &limits);
	assert_int_equal(watch_named(all, "x")->size, 4);
	assert_int_equal(watch_named(all, "limit")->reg, TRACE_NOTE_NONE);
	assert_int_equal(watch_named(all, "p->large")->member, offsetof(struct box, large));
	assert_int_equal(watch_value(watch_named(all, "p->small"), 0xfffd), -3);
	assert_int_equal(watch_value(watch_named(all, "c"), 200), 200);
	assert_int_equal(watch_named(all, "word[2]")->member, 2);
	limits.guard_elements = 2;
	fewer = watches_at(f->im, skip->addr, &limits);
	assert_int_equal(watch_named(fewer, "word[1]")->member, 1);
	assert_int_equal(fewer->len, all->len - 1);
	limits.guard_watches = 2;
	first = watches_at(f->im, skip->addr, &limits);
	assert_int_equal(first->len, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(guards_decide),
		cmocka_unit_test(two_comparisons_decide),
		cmocka_unit_test(instructions_move),
		cmocka_unit_test(watches_are_what_is_visible),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
