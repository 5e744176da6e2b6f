/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What other ways out do last, done at the one that lacks it, is what the compiler makes of the
 * source with it. */
#include "tests/support/worded-program.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct worded_program programs[] = {
	{ "`leave()' put before it", 7,
	  "static long depth, deepest;\n"
	  "static void enter(void) { if (++depth > deepest) deepest = depth; }\n"
	  "static void leave(void) { depth--; }\n"
	  "static void item(long n)\n"
	  "{\n"
	  "	enter();\n"
	  "	if (n & 1) { |leave();| return; }\n"
	  "	item(n / 2 * 2 + 1);\n"
	  "	leave();\n"
	  "}\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	depth = deepest = 0;\n"
	  "	item(a); item(b); item(b + 1);\n"
	  "	return deepest + 10 * depth;\n"
	  "}\n" },
	{ "`l->used = now' put before it", 7,
	  "struct line { long tag, used; };\n"
	  "static long now;\n"
	  "static long look(struct line *l, long tag)\n"
	  "{\n"
	  "	now++;\n"
	  "	if (l->tag == tag)\n"
	  "		|{ l->used = now; return l->tag + 1; }|return l->tag + 1;|\n"
	  "	l->tag = tag;\n"
	  "	l->used = now;\n"
	  "	return tag;\n"
	  "}\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct line l = { a, 0 };\n"
	  "	long n = look(&l, a) + 3 * look(&l, a);\n"
	  "	return n + 100 * l.used + b;\n"
	  "}\n" },
	{ "`i += 2' put before it", 6,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long i = 0, n = b, rounds = 0;\n"
	  "	while (i < 9 && rounds++ < 20) {\n"
	  "		if (i == (a & 6))\n"
	  "			|{ i += 2; continue; }|continue;|\n"
	  "		n = 3 * n + i;\n"
	  "		i += 2;\n"
	  "	}\n"
	  "	return n;\n"
	  "}\n" },
};

static void words_do_what_they_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(programs); i++)
		worded_program_test(&programs[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_do_what_they_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
