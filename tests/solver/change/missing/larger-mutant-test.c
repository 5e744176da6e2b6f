/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An assignment that is made only where the value is larger, or smaller, than what is there, is
 * what the compiler makes of the source with that condition. */
#include "tests/support/worded-program.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct worded_program programs[] = {
	{ "`if ((b & 15) > n)' put before it", 4,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long n = a & 7;\n"
	  "	|if ((b & 15) > n) ||n = b & 15;\n"
	  "	return n;\n"
	  "}\n" },
	{ "`if (v[1].hi < v[0].hi)' put before it", 5,
	  "struct range { int lo, hi; };\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct range v[2] = { { 0, (int)a }, { 0, (int)b } };\n"
	  "	|if (v[1].hi < v[0].hi) ||v[0].hi = v[1].hi;\n"
	  "	return v[0].hi;\n"
	  "}\n" },
	{ "`if (b > r->hi)' put before it", 6,
	  "struct range { long lo, hi; };\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct range v = { 0, a }, *r = &v;\n"
	  "	for (; b < 9; b += 3)\n"
	  "		|if (b > r->hi) ||r->hi = b;\n"
	  "	return v.hi;\n"
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
