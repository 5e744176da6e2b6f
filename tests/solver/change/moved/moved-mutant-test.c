/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements moved out of a loop and into it, and input whose end is noticed, are what the compiler
 * makes of the source with that. */
#include "tests/support/worded-program.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct worded_program programs[] = {
	{ "the line moved behind the loop", 6,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long n = 0, sum = b;\n"
	  "	for (long i = 0; i < 5; i++) {\n"
	  "		n += a & i;\n"
	  "|	}\n"
	  "	sum = 3 * sum + n;|"
	  "		sum = 3 * sum + n;\n"
	  "	}|\n"
	  "	return sum;\n"
	  "}\n" },
	/* with branches and calls, in a loop that a `break' leaves, too */
	{ "lines 11 to 14 moved behind the loop", 11,
	  "static long calls;\n"
	  "static long twice(long n) { calls++; return 2 * n; }\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long n = 1, i = 0;\n"
	  "	calls = 0;\n"
	  "	while (i < 9) {\n"
	  "		n += i++;\n"
	  "		if (n > (b & 31))\n"
	  "			break;\n"
	  "|	}\n"
	  "	if (n % 3 == (a & 1)) n = twice(n); else if (n & 1) n += 5;|"
	  "		if (n % 3 == (a & 1))\n"
	  "			n = twice(n);\n"
	  "		else if (n & 1)\n"
	  "			n += 5;\n"
	  "	}|\n"
	  "	return n + 100 * calls;\n"
	  "}\n" },
	/* behind an `else', with a call, and without the loop's variable */
	{ "a copy of lines 10 to 13 put before it", 10,
	  "static long twice(long n) { return 2 * n; }\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long n = 0, sum = 0;\n"
	  "	for (long i = 0; i < 9; i++) {\n"
	  "		long bit = (a >> i) & 1;\n"
	  "		if (bit) {\n"
	  "			n++;\n"
	  "			sum ^= b;\n"
	  "		} else if (n) {\n"
	  "			sum = 3 * sum + twice(n);\n"
	  "			n = 0;\n"
	  "		}\n"
	  "	}|\n"
	  "	if (n) { sum = 3 * sum + twice(n); n = 0; }||\n"
	  "	return sum;\n"
	  "}\n" },
	/* what stands in a block, without its condition */
	{ "a copy of lines 6 to 7 put before it", 6,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long n = 0, sum = 0;\n"
	  "	for (long i = 0; i < 9; i++) {\n"
	  "		if ((a >> i) & 1) {\n"
	  "			sum = 3 * sum + n;\n"
	  "			n = 0;\n"
	  "		}\n"
	  "		n += b & 3;\n"
	  "	}|\n"
	  "	sum = 3 * sum + n; n = 0;||\n"
	  "	return 5 * sum + n;\n"
	  "}\n" },
	{ "`sum = 3 * sum + n' put before it", 6,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long n = 0, sum = 0;\n"
	  "	for (long i = 0; i < 9; i++) {\n"
	  "		if ((a >> i) & 1)\n"
	  "			sum = 3 * sum + n;\n"
	  "		n += b & 3;\n"
	  "	}|\n"
	  "	sum = 3 * sum + n;||\n"
	  "	return sum;\n"
	  "}\n" },
	{ "`link(b, a)' put before it", 6,
	  "static long m[8][8];\n"
	  "static void link(long i, long k) { m[i & 7][k & 7] += i ^ 5 * k; }\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long sum = 0;\n"
	  "	|link(b, a); ||link(a, b);\n"
	  "	for (long i = 0; i < 64; i++) {\n"
	  "		sum = 3 * sum + m[i / 8][i % 8];\n"
	  "		m[i / 8][i % 8] = 0;\n"
	  "	}\n"
	  "	return sum;\n"
	  "}\n" },
	{ "the line moved into the loop before it", 6,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long n = 0, sum = b;\n"
	  "	for (long i = 0; i < 5; i++)\n"
	  "|	{ n += a & i;\n"
	  "		sum = 3 * sum + n; }|"
	  "		n += a & i;\n"
	  "		sum = 3 * sum + n;|\n"
	  "	return sum;\n"
	  "}\n" },
	{ "`break' where sscanf reads nothing", 8,
	  "int sscanf(const char *, const char *, ...);\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	static const char *const texts[] = { \"1\", \"20\", \"x\", \"300\", \"\" };\n"
	  "	long n = b & 7, sum = 0, i = a & 1;\n"
	  "	while (i < 5) {\n"
	  "		i++;\n"
	  "		|if (sscanf(texts[i - 1], \"%ld\", &n) < 1) break;|"
	  "sscanf(texts[i - 1], \"%ld\", &n);|\n"
	  "		sum = 2 * sum + n;\n"
	  "	}\n"
	  "	return sum;\n"
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
