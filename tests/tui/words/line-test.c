/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/words/line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void clean(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{ NULL, "" },
		{ "", "" },
		{ "\t  if (x)\n", "if (x)" },
		{ "a \t b\r\nc", "a b c" },
		{ "is  \"a  b\",   not", "is \"a  b\", not" },
		{ "\"a\\\"  b\"  c", "\"a\\\"  b\" c" },
		{ "\033[31mred", "?[31mred" },
		{ "\x7f\x01", "?"
			      "?" },
		{ "\xc2\x9b"
		  "1m",
		  "?1m" }, /* C1 control sequence introducer */
		{ "a\xe2\x80\xae"
		  "b",
		  "a?b" }, /* right-to-left override */
		{ "\xff\xfe!", "?"
			       "?!" },
		{ "größe 漢", "größe 漢" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *got = tui_clean(cases[i].text);

		assert_string_equal(got, cases[i].expected);
	}
}

static void code(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{ NULL, "" },
		{ "\tif (x)  y;\r\n", "        if (x)  y;?" },
		{ "ab\tc", "ab      c" },
		{ "漢\tc", "漢      c" },
		{ "x\033[1m \xff  ", "x?[1m ?" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *got = tui_clean_code(cases[i].text);

		assert_string_equal(got, cases[i].expected);
	}
}

static void width(void **state)
{
	(void)state;
	assert_int_equal(tui_width(""), 0);
	assert_int_equal(tui_width("abc"), 3);
	assert_int_equal(tui_width("größe"), 5);
	assert_int_equal(tui_width("漢字"), 4);
	assert_int_equal(tui_width("e\xcc\x81"), 1);
}

static void elide(void **state)
{
	static const struct {
		const char *text;
		unsigned width;
		const char *expected;
	} cases[] = {
		{ "abcdef", 6, "abcdef" },    { "abcdef", 5, "ab..." },
		{ "abcdef", 3, "..." },	      { "abcdef", 2, ".." },
		{ "abcdef", 0, "" },	      { "漢字漢字", 8, "漢字漢字" },
		{ "漢字漢字", 7, "漢字..." }, { "漢字漢字", 6, "漢..." },
		{ "ab cdef", 6, "ab..." },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *got = tui_elide(cases[i].text, cases[i].width);

		assert_string_equal(got, cases[i].expected);
		assert_true(tui_width(got) <= cases[i].width);
	}
}

static void check_wrap(const char *text, unsigned columns, const char *expected)
{
	g_autoptr(GPtrArray) lines = tui_wrap(text, columns);
	g_autofree char *got = NULL;

	g_ptr_array_add(lines, NULL);
	got = g_strjoinv("|", (char **)lines->pdata);
	assert_string_equal(got, expected);
}

static void wrap(void **state)
{
	(void)state;
	check_wrap("", 10, "");
	check_wrap("one two three", 20, "one two three");
	check_wrap("one two three", 7, "one two|three");
	check_wrap("one two three", 5, "one|two|three");
	check_wrap("abcdefghij kl", 6, "abc...|kl");
	check_wrap("kl abcdefghij", 6, "kl|abc...");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clean), cmocka_unit_test(code), cmocka_unit_test(width),
		cmocka_unit_test(elide), cmocka_unit_test(wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
