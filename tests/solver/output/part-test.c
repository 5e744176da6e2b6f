/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which parts of what a format prints are its own. */
#include "solver/output/part.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void test_parts(void **state)
{
	static const struct {
		const char *format, *text;
		unsigned own;
	} cases[] = {
		{ "discount: %.2f\n", "discount", 8 },
		{ "discount: %.2f\n", "count", 5 },
		{ "discount: %.2f\n", "discount: 0.98", 10 },
		{ "discount: %.2f\n", "discount: 0.98\n", 11 },
		{ "discount: %.2f\n", "t: 0", 3 },
		{ "discount: %.2f\n", "0.98", 0 },
		{ "discount: %.2f\n", "0.98\n", 1 },
		{ "discount: %.2f\n", "discount: nan", 10 },
		{ "discount: %.2f\n", "discount: zero", 0 },
		{ "discount: %.2f\n", "discounts", 0 },
		{ "%s has %d", "rex has 12", 5 },
		{ "%s has %d", "has zero", 0 },
		{ "%s has %d", "rex has 12 bones", 0 },
		{ "%d of %d", "1 of 2", 4 },
		{ "%d of %d", "of of", 0 },
		{ "%d%%", "5%", 1 },
		{ "aab", "ab", 2 },
		{ "aab", "aab", 3 },
		{ "aab", "abb", 0 },
		{ "", "a", 0 },
		{ "a", "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned own =
			part_of_format(cases[i].format, cases[i].text, strlen(cases[i].text));

		if (own != cases[i].own)
			print_error("%s in %s: %u\n", cases[i].text, cases[i].format, own);
		assert_int_equal(own, cases[i].own);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
