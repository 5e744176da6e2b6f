/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

struct format_row {
	const char *format, *text;
	bool prefix, matches;
	unsigned literals;
};

static const struct format_row rows[] = {
	{ "total %d\n", "total 12\n", false, true, 7 },
	{ "total %d\n", "total x\n", false, false, 7 },
	{ "%s: %d\n", "a: b: 3\n", false, true, 3 },
	{ "%d%d", "12", false, true, 0 },
	{ "[%5.1f]", "[  2.5]", false, true, 2 },
	{ "[%5.1f]", "[2.5]", false, false, 2 },
	{ "100%%", "100%", false, true, 4 },
	{ "item ", "item 3\n", true, true, 5 },
	{ "item ", "item 3\n", false, false, 5 },
	{ "%c%c\n", "ab\n", false, true, 1 },
	{ "%s", "", false, true, 0 },
};

static void formats_match_what_they_can_print(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const struct format_row *r = &rows[i];
		unsigned literals;
		bool got = match_format(r->format, r->text, strlen(r->text), r->prefix,
					limits_default(), &literals);

		if (got != r->matches || literals != r->literals)
			fail_msg("\"%s\" and \"%s\": %d, %u", r->format, r->text, got, literals);
	}
}

/* Of several ways the one is taken that leaves the first values as they were. */
static void values_stay_where_they_can(void **state)
{
	(void)state;
	g_autoptr(GArray) directives = directives_parse("%d, %d\n");
	g_autoptr(GArray) items = g_array_new(FALSE, TRUE, sizeof(struct match_item));
	static const char *const actual[] = { "1", ", ", "2", "\n" };
	static const char *const expected[] = { "1", ", ", "23", "\n" };
	struct printed_piece pieces[4] = { 0 };

	for (guint i = 0; i < 4; i++) {
		struct match_item item = { .piece = &pieces[i],
					   .actual = actual[i],
					   .actual_length = strlen(actual[i]) };

		pieces[i].directive = g_array_index(directives, struct directive, i);
		pieces[i].width = pieces[i].precision = DIRECTIVE_NONE;
		g_array_append_val(items, item);
	}
	assert_true(match_items(items, "1, 23\n", 6, false, limits_default()));
	for (guint i = 0; i < 4; i++) {
		const struct match_item *item = &g_array_index(items, struct match_item, i);

		assert_int_equal(item->expected_length, strlen(expected[i]));
		assert_memory_equal(item->expected, expected[i], item->expected_length);
	}
	assert_false(match_items(items, "1; 23\n", 6, false, limits_default()));
}

/* A pattern that would take for ever is given up. */
static void many_strings_end(void **state)
{
	(void)state;
	g_autofree char *text = g_strnfill(300, 'a');
	unsigned literals;

	assert_false(
		match_format("%s%s%s%s%s%s%s%s!", text, 300, false, limits_default(), &literals));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_match_what_they_can_print),
		cmocka_unit_test(values_stay_where_they_can),
		cmocka_unit_test(many_strings_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
