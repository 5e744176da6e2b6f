/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/styled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

static struct printed_piece piece_of(const char *format, uint64_t bits)
{
	g_autoptr(GArray) all = directives_parse(format);
	struct printed_piece p = { .directive = g_array_index(all, struct directive, 0),
				   .width = DIRECTIVE_NONE,
				   .precision = DIRECTIVE_NONE,
				   .bits = bits };

	p.directive.styled = true;
	return p;
}

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static double double_of(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

struct styled_row {
	const char *format;
	uint64_t bits;
	const char *actual, *expected;
	uint64_t value; /* of the expected text; the float in the middle is near enough */
};

/* Reads what is expected in the style of what was printed. */
static void check_styled(const struct styled_row *row, double value)
{
	struct printed_piece p = piece_of(row->format, row->bits);
	struct directive_value v;

	if (!styled_fit(&p, NULL, 0, row->actual, strlen(row->actual)))
		fail_msg("no style for %s", row->actual);
	if (!styled_read(&p, row->actual, strlen(row->actual), row->expected, strlen(row->expected),
			 &v))
		fail_msg("%s is not read as %s is", row->expected, row->actual);
	if (p.directive.kind != DIRECTIVE_FLOAT)
		assert_int_equal(v.low, row->value);
	else if (!(double_of(v.low) <= value && value <= double_of(v.high)))
		fail_msg("%s is %g to %g", row->expected, double_of(v.low), double_of(v.high));
}

static void integers(void **state)
{
	static const struct styled_row rows[] = {
		{ "%d", 42, "42", "43", 43 },	       { "%d", 42, "   42", "  143", 143 },
		{ "%d", 42, "42...", "7....", 7 },     { "%d", (uint32_t)-5, "   -5", "    6", 6 },
		{ "%d", 255, "ff", "fe", 254 },	       { "%d", 255, "0xff", "0x1a", 26 },
		{ "%d", 255, "377", "10", 8 },	       { "%d", 255, "000000FF", "0000001F", 31 },
		{ "%d", 5, "+5", "-6", (uint32_t)-6 }, { "%d", 5, "0005", "0000", 0 },
		{ "%hhd", 1, "true", "false", 0 },     { "%hhd", 0, " false", "  true", 1 },
		{ "%c", 'a', "  a", "  b", 'b' },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		check_styled(&rows[i], 0);
}

static void floats(void **state)
{
	static const struct {
		double bits;
		const char *actual, *expected;
		double value;
	} rows[] = {
		{ 1.5, "1.5", "2", 2 },
		{ 1.5, "1.50", "2.00", 2 },
		{ 0.5, "    0.50", "   12.25", 12.25 },
		{ 2.0 / 3, "0.6667", "0.3333", 1.0 / 3 },
		{ 12.5, "12.5", "12.0", 12 },
		{ 1e6, "1.00e+06", "2.50e+06", 2.5e6 },
		{ 3, "3", "-4", -4 },
		{ 0.25, "*0.25", "-0.75", -0.75 },
		{ 1.0 / 3, "0.3333333333333333", "0.6666666666666666", 2.0 / 3 },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const struct styled_row row = { "%g", bits_of(rows[i].bits), rows[i].actual,
						rows[i].expected, 0 };

		check_styled(&row, rows[i].value);
	}
}

static void strings(void **state)
{
	struct printed_piece p = piece_of("%s", 0);
	struct directive_value v;

	(void)state;
	assert_true(styled_fit(&p, "nut", 3, "nut       ", 10));
	assert_true(styled_read(&p, "nut       ", 10, "bolt      ", 10, &v));
	assert_int_equal(v.length, 4);
	assert_memory_equal(v.text, "bolt", 4);
	p = piece_of("%s", 0);
	p.directive.kind = DIRECTIVE_BYTES;
	p.directive.length = 3;
	assert_false(styled_fit(&p, NULL, 3, "nnutt", 5));
	assert_true(styled_fit(&p, NULL, 3, "aab  ", 5));
	assert_true(p.directive.left);
	assert_true(styled_fit(&p, NULL, 3, "  nut", 5));
	assert_false(p.directive.left);
	assert_true(styled_read(&p, "  nut", 5, "  gut", 5, &v));
	assert_int_equal(v.length, 3);
	assert_memory_equal(v.text, "gut", 3);
	assert_false(styled_read(&p, "  nut", 5, " gut", 4, &v));
}

static void other_texts(void **state)
{
	struct printed_piece p = piece_of("%d", 42);

	(void)state;
	assert_false(styled_fit(&p, NULL, 0, "43", 2));
	assert_false(styled_fit(&p, NULL, 0, "4", 1));
	assert_false(styled_fit(&p, NULL, 0, "", 0));
	assert_false(styled_fit(&p, NULL, 0, " 42 ", 4));
	p.directive.styled = false;
	assert_false(styled_fit(&p, NULL, 0, "  42", 4));
	p = piece_of("%s", 0);
	assert_false(styled_fit(&p, NULL, 0, "nut", 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers),
		cmocka_unit_test(floats),
		cmocka_unit_test(strings),
		cmocka_unit_test(other_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
