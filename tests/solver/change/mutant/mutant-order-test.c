/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two lines in the other order do what the compiler makes of them. */
#include "tests/support/patched.h"
#include "tests/support/worded-program.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct worded_program programs[] = {
	{ "this line and the next one exchanged", 5,
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

/* Nothing can be used before its declaration, and control has to go straight on. */
static void others_stay_in_order(void **state)
{
	static const char source[] = "long f(long a, long b)\n"
				     "{\n"
				     "	long n = 0;\n"
				     "	n += a;\n"
				     "	if (b)\n"
				     "		n = 3 * n;\n"
				     "	return n;\n"
				     "}\n";
	struct patched *p = patched_new(source);

	(void)state;
	for (unsigned line = 2; line <= 8; line++) {
		g_autoptr(GArray) all = mutator_line(p->m, p->file, line);

		for (guint i = 0; i < all->len; i++)
			if (g_array_index(all, struct mutant, i).kind == MUTANT_ORDER)
				fail_msg("line %u", line);
	}
	patched_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_do_what_they_say),
		cmocka_unit_test(others_stay_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
