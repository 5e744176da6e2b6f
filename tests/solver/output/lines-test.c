/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static char *differences(const char *actual, const char *expected)
{
	g_autoptr(GString) a = g_string_new(actual), b = g_string_new(expected);
	g_autoptr(GArray) x = lines_split(a), y = lines_split(b);
	g_autoptr(GArray) hunks = lines_compare(x, y);
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < hunks->len; i++) {
		const struct lines_hunk *h = &g_array_index(hunks, struct lines_hunk, i);

		g_string_append_printf(out, "%u-%u:%u-%u ", h->actual, h->actual_end, h->expected,
				       h->expected_end);
	}
	return g_string_free(out, FALSE);
}

static void check(const char *actual, const char *expected, const char *hunks)
{
	g_autofree char *got = differences(actual, expected);

	assert_string_equal(got, hunks);
}

static void hunks_are_what_differs(void **state)
{
	(void)state;
	check("", "", "");
	check("a\nb\n", "a\nb\n", "");
	check("a\nx\nc\n", "a\nb\nc\n", "1-2:1-2 ");
	check("a\nc\n", "a\nb\nc\n", "1-1:1-2 ");
	check("a\nb\nc\n", "a\nc\n", "1-2:1-1 ");
	check("a\n", "", "0-1:0-0 ");
	check("", "a\nb", "0-0:0-2 ");
	check("a\nb", "a\nb\n", "1-2:1-2 ");
	check("1\na\n2\nb\n3\n", "1\nc\n2\n3\n", "1-2:1-2 3-4:3-3 ");
}

/* A number stands for any number, a word for any word. */
static bool may_stand_for(guint actual, guint expected, gpointer data)
{
	const char *const *texts = data;

	return g_ascii_isdigit(texts[0][actual]) == g_ascii_isdigit(texts[1][expected]);
}

static void check_pairs(const char *actual, const char *expected, const char *hunks)
{
	const char *texts[] = { actual, expected };
	const struct lines_hunk whole = { 0, (guint)strlen(actual), 0, (guint)strlen(expected) };
	g_autoptr(GArray) parts = lines_pair(&whole, may_stand_for, texts);
	g_autoptr(GString) got = g_string_new(NULL);

	for (guint i = 0; i < parts->len; i++) {
		const struct lines_hunk *h = &g_array_index(parts, struct lines_hunk, i);

		g_string_append_printf(got, "%u-%u:%u-%u ", h->actual, h->actual_end, h->expected,
				       h->expected_end);
	}
	assert_string_equal(got->str, hunks);
}

static void as_many_lines_as_can_go_together(void **state)
{
	(void)state;
	check_pairs("a1", "2", "0-1:0-0 ");
	check_pairs("1", "a2", "0-0:0-1 ");
	check_pairs("ab1", "c2d", "1-2:1-1 3-3:2-3 ");
	check_pairs("1a", "b2", "0-1:0-0 2-2:1-2 ");
	check_pairs("", "ab", "0-0:0-2 ");
	check_pairs("12", "34", "");
}

static void lines_know_where_they_are(void **state)
{
	(void)state;
	g_autoptr(GString) text = g_string_new("ab\n\ncd");
	g_autoptr(GArray) lines = lines_split(text);
	const struct text_line *l = (const struct text_line *)(const void *)lines->data;

	assert_int_equal(lines->len, 3);
	assert_true(l[0].at == 0 && l[0].length == 3);
	assert_true(l[1].at == 3 && l[1].length == 1);
	assert_true(l[2].at == 4 && l[2].length == 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hunks_are_what_differs),
		cmocka_unit_test(as_many_lines_as_can_go_together),
		cmocka_unit_test(lines_know_where_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
