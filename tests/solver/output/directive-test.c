/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/directive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct directive only(const char *format)
{
	g_autoptr(GArray) all = directives_parse(format);

	assert_non_null(all);
	assert_int_equal(all->len, 1);
	return g_array_index(all, struct directive, 0);
}

static void a_format_is_taken_apart(void **state)
{
	(void)state;
	g_autoptr(GArray) all = directives_parse("a%% %-5.2lf|%*hhd%s%p%n%Lf");
	static const enum directive_kind kinds[] = {
		DIRECTIVE_TEXT,	 DIRECTIVE_TEXT,   DIRECTIVE_TEXT,   DIRECTIVE_FLOAT,
		DIRECTIVE_TEXT,	 DIRECTIVE_INT,	   DIRECTIVE_STRING, DIRECTIVE_POINTER,
		DIRECTIVE_COUNT, DIRECTIVE_OPAQUE,
	};
	const struct directive *d = (const struct directive *)(const void *)all->data;

	assert_int_equal(all->len, G_N_ELEMENTS(kinds));
	for (guint i = 0; i < all->len; i++)
		assert_int_equal(d[i].kind, kinds[i]);
	assert_int_equal(d[1].length, 1);
	assert_true(d[3].left);
	assert_int_equal(d[3].width, 5);
	assert_int_equal(d[3].precision, 2);
	assert_int_equal(d[5].width, DIRECTIVE_STAR);
	assert_int_equal(d[5].size, 1);
	assert_int_equal(d[9].size, 16);
	assert_null(directives_parse("%1$d"));
	assert_null(directives_parse("%"));
	assert_null(directives_parse("%5"));
}

struct integer_row {
	const char *format;
	uint64_t bits;
	const char *text; /* NULL = it is not printed so by any value */
};

static const struct integer_row integers[] = {
	{ "%d", (uint32_t)-7, "-7" },
	{ "%i", 12, "12" },
	{ "%5d", 12, "   12" },
	{ "%-5d", 12, "12   " },
	{ "%05d", 12, "00012" },
	{ "%+d", 12, "+12" },
	{ "%.3d", 7, "007" },
	{ "%u", 4294967295u, "4294967295" },
	{ "%x", 0xbeef, "beef" },
	{ "%#X", 0xbeef, "0XBEEF" },
	{ "%o", 8, "10" },
	{ "%hhd", 0xff, "-1" },
	{ "%hd", 0x8000, "-32768" },
	{ "%ld", (uint64_t)INT64_MIN, "-9223372036854775808" },
	{ "%zu", UINT64_MAX, "18446744073709551615" },
	{ "%c", 'x', "x" },
	{ "%3c", 'x', "  x" },
	{ "%p", 0x1234, "0x1234" },
	{ "%p", 0, "(nil)" },
};

static void integers_go_both_ways(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(integers); i++) {
		const struct integer_row *row = &integers[i];
		struct directive d = only(row->format);
		struct directive_value v;
		size_t n;
		g_autofree char *text =
			directive_print(&d, d.width, d.precision, row->bits, NULL, 0, &n);

		assert_int_equal(n, strlen(row->text));
		assert_memory_equal(text, row->text, n);
		assert_true(directive_read(&d, d.width, d.precision, row->text, n, &v));
		assert_true(v.low == row->bits && v.high == row->bits);
	}
}

static void what_it_cannot_print_is_refused(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{ "%d", "" },	   { "%d", "x" },  { "%d", "007" },	    { "%d", " 7" },
		{ "%5d", "7" },	   { "%x", "BE" }, { "%d", "99999999999" }, { "%hhu", "256" },
		{ "%.2f", "1.5" }, { "%c", "ab" }, { "%.2s", "abc" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
		struct directive d = only(pairs[i][0]);
		struct directive_value v;

		if (directive_read(&d, d.width, d.precision, pairs[i][1], strlen(pairs[i][1]), &v))
			fail_msg("%s reads %s", pairs[i][0], pairs[i][1]);
	}
}

static double of(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static bool prints(const char *format, double x, const char *text)
{
	char out[400];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(out, sizeof(out), format, x);
#pragma GCC diagnostic pop
	return strcmp(out, text) == 0;
}

/* The interval holds all doubles that print so, and no others. */
static void floats_become_intervals(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{ "%.2f", "2.33" },	 { "%f", "-0.000001" },	   { "%g", "1e+10" },
		{ "%8.1f", "    -3.0" }, { "%e", "1.500000e-05" }, { "%.0f", "0" },
		{ "%.3g", "0.1" },	 { "%a", "0x1.8p+1" },	   { "%.1f", "-0.0" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
		struct directive d = only(pairs[i][0]);
		const char *text = pairs[i][1];
		struct directive_value v;
		double low, high;

		assert_true(directive_read(&d, d.width, d.precision, text, strlen(text), &v));
		low = of(v.low);
		high = of(v.high);
		assert_true(low <= high);
		assert_true(prints(pairs[i][0], low, text) && prints(pairs[i][0], high, text));
		assert_false(prints(pairs[i][0], nextafter(low, -INFINITY), text) && low != 0);
		assert_false(prints(pairs[i][0], nextafter(high, INFINITY), text) && high != 0);
	}
}

static void strings_lose_their_padding(void **state)
{
	(void)state;
	struct directive d = only("%-6s");
	struct directive_value v;

	assert_true(directive_read(&d, d.width, d.precision, "tea   ", 6, &v));
	assert_int_equal(v.length, 3);
	assert_true(v.whole);
	d = only("%.3s");
	assert_true(directive_read(&d, d.width, d.precision, "cat", 3, &v));
	assert_false(v.whole);
	assert_true(directive_read(&d, d.width, d.precision, "ca", 2, &v));
	assert_true(v.whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_format_is_taken_apart),
		cmocka_unit_test(integers_go_both_ways),
		cmocka_unit_test(what_it_cannot_print_is_refused),
		cmocka_unit_test(floats_become_intervals),
		cmocka_unit_test(strings_lose_their_padding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
