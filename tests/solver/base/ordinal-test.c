/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ordinal numbers, above all those between ten and twenty. */
#include "solver/base/ordinal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void endings_are_english(void **state)
{
	static const struct {
		uint64_t n;
		const char *ending;
	} cases[] = {
		{ 0, "th" },	      { 1, "st" },   { 2, "nd" },   { 3, "rd" },    { 4, "th" },
		{ 9, "th" },	      { 10, "th" },  { 11, "th" },  { 12, "th" },   { 13, "th" },
		{ 14, "th" },	      { 20, "th" },  { 21, "st" },  { 22, "nd" },   { 23, "rd" },
		{ 24, "th" },	      { 91, "st" },  { 100, "th" }, { 101, "st" },  { 111, "th" },
		{ 112, "th" },	      { 113, "th" }, { 121, "st" }, { 1002, "nd" }, { 1011, "th" },
		{ UINT64_MAX, "th" }, /* …615 */
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(ordinal_ending(cases[i].n), cases[i].ending);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(endings_are_english) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
