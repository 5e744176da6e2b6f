/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `-' for `+' is the difference that the compiler makes of the source with `-', and no other one;
 * so with `/' for `*'. */
#include "tests/support/patched.h"

#include "solver/change/mutant/mutant-operator.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* What f(a, b) returns, its line 3 being the text with that operator. */
static const struct {
	const char *type, *before, *text; /* @: the operator */
} sums[] = {
	{ "long", "", "return a @ b;" },
	{ "long", "", "return b @ a;" },
	{ "long", "", "return a @ b / 3;" },
	{ "long", "", "return b / 3 @ a;" },
	{ "long", "long v[] = { a, b, 7 };", "return v[a & 1] @ v[b & 1];" },
	{ "long", "long s = a;", "s @= b; return s;" },
	{ "long", "", "return twice(a) @ b;" },
	{ "long", "", "return a @ twice(b);" },
	{ "long", "", "return twice(a) @ twice(b);" },
	{ "int", "int x = (int)a, y = (int)b;", "return x @ y;" },
	{ "double", "double x = a, y = b;", "return x @ y;" },
	{ "double", "double x = a, y = b;", "return x @ y / 4;" },
	{ "double", "double x = a, y = b;", "x @= y; return x;" },
	{ "double", "double v[] = { a, b };", "return v[0] @ v[1];" },
};

/* The same of floating-point products. */
static const struct {
	const char *before, *text;
} products[] = {
	{ "double x = a, y = b;", "return x @ y;" },
	{ "double x = a, y = b;", "return y @ x;" },
	{ "double x = a, y = b;", "x @= y; return x;" },
	{ "double x = a, y = b;", "return x @ y / 4;" },
	{ "double y = b;", "return twice(a) @ y;" },
	{ "double x = a;", "return x @ twice(b);" },
	{ "double x = a, y = b;", "return y - x @ twice(b);" },
	{ "", "return twice(a) @ twice(b);" },
	{ "double x = a;", "return x @ 0.5;" },
};

typedef long function(long a, long b);

static char *source_with(const char *type, const char *before, const char *text, const char *sign)
{
	g_auto(GStrv) parts = g_strsplit(text, "@", 2);

	return g_strdup_printf("static %s twice(%s v) { return 2 * v; }\n"
			       "static %s part(long a, long b) { (void)twice; %s\n"
			       "	%s%s%s\n"
			       "}\n"
			       "long f(long a, long b) { return (long)(8 * part(a, b)); }\n",
			       type, type, type, before, parts[0], sign, parts[1]);
}

static long value_of(const struct patched *p, long a, long b)
{
	return ((function *)(uintptr_t)patched_function(p, "f"))(a, b);
}

/* How many mutants put a difference or a quotient for that symbol; each has to be right. */
static unsigned check_ordered(const char *is, const char *should, const char *text, char symbol)
{
	struct patched *p = patched_new(is), *expected = patched_new(should);
	g_autoptr(GArray) all = mutator_line(p->m, p->file, 3);
	unsigned n = 0;

	for (guint k = 0; k < all->len; k++) {
		const struct mutant *m = &g_array_index(all, struct mutant, k);
		g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

		if (mutant_symbol_ordered(m) != symbol)
			continue;
		n++;
		mutant_actions(m, actions);
		patched_put(p, actions);
		if (value_of(p, 21, 8) != value_of(expected, 21, 8) ||
		    value_of(p, -4, 90) != value_of(expected, -4, 90))
			fail_msg("%s: %ld for %ld", text, value_of(p, 21, 8),
				 value_of(expected, 21, 8));
		patched_restore(p);
	}
	patched_free(p);
	patched_free(expected);
	return n;
}

static void differences_are_those_of_the_source(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(sums); i++) {
		g_autofree char *is = source_with(sums[i].type, sums[i].before, sums[i].text, "+");
		g_autofree char *should =
			source_with(sums[i].type, sums[i].before, sums[i].text, "-");
		unsigned n = check_ordered(is, should, sums[i].text, '+');

		if (n != 1)
			fail_msg("%s: %u differences", sums[i].text, n);
	}
}

static void quotients_are_those_of_the_source(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(products); i++) {
		g_autofree char *is =
			source_with("double", products[i].before, products[i].text, "*");
		g_autofree char *should =
			source_with("double", products[i].before, products[i].text, "/");
		unsigned n = check_ordered(is, should, products[i].text, '*');

		if (n != 1)
			fail_msg("%s: %u quotients", products[i].text, n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(differences_are_those_of_the_source),
		cmocka_unit_test(quotients_are_those_of_the_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
