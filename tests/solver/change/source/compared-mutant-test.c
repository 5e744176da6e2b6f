/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each comparison that asks for something else does what the compiler makes of the source with
 * it. */
#include "tests/support/worded-program.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const struct worded_program programs[] = {
	{ "`i < b - a - 1' for `i < b - a'", 4,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long n = 0;\n"
	  "	for (long i = -9; i < b - a|- 1|; i++)\n"
	  "		n += i + 10;\n"
	  "	return n;\n"
	  "}\n" },
	{ "`i <= m - 1 - 1' for `i <= m - 1'", 4,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	int n = 0, i = (int)a - 20, m = (int)b;\n"
	  "	while (i <= m - 1|- 1|)\n"
	  "		n += i++;\n"
	  "	return n;\n"
	  "}\n" },
	{ "`l' for `l->next'", 7,
	  "struct node { long key; struct node *next; };\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct node x[3] = { { a, x + 1 }, { b, x + 2 }, { 5, 0 } };\n"
	  "	struct node *l = x + (a & 1);\n"
	  "	long n = 0;\n"
	  "	while (|l|l->next|) {\n"
	  "		n = 10 * n + l->key;\n"
	  "		l = l->next;\n"
	  "	}\n"
	  "	return n;\n"
	  "}\n" },
	{ "`p->next' for `p'", 5,
	  "struct node { long key; struct node *next; };\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct node x[2] = { { b, x + 1 }, { 5, 0 } }, *p = a > 2 ? x : x + 1;\n"
	  "	if (!|p->next|p|)\n"
	  "		return 7;\n"
	  "	return p->next ? 8 : 9;\n"
	  "}\n" },
	/* two names for each other */
	{ "`q == p' for `q'", 5,
	  "struct node { long key; struct node *next; };\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct node x[2] = { { b, x + 1 }, { 5, 0 } }, *p = x + 1, *q = a > 2 ? x : p;\n"
	  "	if (|q == p|q|)\n"
	  "		return 7;\n"
	  "	return p->key + q->key;\n"
	  "}\n" },
};

static void comparisons_do_what_they_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(programs); i++)
		worded_program_test(&programs[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comparisons_do_what_they_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
