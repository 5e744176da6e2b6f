/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void expect_read(const char *c_string, const char *bytes, size_t n)
{
	g_autoptr(GString) to = g_string_new(NULL);
	const char *at = c_string;

	assert_true(mi_text_read(&at, c_string + strlen(c_string), to));
	assert_int_equal(to->len, n);
	assert_memory_equal(to->str, bytes, n);
	assert_int_equal(*at, 0);
}

static void escapes_are_read(void **state)
{
	(void)state;
	expect_read("\"\"", "", 0);
	expect_read("\"plain\"", "plain", 5);
	expect_read("\"\\a\\b\\e\\f\\n\\r\\t\\v\"", "\a\b\033\f\n\r\t\v", 8);
	expect_read("\"\\\"\\\\\\'\\?\\q\"", "\"\\'?q", 5);
	expect_read("\"caf\\303\\251\"", "caf\303\251", 5);
	expect_read("\"caf\303\251\"", "caf\303\251", 5);
	expect_read("\"\\0\\08\\1234\"", "\0\0008S4", 5);
}

static void strings_without_quotes_are_refused(void **state)
{
	static const char *const bad[] = {
		"", "x", "\"", "\"a", "\"a\\", "\"a\\\"", "\"\\1", "a\""
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GString) to = g_string_new(NULL);
		const char *at = bad[i];

		assert_false(mi_text_read(&at, bad[i] + strlen(bad[i]), to));
		assert_ptr_equal(at, bad[i]);
	}
}

static void reading_stops_at_the_closing_quote(void **state)
{
	static const char text[] = "\"a\",b=\"c\"";
	g_autoptr(GString) to = g_string_new(NULL);
	const char *at = text;

	(void)state;
	assert_true(mi_text_read(&at, text + strlen(text), to));
	assert_string_equal(to->str, "a");
	assert_string_equal(at, ",b=\"c\"");
}

static void every_byte_survives_printing(void **state)
{
	g_autoptr(GString) printed = g_string_new(NULL);
	g_autoptr(GString) read = g_string_new(NULL);
	char bytes[512];
	const char *at;

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(i < 256 ? i : 511 - i);
	mi_text_print(bytes, sizeof bytes, printed);
	for (size_t i = 0; i < printed->len; i++)
		assert_true(g_ascii_isprint(printed->str[i]));
	at = printed->str;
	assert_true(mi_text_read(&at, printed->str + printed->len, read));
	assert_int_equal(read->len, sizeof bytes);
	assert_memory_equal(read->str, bytes, sizeof bytes);
}

static void arguments_are_quoted(void **state)
{
	g_autofree char *c_string = mi_quote("a \"b\"\\\n\303\251\001");
	g_autofree char *empty = mi_quote("");
	g_autofree char *word = mi_quote_word("/a b/'c\"\\d");
	g_autofree char *no_word = mi_quote_word("");

	(void)state;
	assert_string_equal(c_string, "\"a \\\"b\\\"\\\\\\n\303\251\\001\"");
	assert_string_equal(empty, "\"\"");
	assert_string_equal(word, "/a\\ b/\\'c\\\"\\\\d");
	assert_string_equal(no_word, "''");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes_are_read),
		cmocka_unit_test(strings_without_quotes_are_refused),
		cmocka_unit_test(reading_stops_at_the_closing_quote),
		cmocka_unit_test(every_byte_survives_printing),
		cmocka_unit_test(arguments_are_quoted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
