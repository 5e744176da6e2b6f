/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other variables whose addresses are taken: which there are, and that the processor then uses
 * them. */
#include "solver/change/source/address-mutant.h"
#include "tests/support/patched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static const char source[] =
	"struct pair { int x, y; };\n"
	"static char first[8], second[8];\n"
	"static short numbers[8];\n"
	"static void put(char *to, int n) { to[0] = n; }\n"
	"static void add(int *x, int n) { *x += n; }\n"
	"static void turn(struct pair *p, int n) { p->y = n; }\n"
	"long f(long n)\n"
	"{\n"
	"	int a = 3, b = 40;\n"
	"	unsigned c = 5;\n"
	"	char name[4] = \"x\", text[4] = \"y\", longer[9] = \"z\";\n"
	"	struct pair p = { 1, 2 }, q = { 3, 4 };\n"
	"	first[0] = second[0] = numbers[0] = 0;\n"
	"	put(first, n);\n"
	"	add(&a, n);\n"
	"	put(name, n);\n"
	"	turn(&p, n);\n"
	"	return a + 100L * b + 10000L * c + 1000000L * (first[0] - second[0]) +\n"
	"		100000000L * (name[0] - text[0]) + longer[0] + 3 * p.y + 7 * q.y;\n"
	"}\n";

enum { N = 9 };

static long without(void)
{
	return 3 + N + 4000 + 50000 + 1000000L * N + 100000000L * (N - 'y') + 'z' + 3 * N + 7 * 4;
}

/* The line has such a mutant, with which the function returns this much more. */
static void expect_address(struct patched *p, unsigned line, const char *words, long more)
{
	g_autoptr(GArray) all = mutator_line(p->m, p->file, line);
	long (*f)(long) = (long (*)(long))(uintptr_t)patched_function(p, "f");
	unsigned n = 0;

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);
		g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

		if (m->kind != MUTANT_VARIABLE || !m->words)
			continue;
		assert_string_equal(m->words, words); /* and no other */
		n++;
		mutant_actions(m, actions);
		patched_put(p, actions);
		assert_int_equal(f(N), without() + more);
		patched_restore(p);
	}
	assert_int_equal(n, 1);
	assert_int_equal(f(N), without());
}

static void another_variable_of_the_type_is_taken(void **state)
{
	struct patched *p = patched_new(source);

	(void)state;
	expect_address(p, 14, "`second' for `first'", -2000000L * N);
	expect_address(p, 15, "`b' for `a'", 99 * N);
	expect_address(p, 16, "`text' for `name'", 100000000L * ('x' - N - N + 'y'));
	expect_address(p, 17, "`q' for `p'", 3 * (2 - N) + 7 * (N - 4));
	patched_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_variable_of_the_type_is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
