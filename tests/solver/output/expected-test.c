/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a run came of what it should print. */
#include "solver/output/expected.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void test_words(void **state)
{
	static const struct {
		const char *text;
		unsigned at, to;
		bool over;
	} cases[] = {
		{ "17 apples\n", 0, 1, false }, /* one digit may be right by chance */
		{ "17 apples\n", 0, 2, false }, /* and 170 begins with 17 */
		{ "17 apples\n", 0, 3, true },	{ "17 apples\n", 1, 3, true },
		{ "a  17 b", 1, 3, false }, /* the word after the blanks */
		{ "a  17 b", 1, 5, false },	{ "a  17 b", 1, 6, true },
		{ "end", 0, 3, true },		{ "end", 0, 2, false },
		{ "end  ", 3, 5, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct expected_output e = { 0 };

		e.text[PRINTED_ERR] = g_string_new(cases[i].text);
		if (expected_word_is_over(&e, PRINTED_ERR, cases[i].at, cases[i].to) !=
		    cases[i].over) {
			print_error("%s, from %u to %u\n", cases[i].text, cases[i].at, cases[i].to);
			fail();
		}
		expected_clear(&e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
