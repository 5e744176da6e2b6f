/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/value.h"
#include "tests/support/mi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static GPtrArray *parse(const char *text)
{
	return test_mi_parse(text, strlen(text), TEST_MI_WHOLE, NULL, 0);
}

static const struct mi_value *results(const GPtrArray *records)
{
	const struct mi_record *record;

	assert_int_equal(records->len, 1);
	record = g_ptr_array_index(records, 0);
	assert_non_null(record->results);
	return record->results;
}

static void paths_lead_to_values(void **state)
{
	g_autoptr(GPtrArray) records =
		parse("^done,frame={level=\"0\",args=[{name=\"x\"},{name=\"y\"}]},"
		      "stack=[frame={func=\"f\"},frame={func=\"g\"}]\n");
	const struct mi_value *value = results(records);

	(void)state;
	assert_string_equal(mi_get_text(value, "frame.level"), "0");
	assert_string_equal(mi_get_text(value, "frame.args.1.name"), "y");
	assert_string_equal(mi_get_text(value, "stack.frame.func"), "f");
	assert_string_equal(mi_get_text(value, "stack.1.func"), "g");
	assert_string_equal(mi_get_text(value, "1.0.func"), "f");
	assert_ptr_equal(mi_get(value, ""), value);
	assert_int_equal(mi_count(mi_get(value, "stack")), 2);
}

static void paths_that_end_early_lead_nowhere(void **state)
{
	g_autoptr(GPtrArray) records = parse("^done,a={b=\"1\"},c=[]\n");
	const struct mi_value *value = results(records);
	static const char *const none[] = { "x",
					    "a.x",
					    "a.b.c",
					    "c.0",
					    "9",
					    "a.1",
					    "1.0",
					    "0x",
					    "a.0b",
					    ".",
					    "99999999999999999999" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(none); i++) {
		if (mi_get(value, none[i]))
			fail_msg("there is something at \"%s\"", none[i]);
	}
	assert_null(mi_get(NULL, "a"));
	assert_null(mi_get_text(value, "a"));
	assert_null(mi_get_text(NULL, "a"));
	assert_int_equal(mi_count(NULL), 0);
	assert_null(mi_item(value, 2));
}

static void expect_number(const char *text, bool good, uint64_t expected)
{
	g_autofree char *line = g_strdup_printf("^done,n=\"%s\"\n", text);
	g_autoptr(GPtrArray) records = parse(line);
	uint64_t number = 4711;

	assert_int_equal(mi_get_u64(results(records), "n", &number), good);
	assert_int_equal(number, good ? expected : 4711);
}

static void numbers_are_read_or_left(void **state)
{
	(void)state;
	expect_number("0", true, 0);
	expect_number("12", true, 12);
	expect_number("012", true, 12);
	expect_number("0x401136 <main>", true, 0x401136);
	expect_number("0xffffffffffffffff", true, UINT64_MAX);
	expect_number("18446744073709551615", true, UINT64_MAX);
	expect_number("18446744073709551616", false, 0);
	expect_number("", false, 0);
	expect_number("-1", false, 0);
	expect_number(" 1", false, 0);
	expect_number("0x", false, 0);
	expect_number("0x ", false, 0);
	expect_number("1.5", false, 0);
	expect_number("<PENDING>", false, 0);
	expect_number("{v4_float = {0, 0}}", false, 0);
}

static void octal_is_octal(void **state)
{
	g_autoptr(GPtrArray) records = parse("^done,a=\"031\",b=\"01\",c=\"8\",d=\"0377\"\n");
	const struct mi_value *value = results(records);
	uint64_t number = 4711;

	(void)state;
	assert_false(mi_get_octal(value, "c", &number));
	assert_int_equal(number, 4711);
	assert_true(mi_get_octal(value, "a", &number));
	assert_int_equal(number, 25);
	assert_true(mi_get_octal(value, "b", &number));
	assert_int_equal(number, 1);
	assert_true(mi_get_octal(value, "d", &number));
	assert_int_equal(number, 255);
}

static void values_can_be_built_and_printed(void **state)
{
	g_autoptr(mi_value) tuple = mi_value_new("bkpt", MI_TUPLE);
	struct mi_value *list = mi_value_new("groups", MI_LIST);
	g_autoptr(GString) text = g_string_new(NULL);

	(void)state;
	mi_value_add(list, mi_value_new_string(NULL, "i\0\n", 3));
	mi_value_add(list, mi_value_new(NULL, MI_TUPLE));
	mi_value_add(tuple, mi_value_new_string("number", "1", 1));
	mi_value_add(tuple, list);
	mi_value_print(tuple, text);
	assert_string_equal(text->str, "bkpt={number=\"1\",groups=[\"i\\000\\n\",{}]}");
}

static void equality_sees_every_difference(void **state)
{
	static const char *const different[] = {
		"^done,a=\"1\"",
		"^done,a=\"2\"",
		"^done,b=\"1\"",
		"^done,a={}",
		"^done,a=[]",
		"^done,a=[\"1\"]",
		"^done,a=[x=\"1\"]",
		"^done,a=\"1\",a=\"1\"",
		"1^done,a=\"1\"",
		"*done,a=\"1\"",
		"^error,a=\"1\"",
		"~\"a\"",
		"&\"a\"",
		"~\"b\"",
		"2^done,a=\"1\"",
		"^done,a=\"1\\0001\"",
		"(gdb) ",
		"text",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(different); i++) {
		for (size_t k = 0; k < G_N_ELEMENTS(different); k++) {
			g_autoptr(GPtrArray) a = parse(different[i]);
			g_autoptr(GPtrArray) b = parse(different[k]);

			assert_int_equal(
				mi_record_equal(g_ptr_array_index(a, 0), g_ptr_array_index(b, 0)),
				i == k);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_lead_to_values),
		cmocka_unit_test(paths_that_end_early_lead_nowhere),
		cmocka_unit_test(numbers_are_read_or_left),
		cmocka_unit_test(octal_is_octal),
		cmocka_unit_test(values_can_be_built_and_printed),
		cmocka_unit_test(equality_sees_every_difference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
