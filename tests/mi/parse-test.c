/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds of the MI parser; its grammar is tested by tests/mi's transcripts. */
#include "mi/parse.h"
#include "tests/support/mi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct mi_record *record_at(const GPtrArray *records, guint i)
{
	assert_true(i < records->len);
	return g_ptr_array_index(records, i);
}

/* ^done,a=[[[...]]] */
static GString *nested(unsigned depth)
{
	GString *line = g_string_new("^done,a=");

	for (unsigned i = 0; i < depth; i++)
		g_string_append_c(line, i % 2 ? '{' : '[');
	for (unsigned i = depth; i > 0; i--)
		g_string_append_c(line, (i - 1) % 2 ? '}' : ']');
	g_string_append_c(line, '\n');
	return line;
}

static void depth_is_bounded(void **state)
{
	(void)state;
	for (unsigned depth = MI_DEPTH_MAX - 1; depth <= MI_DEPTH_MAX + 1; depth++) {
		g_autoptr(GString) line = nested(depth);
		g_autoptr(GPtrArray) records = test_mi_parse(line->str, line->len, 0, NULL, 0);

		assert_int_equal(records->len, 1);
		assert_int_equal(record_at(records, 0)->kind,
				 depth <= MI_DEPTH_MAX ? MI_RESULT : MI_TARGET_OUTPUT);
	}
}

static void open_brackets_without_end_are_text(void **state)
{
	g_autofree char *line = g_strnfill(1000000, '[');
	g_autoptr(GPtrArray) records = NULL;

	(void)state;
	memcpy(line, "^done,a=", 8);
	records = test_mi_parse(line, 1000000, 4096, NULL, 0);
	assert_int_equal(records->len, 1);
	assert_int_equal(record_at(records, 0)->kind, MI_TARGET_OUTPUT);
	assert_int_equal(record_at(records, 0)->length, 1000000);
}

static void expect_pieces(const char *text, size_t max, const char *expected)
{
	for (size_t piece = 0; piece < 12; piece++) {
		g_autoptr(GPtrArray) records = test_mi_parse(text, strlen(text), piece, NULL, max);
		g_autofree char *dump = test_mi_dump(records);

		assert_string_equal(dump, expected);
	}
}

static void line_length_is_bounded(void **state)
{
	(void)state;
	expect_pieces("1^done\n2^done\n", 6, "result 1 done {}\nresult 2 done {}\n");
	expect_pieces("12^done\n2^done\n", 6,
		      "target-output \"12^don\" ...\ntarget-output \"e\"\nresult 2 done {}\n");
	/* What follows a piece is text, though it looks like MI. */
	expect_pieces("12345^done\n^done\n", 5,
		      "target-output \"12345\" ...\ntarget-output \"^done\"\nresult done {}\n");
	expect_pieces("abcdefgh", 3,
		      "target-output \"abc\" ...\ntarget-output \"def\" ...\n"
		      "target-output \"gh\" ...\n");
	expect_pieces("abc\n\nd", 3,
		      "target-output \"abc\"\ntarget-output \"\"\ntarget-output \"d\" ...\n");
	expect_pieces("ab\n", 1, "target-output \"a\" ...\ntarget-output \"b\"\n");
}

static void a_huge_line_keeps_the_parser_going(void **state)
{
	size_t n = MI_LINE_MAX + 1000;
	g_autofree char *text = g_strnfill(n, 'x');
	g_autoptr(GPtrArray) records = NULL;

	(void)state;
	memcpy(text + n - 8, "\n1^done\n", 8);
	records = test_mi_parse(text, n, 1 << 20, NULL, 0);
	assert_int_equal(records->len, 3);
	assert_int_equal(record_at(records, 0)->length, MI_LINE_MAX);
	assert_int_equal(record_at(records, 1)->length, 1000 - 8);
	assert_true(record_at(records, 1)->ended);
	assert_int_equal(record_at(records, 2)->kind, MI_RESULT);
}

static void a_long_line_of_marks_takes_no_long_time(void **state)
{
	static const char mark[] = "x^done,a=\"";
	size_t n = 4000000;
	g_autofree char *text = g_malloc(n);
	g_autoptr(GPtrArray) records = NULL;
	gint64 start = g_get_monotonic_time();

	(void)state;
	for (size_t i = 0; i < n; i++)
		text[i] = mark[i % (sizeof mark - 1)];
	records = test_mi_parse(text, n, 0, NULL, 0);
	assert_int_equal(records->len, 1);
	assert_true(g_get_monotonic_time() - start < 5 * G_USEC_PER_SEC);
}

static void a_real_long_record_is_read(void **state)
{
	g_autoptr(GString) line = g_string_new("5^done,memory=[");
	g_autoptr(GPtrArray) records = NULL;

	(void)state;
	for (unsigned i = 0; i < 50000; i++)
		g_string_append_printf(line, "%s{begin=\"%u\"}", i ? "," : "", i);
	g_string_append(line, "]\n");
	records = test_mi_parse(line->str, line->len, 777, NULL, 0);
	assert_int_equal(records->len, 1);
	assert_int_equal(mi_count(mi_get(record_at(records, 0)->results, "memory")), 50000);
	assert_string_equal(mi_get_text(record_at(records, 0)->results, "memory.49999.begin"),
			    "49999");
}

static void count(struct mi_record *record, void *n)
{
	mi_record_free(record);
	++*(unsigned *)n;
}

static void a_parser_can_go_on_after_the_end(void **state)
{
	unsigned n = 0;
	g_autoptr(mi_parser) parser = mi_parser_new(count, &n);

	(void)state;
	mi_parser_end(parser);
	assert_int_equal(n, 0);
	mi_parser_feed(parser, "1^done", 6);
	assert_int_equal(n, 0);
	mi_parser_end(parser);
	assert_int_equal(n, 1);
	mi_parser_feed(parser, "", 0);
	mi_parser_feed(parser, "\n(gdb)\n", 7);
	assert_int_equal(n, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(depth_is_bounded),
		cmocka_unit_test(open_brackets_without_end_are_text),
		cmocka_unit_test(line_length_is_bounded),
		cmocka_unit_test(a_huge_line_keeps_the_parser_going),
		cmocka_unit_test(a_long_line_of_marks_takes_no_long_time),
		cmocka_unit_test(a_real_long_record_is_read),
		cmocka_unit_test(a_parser_can_go_on_after_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
