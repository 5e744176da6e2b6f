/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What differs between two lines is always to be seen in what is shown of them. */
#include "solver/output/shown.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

struct shown_case {
	const char *actual, *expected, *shown_actual, *shown_expected, *words;
};

#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN

static const struct shown_case cases[] = {
	{ "total 7\n", "total 8\n", "\"total 7\"", "\"total 8\"", "" },
	{ "a  b\n", "a b\n", "\"a  b\"", "\"a b\"", ": 2 blanks in place of 1 blank at column 2" },
	{ "a\tb\n", "a b\n", "\"a\\tb\"", "\"a b\"", ": 1 tab in place of 1 blank at column 2" },
	{ "ab \n", "ab\n", "\"ab \"", "\"ab\"", ": 1 blank in place of nothing at column 3" },
	{ "ab\n", "a b\n", "\"ab\"", "\"a b\"", ": nothing in place of 1 blank at column 2" },
	{ "ab\r\n", "ab\n", "\"ab\\r\"", "\"ab\"",
	  ": 1 carriage return in place of nothing at column 3" },
	{ "a \tb\n", "a b\n", "\"a \\tb\"", "\"a b\"",
	  ": other white space in place of 1 blank at column 2" },
	/* where more differs than white space, the words say nothing of it */
	{ "a  b\n", "a c\n", "\"a  b\"", "\"a c\"", "" },
	/* bytes that are no characters */
	{ "a\xff\n", "a\xfe\n", "\"a\\xff\"", "\"a\\xfe\"", "" },
	{ "\x1b[m\n", "\n", "\"\\x1b[m\"", "\"\"", "" },
	{ "\xc3\xa4\n", "\xc3\xb6\n", "\"\xc3\xa4\"", "\"\xc3\xb6\"", "" },
	/* only the newline */
	{ "end\n", "end", "\"end\"", "\"end\"", "" },
	/* long ones are cut around it */
	{ FIFTY "0x" FIFTY "\n", FIFTY "0y" FIFTY "\n",
	  "\"...123456789" TEN TEN "0x" TEN TEN "012345678...\"", NULL, " at column 52" },
	{ FIFTY FIFTY "\n", FIFTY FIFTY "1\n", NULL, NULL, " at column 101" },
	{ TEN "x" FIFTY FIFTY "\n", TEN "y" FIFTY FIFTY "\n", NULL, NULL, "" },
};

static void check(const struct shown_case *c)
{
	struct shown_pair p =
		shown_pair(c->actual, strlen(c->actual), c->expected, strlen(c->expected));

	if (c->shown_actual)
		assert_string_equal(p.actual, c->shown_actual);
	if (c->shown_expected)
		assert_string_equal(p.expected, c->shown_expected);
	assert_string_equal(p.words, c->words);
	assert_in_range(strlen(p.actual), 2, 72);
	shown_pair_clear(&p);
}

static void differences_are_seen(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check(&cases[i]);
}

/* Wherever in long lines one character differs, of two bytes or one. */
static void differences_are_seen_anywhere(void **state)
{
	(void)state;
	for (size_t at = 0; at < 200; at++) {
		g_autoptr(GString) a = g_string_new(NULL);
		g_autoptr(GString) b = NULL;
		struct shown_pair p;

		for (size_t i = 0; i < 200; i++)
			g_string_append(a, i % 3 ? "\xc3\xa4" : "o");
		b = g_string_new(a->str);
		a->str[at] = 'X';
		b->str[at] = 'Y';
		p = shown_pair(a->str, a->len, b->str, b->len);
		assert_non_null(strchr(p.actual, 'X'));
		assert_non_null(strchr(p.expected, 'Y'));
		shown_pair_clear(&p);
	}
}

static void one_line_is_cut_at_its_end(void **state)
{
	g_autofree char *whole = shown_line("abc\n", 4);
	g_autofree char *cut = shown_line(FIFTY FIFTY, 100);

	(void)state;
	assert_string_equal(whole, "\"abc\"");
	assert_string_equal(cut, "\"" FIFTY TEN "...\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(differences_are_seen),
		cmocka_unit_test(differences_are_seen_anywhere),
		cmocka_unit_test(one_line_is_cut_at_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
