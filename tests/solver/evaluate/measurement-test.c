/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/evaluate/comparison.h"
#include "solver/evaluate/csv.h"
#include "solver/evaluate/measurement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void quotes_fields(void **state)
{
	GString *line = g_string_new(NULL);
	const char *at;
	g_auto(GStrv) back = NULL;

	(void)state;
	csv_field(line, "a");
	csv_field(line, "b,c");
	csv_field(line, "d\"e\nf");
	csv_field(line, "");
	assert_string_equal(line->str, "a,\"b,c\",\"d\"\"e\nf\",");
	at = line->str;
	back = csv_record(&at);
	assert_int_equal(g_strv_length(back), 4);
	assert_string_equal(back[2], "d\"e\nf");
	assert_string_equal(back[3], "");
	assert_null(csv_record(&at));
	g_string_free(line, TRUE);
}

static void reads_lines_of_other_systems(void **state)
{
	const char *at = "a,b\r\n\n\"never closed, c";
	char **r;

	(void)state;
	r = csv_record(&at);
	assert_string_equal(r[1], "b");
	g_strfreev(r);
	r = csv_record(&at);
	assert_string_equal(r[0], "");
	g_strfreev(r);
	r = csv_record(&at);
	assert_string_equal(r[0], "never closed, c");
	g_strfreev(r);
	assert_null(csv_record(&at));
}

static const struct measurement usual = {
	.subject = "s, the first",
	.version = "v1",
	.faults = 2,
	.omission = true,
	.suite = 75,
	.seed = 3,
	.tests = 30,
	.failed = 4,
	.crashed = 1,
	.technique = "Ochiai",
	.scheme = RANK_AVERAGE,
	.rank = 2.5,
	.lines = 20,
	.exam = 0.125,
	.found = true,
	.proven = false,
};

static void writes_what_it_reads(void **state)
{
	struct measurements *m = measurements_new();
	GString *out = g_string_new(measurement_header), *again = g_string_new(NULL);
	struct measurement none = usual;
	GError *error = NULL;

	(void)state;
	none.rank = 0;
	measurement_write(&usual, out);
	measurement_write(&none, out);
	assert_non_null(strstr(out->str, "\"s, the first\",v1,2,1,75,3,30,4,1,Ochiai,average,2.5,"
					 "20,0.125,1,0\n"));
	assert_non_null(strstr(out->str, ",NA,20,NA,1,0\n"));
	assert_true(measurements_read(m, "x.csv", out->str, &error));
	assert_int_equal(m->rows->len, 2);
	assert_true(g_array_index(m->rows, struct measurement, 1).exam == 1);
	for (unsigned i = 0; i < 2; i++)
		measurement_write(&g_array_index(m->rows, struct measurement, i), again);
	assert_string_equal(again->str, out->str + strlen(measurement_header));
	g_string_free(out, TRUE);
	g_string_free(again, TRUE);
	measurements_free(m);
}

static void refuse(const char *text, const char *expected)
{
	struct measurements *m = measurements_new();
	GError *error = NULL;

	assert_false(measurements_read(m, "x.csv", text, &error));
	assert_non_null(strstr(error->message, expected));
	g_error_free(error);
	measurements_free(m);
}

static void says_what_is_wrong_with_a_table(void **state)
{
	g_autofree char *short_row = g_strconcat(measurement_header, "s,v1,1\n", NULL);
	g_autofree char *no_number = g_strconcat(
		measurement_header, "s,v1,1,0,100,0,3,1,0,Ochiai,average,two,20,0.1,1,0\n", NULL);
	g_autofree char *no_scheme = g_strconcat(
		measurement_header, "s,v1,1,0,100,0,3,1,0,Ochiai,mean,2,20,0.1,1,0\n", NULL);

	(void)state;
	refuse("", "x.csv:1: there is no column subject");
	refuse("a,b\n", "x.csv:1: there is no column subject");
	refuse(short_row, "x.csv:2: the column omission has a wrong value");
	refuse(no_number, "x.csv:2: the column rank has a wrong value");
	refuse(no_scheme, "x.csv:2: the column scheme has a wrong value");
}

static void add(struct measurements *m, const char *version, const char *technique, double rank,
		double ms)
{
	struct measurement row = usual;
	struct measurement_time time = { "s", version, 75, 3, NULL, ms };

	row.subject = time.subject = measurements_text(m, "s");
	row.version = time.version = measurements_text(m, version);
	row.technique = time.technique = measurements_text(m, technique);
	row.rank = rank;
	row.exam = rank / row.lines;
	g_array_append_val(m->rows, row);
	g_array_append_val(m->times, time);
}

static void compares_techniques(void **state)
{
	struct measurements *m = measurements_new();
	struct comparison_choice choice = { NULL, RANK_AVERAGE, 75 };
	GArray *rows;
	const struct comparison *best;

	(void)state;
	add(m, "v1", "worse", 10, 1);
	add(m, "v2", "worse", 20, 1);
	add(m, "v1", "better", 1, 5);
	add(m, "v2", "better", 4, 9);
	rows = comparison_new(m, &choice);
	assert_int_equal(rows->len, 2);
	best = &g_array_index(rows, struct comparison, 0);
	assert_string_equal(best->technique, "better");
	assert_true(best->summary.mean == 2.5 && best->ms == 7);
	assert_int_equal(best->summary.top_1, 1);
	assert_int_equal(best->named, 2);
	g_array_unref(rows);
	choice.suite = 100;
	rows = comparison_new(m, &choice);
	assert_int_equal(rows->len, 0);
	g_array_unref(rows);
	choice.suite = 75;
	choice.subject = "other";
	rows = comparison_new(m, &choice);
	assert_int_equal(rows->len, 0);
	g_array_unref(rows);
	measurements_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quotes_fields),
		cmocka_unit_test(reads_lines_of_other_systems),
		cmocka_unit_test(writes_what_it_reads),
		cmocka_unit_test(says_what_is_wrong_with_a_table),
		cmocka_unit_test(compares_techniques),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
