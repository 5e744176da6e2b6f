/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other operators and exchanged variables are what the compiler makes of the source with them. */
#include "solver/change/mutant/mutant-operator.h"
#include "solver/change/mutant/mutant-step.h"
#include "tests/support/patched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* A function a line, and behind each what it should be. */
static const char source[] =
	"static int keep(int x, int y) { return 3 * x + y; }\n"
	"int from_constant(int a, int b) { return keep(b, a + 26); }\n"
	"int from_constant_(int a, int b) { return keep(b, 26 - a); }\n"
	"int difference(int a, int b) { int c[4], *n = &a; c[a & 3] = *n + b; return c[a & 3]; }\n"
	"int difference_(int a, int b) { int c[4], *n = &a; c[a & 3] = *n - b; return c[a & 3]; }\n"
	"int remainder_of(int a, int b) { int r = a / b; return r; }\n"
	"int remainder_of_(int a, int b) { int r = a % b; return r; }\n"
	"int quotient(int a, int b) { int r = a; r %= b; return r; }\n"
	"int quotient_(int a, int b) { int r = a; r /= b; return r; }\n"
	"int exchanged(int a, int b) { int j = a, k = b; {\n"
	"	return 10 * j + k; } }\n"
	"int exchanged_(int a, int b) { int j = a, k = b; return 10 * k + j; }\n"
	"int assigned(int a, int b) { int r = a; { \n"
	"	r = b; } return r; }\n"
	"int assigned_(int a, int b) { int r = a; r += b; return r; }\n"
	"int summed(int a, int b) { int r = a; {\n"
	"	r += b; } return r; }\n"
	"int summed_(int a, int b) { int r = a; r = b; return r; }\n"
	"int added(int a, int b) { int r = a; { \n"
	"	r = r + b; } return r; }\n"
	"int added_(int a, int b) { int r = a; r = r * b; return r; }\n"
	"int passed(int a, int b) { return keep(a, a + b); }\n"
	"int passed_(int a, int b) { return keep(a, a * b); }\n"
	"int grown(int a, int b) { int r = a; {\n"
	"	r += b; } return 3 * r + b; }\n"
	"int grown_(int a, int b) { int r = a; r *= b; return 3 * r + b; }\n"
	"int divided(int a, int b) { int r = a / b; return r; }\n"
	"int divided_(int a, int b) { int r = a * b; return r; }\n"
	"int before(int a, int b) { int n = a; {\n"
	"	b += 3 * --n; } return b + n; }\n"
	"int before_(int a, int b) { int n = a; b += 3 * n--; return b + n; }\n"
	"int behind(int a, int b) { struct { int k; long n; } s = { b, a }, *p = &s; {\n"
	"	b += 3 * p->n++; } return b + p->n; }\n"
	"int behind_(int a, int b) { int n = a; b += 3 * ++n; return b + n; }\n";

typedef int function(int a, int b);

static bool makes(struct patched *p, const struct mutant *m, function *of, function *other)
{
	static const int inputs[][2] = { { 17, 5 }, { -3, 8 }, { 1000, -7 }, { 0, 1 } };
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	bool same = true;

	mutant_actions(m, actions);
	for (size_t i = 0; i < G_N_ELEMENTS(inputs); i++) {
		int now, wanted = other(inputs[i][0], inputs[i][1]);

		patched_put(p, actions);
		now = of(inputs[i][0], inputs[i][1]);
		patched_restore(p);
		same &= now == wanted;
	}
	return same;
}

/* Of the line, one with which the function does what the other one does. */
static bool is_made(struct patched *p, const char *name, unsigned line, const char *words)
{
	g_autofree char *other_name = g_strconcat(name, "_", NULL);
	g_autoptr(GArray) all = mutator_line(p->m, p->file, line);
	function *of = (function *)(uintptr_t)patched_function(p, name);
	function *other = (function *)(uintptr_t)patched_function(p, other_name);
	bool made = false;

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);
		g_autofree char *said = NULL;

		if (m->kind != MUTANT_OPERATOR)
			continue;
		said = mutant_operator_words(m);
		if (g_strcmp0(said, words) == 0)
			made |= makes(p, m, of, other);
	}
	return made;
}

static void they_are_what_the_compiler_makes(void **state)
{
	static const struct {
		const char *name, *words;
		unsigned line;
	} rows[] = {
		{ "from_constant", "`-' for `+'", 2 },
		{ "difference", "`-' for `+'", 4 },
		{ "remainder_of", "`%' for `/'", 6 },
		{ "quotient", "`/' for `%'", 8 },
		{ "assigned", "`+=' for `='", 14 },
		{ "summed", "`=' for `+='", 17 },
		{ "added", "`*' for `+'", 20 },
		{ "passed", "`*' for `+'", 22 },
		{ "grown", "`*' for `+'", 25 },
		{ "divided", "`*' for `/'", 27 },
		{ "before", "the value taken before the step", 30 },
		{ "behind", "the value taken behind the step", 33 },
	};
	struct patched *p = patched_new(source);

	(void)state;
	for (size_t r = 0; r < G_N_ELEMENTS(rows); r++)
		if (!is_made(p, rows[r].name, rows[r].line, rows[r].words))
			fail_msg("%s", rows[r].name);
	patched_free(p);
}

static void variables_of_a_line_are_exchanged(void **state)
{
	struct patched *p = patched_new(source);
	g_autoptr(GArray) all = mutator_line(p->m, p->file, 11);
	unsigned exchanged = 0;

	(void)state;
	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);
		g_autofree char *words = NULL;

		if (m->kind != MUTANT_VARIABLE || !m->also)
			continue;
		words = mutator_place_words(p->m, m);
		assert_string_equal(words, "`j' and `k' exchanged");
		assert_int_equal(m->also->from, m->to);
		assert_int_equal(m->also->to, m->from);
		assert_true(m->also->addr != m->addr);
		exchanged++;
	}
	assert_int_equal(exchanged, 1);
	patched_free(p);
}

static void steps_are_named(void **state)
{
	const struct mutant before = { .kind = MUTANT_OPERATOR, .to = MUTANT_STEP_BEFORE },
			    behind = { .kind = MUTANT_OPERATOR,
				       .to = MUTANT_STEP_BEHIND,
				       .from = 1 };
	g_autofree char *one = mutant_step_words(&before, "f(s[i++], t->n[at]--);");
	g_autofree char *other = mutant_step_words(&behind, "f(s[++i], ++ x, --k);");
	g_autofree char *which = mutant_step_words(&behind, "x = ++i + 1;");

	(void)state;
	assert_string_equal(one, "`--t->n[at]' for `t->n[at]--'");
	assert_null(other);
	assert_string_equal(which, "`i++' for `++i'");
	assert_null(mutant_step_words(&behind, "	for (i = 0; i < n; ++i)"));
	assert_null(mutant_step_words(&behind, "	else ++i;"));
	assert_null(mutant_step_words(&before, "	if (x) i--;"));
}

static void another_type_has_no_name(void **state)
{
	static const char text[] =
		"struct a { int x; };\nstruct b { int y; };\n"
		"int read(struct a *a, struct b *b) { struct a *p = a; struct b *q = b;\n"
		"	return p->x; }\n";
	struct patched *p = patched_new(text);
	g_autoptr(GArray) all = mutator_line(p->m, p->file, 4);
	unsigned same = 0;

	(void)state;
	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);
		g_autofree char *words =
			m->kind == MUTANT_VARIABLE ? mutator_place_words(p->m, m) : NULL;

		same += g_strcmp0(words, "`a' for `p'") == 0;
		assert_string_not_equal(words ? words : "", "`b' for `p'");
		assert_string_not_equal(words ? words : "", "`q' for `p'");
	}
	assert_int_equal(same, 1);
	patched_free(p);
}

/* `* 8' is a shift, or an address that is computed; but an index has no factor that is a mistake.
 */
static void a_factor_that_is_a_power_of_two_changes(void **state)
{
	struct patched *p = patched_new("long f(long a, long *v) {\n"
					"	long n = a * 8;\n"
					"	n += 16 * a;\n"
					"	return n + v[a & 1]; }\n");
	long (*f)(long, long *) = (long (*)(long, long *))(uintptr_t)patched_function(p, "f");
	static const long from[] = { 8, 16 };
	long v[] = { 1, 2 };

	(void)state;
	for (unsigned line = 2; line <= 4; line++) {
		g_autoptr(GArray) all = mutator_line(p->m, p->file, line);
		unsigned found = 0;

		for (guint i = 0; i < all->len; i++) {
			const struct mutant *m = &g_array_index(all, struct mutant, i);
			g_autoptr(GArray) actions =
				g_array_new(FALSE, FALSE, sizeof(struct trace_action));

			if (m->kind != MUTANT_CONSTANT || line == 4 || m->to != from[line - 2] + 2)
				continue;
			assert_int_equal(m->from, from[line - 2]);
			mutant_actions(m, actions);
			patched_put(p, actions);
			assert_int_equal(f(7, v), 7 * 24 + 2 + 7 * 2);
			patched_restore(p);
			found++;
		}
		assert_int_equal(found, line < 4);
		for (guint i = 0; i < all->len; i++) /* of `v[a & 1]' only the 1 is a constant */
			assert_false(line == 4 &&
				     g_array_index(all, struct mutant, i).kind == MUTANT_CONSTANT &&
				     g_array_index(all, struct mutant, i).from == 8);
	}
	patched_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(they_are_what_the_compiler_makes),
		cmocka_unit_test(variables_of_a_line_are_exchanged),
		cmocka_unit_test(steps_are_named),
		cmocka_unit_test(another_type_has_no_name),
		cmocka_unit_test(a_factor_that_is_a_power_of_two_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
