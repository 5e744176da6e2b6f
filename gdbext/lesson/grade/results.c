/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/grade/results.h"

#include "solver/answer/json/json-put.h"

#include <string.h>

static const struct lesson_check *graded_check(const struct lesson_grade *g, guint i)
{
	return &g_array_index(g->checks, struct lesson_check, i);
}

static char *grade_as_text(const struct lesson_grade *g)
{
	g_autofree char *hints = g->hints ? g_strdup_printf(", after %u %s", g->hints,
							    g->hints == 1 ? "hint" : "hints")
					  : g_strdup("");

	return g_strdup_printf("%s: %s, %u of 100 points%s\n%s", g->lesson,
			       lesson_verdict_word(g->verdict), lesson_grade_points(g), hints,
			       g->feedback);
}

/* --- JSON --- */

static void put_checks(JsonBuilder *b, const struct lesson_grade *g)
{
	begin_array(b, "checks");
	for (guint i = 0; i < g->checks->len; i++) {
		json_builder_begin_object(b);
		put_string(b, "name", graded_check(g, i)->name);
		put_bool(b, "passed", graded_check(g, i)->passed);
		put_string(b, "said", graded_check(g, i)->said);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void put_grade(JsonBuilder *b, const struct lesson_grade *g)
{
	put_string(b, "lesson", g->lesson);
	put_string(b, "seed", g->seed);
	put_string(b, "answer", g->answer);
	put_string(b, "verdict", lesson_verdict_word(g->verdict));
	put_count(b, "points", lesson_grade_points(g));
	put_count(b, "hints", g->hints);
	put_checks(b, g);
	put_string(b, "feedback", g->feedback);
}

static char *grade_as_json(const struct lesson_grade *g)
{
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_builder_begin_object(b);
	put_grade(b, g);
	json_builder_end_object(b);
	return put_end(b, true);
}

/* https://gradescope-autograders.readthedocs.io/: results.json. */
static char *as_gradescope(const struct lesson_grade *g)
{
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_builder_begin_object(b);
	put_count(b, "score", lesson_grade_points(g));
	put_string(b, "output", g->feedback);
	put_string(b, "stdout_visibility", "hidden");
	begin_array(b, "tests");
	for (guint i = 0; i < g->checks->len; i++) {
		json_builder_begin_object(b);
		put_string(b, "name", graded_check(g, i)->name);
		put_string(b, "status", graded_check(g, i)->passed ? "passed" : "failed");
		put_string(b, "output", graded_check(g, i)->said);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
	json_builder_end_object(b);
	return put_end(b, true);
}

/* --- TAP and JUnit --- */

static char *as_tap(const struct lesson_grade *g)
{
	GString *out = g_string_new("TAP version 13\n");

	g_string_append_printf(out, "1..%u\n", g->checks->len);
	for (guint i = 0; i < g->checks->len; i++) {
		const struct lesson_check *c = graded_check(g, i);
		g_autofree char *said = g_strdelimit(g_strdup(c->said), "\n#", ' ');

		g_string_append_printf(out, "%sok %u - %s%s%s\n", c->passed ? "" : "not ", i + 1,
				       c->name, *said ? ": " : "", said);
	}
	g_string_append_printf(out, "# %s, %u of 100 points\n", lesson_verdict_word(g->verdict),
			       lesson_grade_points(g));
	return g_string_free(out, FALSE);
}

/* What XML 1.0 cannot hold becomes `?'. */
static char *xml_text(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	for (char *c = valid; *c; c++)
		if (g_ascii_iscntrl(*c) && *c != '\n' && *c != '\t')
			*c = '?';
	return g_markup_escape_text(valid, -1);
}

static void add_suite(GString *out, const char *name, const struct lesson_grade *g)
{
	g_autofree char *suite = xml_text(name);
	unsigned failed = 0;

	for (guint i = 0; i < g->checks->len; i++)
		failed += !graded_check(g, i)->passed;
	g_string_append_printf(out, "  <testsuite name=\"%s\" tests=\"%u\" failures=\"%u\">\n",
			       suite, g->checks->len, failed);
	for (guint i = 0; i < g->checks->len; i++) {
		const struct lesson_check *c = graded_check(g, i);
		g_autofree char *of = xml_text(c->name), *said = xml_text(c->said);

		g_string_append_printf(out, "    <testcase classname=\"%s\" name=\"%s\"", suite,
				       of);
		if (c->passed)
			g_string_append(out, "/>\n");
		else
			g_string_append_printf(out, "><failure message=\"%s\"/></testcase>\n",
					       said);
	}
	g_string_append(out, "  </testsuite>\n");
}

#define XML_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"

static char *as_junit(const struct lesson_grade *g)
{
	GString *out = g_string_new(XML_HEAD);

	add_suite(out, g->lesson, g);
	g_string_append(out, "</testsuites>\n");
	return g_string_free(out, FALSE);
}

/* --- a class --- */

static const struct lesson_row *lesson_row_at(const GArray *rows, guint i)
{
	return &g_array_index(rows, struct lesson_row, i);
}

/* A cell, quoted; one that a spreadsheet would take for a formula begins with an apostrophe. */
static void add_cell(GString *out, const char *text, bool last)
{
	g_auto(GStrv) parts = g_strsplit(text ? text : "", "\"", -1);
	g_autofree char *quoted = g_strjoinv("\"\"", parts);

	g_string_append_printf(out, "\"%s%s\"%s", *quoted && strchr("=+-@\t\r", *quoted) ? "'" : "",
			       g_strdelimit(g_strchomp(quoted), "\r\n", ' '), last ? "\n" : ",");
}

static void append_csv_number(GString *out, unsigned n)
{
	g_string_append_printf(out, "%u,", n);
}

static char *as_csv(const GArray *rows)
{
	GString *out =
		g_string_new("student,lesson,seed,answer,verdict,points,hints,feedback,remark\n");

	for (guint i = 0; i < rows->len; i++) {
		const struct lesson_row *r = lesson_row_at(rows, i);
		const struct lesson_grade *g = r->grade;

		add_cell(out, r->student, false);
		add_cell(out, g ? g->lesson : "", false);
		add_cell(out, g ? g->seed : "", false);
		add_cell(out, g ? g->answer : "", false);
		add_cell(out, g ? lesson_verdict_word(g->verdict) : "not graded", false);
		append_csv_number(out, g ? lesson_grade_points(g) : 0);
		append_csv_number(out, g ? g->hints : 0);
		add_cell(out, g ? g->feedback : r->problem, false);
		add_cell(out, r->remark, true);
	}
	return g_string_free(out, FALSE);
}

static char *class_json(const GArray *rows)
{
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_builder_begin_array(b);
	for (guint i = 0; i < rows->len; i++) {
		const struct lesson_row *r = lesson_row_at(rows, i);

		json_builder_begin_object(b);
		put_string(b, "student", r->student);
		if (r->grade)
			put_grade(b, r->grade);
		put_string(b, "problem", r->problem);
		put_string(b, "remark", r->remark);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
	return put_end(b, true);
}

static char *class_junit(const GArray *rows)
{
	GString *out = g_string_new(XML_HEAD);

	for (guint i = 0; i < rows->len; i++)
		if (lesson_row_at(rows, i)->grade)
			add_suite(out, lesson_row_at(rows, i)->student,
				  lesson_row_at(rows, i)->grade);
	g_string_append(out, "</testsuites>\n");
	return g_string_free(out, FALSE);
}

struct difficulty {
	unsigned n, verdicts[LESSON_EMPTY + 1], hints, points;
};

static void add_hard(GString *out, const GArray *rows)
{
	g_autoptr(GHashTable) by_lesson =
		g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	g_autoptr(GList) names = NULL;

	for (guint i = 0; i < rows->len; i++) {
		const struct lesson_grade *g = lesson_row_at(rows, i)->grade;
		struct difficulty *d = g ? g_hash_table_lookup(by_lesson, g->lesson) : NULL;

		if (!g)
			continue;
		if (!d)
			g_hash_table_insert(by_lesson, g->lesson, d = g_new0(struct difficulty, 1));
		d->n++;
		d->verdicts[g->verdict]++;
		d->hints += g->hints;
		d->points += lesson_grade_points(g);
	}
	names = g_list_sort(g_hash_table_get_keys(by_lesson), (GCompareFunc)strcmp);
	g_string_append_printf(out, "\n%-20s %5s %5s %6s %5s %5s %6s %6s\n", "what was hard", "all",
			       "right", "partly", "wrong", "none", "hints", "points");
	for (GList *name = names; name; name = name->next) {
		const struct difficulty *d = g_hash_table_lookup(by_lesson, name->data);

		g_string_append_printf(out, "%-20s %5u %5u %6u %5u %5u %6.1f %6.1f\n",
				       (char *)name->data, d->n, d->verdicts[LESSON_RIGHT],
				       d->verdicts[LESSON_PARTIAL], d->verdicts[LESSON_WRONG],
				       d->verdicts[LESSON_EMPTY], (double)d->hints / d->n,
				       (double)d->points / d->n);
	}
}

static char *class_text(const GArray *rows)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < rows->len; i++) {
		const struct lesson_row *r = lesson_row_at(rows, i);
		const struct lesson_grade *g = r->grade;

		g_string_append_printf(out, "%-16s %-16s %-12s %3u  %s%s%s\n", r->student,
				       g ? g->lesson : "-",
				       g ? lesson_verdict_word(g->verdict) : "not graded",
				       g ? lesson_grade_points(g) : 0, g ? g->answer : r->problem,
				       r->remark ? "  " : "", r->remark ? r->remark : "");
	}
	add_hard(out, rows);
	return g_string_free(out, FALSE);
}

char *lesson_result(const struct lesson_grade *g, enum lesson_format format)
{
	struct lesson_row row = { (char *)".", (struct lesson_grade *)g, NULL, NULL };
	g_autoptr(GArray) rows = NULL;

	switch (format) {
	case LESSON_JSON:
		return grade_as_json(g);
	case LESSON_TAP:
		return as_tap(g);
	case LESSON_JUNIT:
		return as_junit(g);
	case LESSON_GRADESCOPE:
		return as_gradescope(g);
	case LESSON_CSV:
		rows = g_array_new(FALSE, FALSE, sizeof row);
		g_array_append_val(rows, row);
		return as_csv(rows);
	default:
		return grade_as_text(g);
	}
}

char *lesson_results(const GArray *rows, enum lesson_format format)
{
	switch (format) {
	case LESSON_JSON:
		return class_json(rows);
	case LESSON_CSV:
		return as_csv(rows);
	case LESSON_JUNIT:
		return class_junit(rows);
	default:
		return class_text(rows);
	}
}
