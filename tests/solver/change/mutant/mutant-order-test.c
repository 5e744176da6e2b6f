/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two lines in the other order do what the compiler makes of them. */
#include "tests/support/worded-program.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct worded_program programs[] = {
	{ "exchanged with the next line", 5,
	  "static long step(long n) { return 3 * n + 1; }\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long n = b;\n"
	  "	|n -= a; n = step(n);|n = step(n);\n"
	  "	n -= a;|\n"
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
