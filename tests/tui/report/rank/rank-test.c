/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/rank/rank.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct ranking_score scores[4][3] = {
	{ { 1, { 1, 1 } }, { 1, { 1, 2 } }, { 2, { 1, 1 } } },
	{ { 0.70710678118654746, { 2, 3 } }, { 1, { 1, 2 } }, { 1.5, { 2, 3 } } },
	{ { 0.70710678118654746, { 2, 3 } }, { INFINITY, { 3, 3 } }, { 1.5, { 2, 3 } } },
	{ { 0, { 4, 4 } }, { -INFINITY, { 4, 4 } }, { 0, { 4, 4 } } },
};

/* Two files, of which one is not there. */
static struct ranking make(unsigned n_techniques)
{
	static const char *const text[] = { "int main(void)", "{", "\tif (x, \"y\")\033[31m",
					    "\t\treturn 1;", "" };
	static const char *const names[] = { "Ochiai", "cbi", "long-name-of-one" };
	struct ranking r = { .program = "./p",
			     .suite = "s.txt",
			     .passed = 7,
			     .failed = 2,
			     .ms = 1234,
			     .scheme = RANK_AVERAGE };
	struct ranking_file p = { "/home/u/src/p.c", g_ptr_array_new() },
			    q = { "/usr/q.c", g_ptr_array_new() };
	struct ranking_line lines[] = {
		{ p.name, 3, text[2], 2, 0, scores[0] },
		{ p.name, 4, text[3], 1, 1, scores[1] },
		{ q.name, 120, NULL, 1, 1, scores[2] },
		{ p.name, 1, text[0], 0, 0, scores[3] },
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(text); i++)
		g_ptr_array_add(p.text, (gpointer)text[i]);
	r.tests = g_array_new(FALSE, FALSE, sizeof(struct ranking_test));
	r.techniques = g_ptr_array_new();
	for (unsigned i = 0; i < n_techniques; i++)
		g_ptr_array_add(r.techniques, (gpointer)names[i]);
	r.lines = g_array_new(FALSE, FALSE, sizeof(struct ranking_line));
	g_array_append_vals(r.lines, lines, G_N_ELEMENTS(lines));
	r.files = g_array_new(FALSE, FALSE, sizeof(struct ranking_file));
	g_array_append_val(r.files, p);
	g_array_append_val(r.files, q);
	return r;
}

static void unmake(struct ranking *r)
{
	for (unsigned i = 0; i < r->files->len; i++)
		g_ptr_array_unref(g_array_index(r->files, struct ranking_file, i).text);
	g_array_unref(r->files);
	g_array_unref(r->tests);
	g_array_unref(r->lines);
	g_ptr_array_unref(r->techniques);
}

static void check(struct ranking r, struct tui_rank_options o, const char *expected)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	o.directory = "/home/u/src";
	assert_true(tui_print_ranking(out, &r, &o));
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
	unmake(&r);
}

static void table(void **state)
{
	(void)state;
	check(make(1), (struct tui_rank_options){ 0 },
	      "./p: 2 tests failed, 7 passed                                              1.2 s\n"
	      "Ochiai; 4 lines, ranks: average of those that tie\n"
	      "\n"
	      " rank      tie    score failed  passed  line\n"
	      "    1                 1      2       0  p.c:3    if (x, \"y\")?[31m\n"
	      "  2.5      2-3   0.7071      1       1  p.c:4    return 1;\n"
	      "  2.5      2-3   0.7071      1       1  q.c:120\n"
	      "    4                 0      0       0  p.c:1    int main(void)\n");
}

static void some_lines_of_an_interrupted_run(void **state)
{
	struct ranking r = make(1);

	(void)state;
	r.scheme = RANK_WORST;
	r.left_out = 1;
	r.not_run = 90;
	check(r, (struct tui_rank_options){ .max_lines = 2, .width = 60 },
	      "./p: 2 tests failed, 7 passed, 1 left out              1.2 s\n"
	      "interrupted: from 10 of 100 tests\n"
	      "Ochiai; 4 lines, ranks: worst of those that tie\n"
	      "\n"
	      " rank      tie    score failed  passed  line\n"
	      "    1                 1      2       0  p.c:3  if (x, \"y\"...\n"
	      "    3      2-3   0.7071      1       1  p.c:4  return 1;\n"
	      "2 more lines; --max-lines 0 shows all\n");
}

static void side_by_side(void **state)
{
	(void)state;
	check(make(3), (struct tui_rank_options){ 0 },
	      "./p: 2 tests failed, 7 passed                                              1.2 s\n"
	      "4 lines, ranks: average of those that tie\n"
	      "\n"
	      "line     Ochiai     cbi\n"
	      "p.c:3         1     1.5\n"
	      "p.c:4       2.5     1.5\n"
	      "q.c:120     2.5       3\n"
	      "p.c:1         4       4\n"
	      "\n"
	      "ranking as Ochiai: long-name-of-one\n");
}

static void annotated_source(void **state)
{
	(void)state;
	check(make(1), (struct tui_rank_options){ .annotate = true },
	      "./p: 2 tests failed, 7 passed                                              1.2 s\n"
	      "Ochiai; 4 lines, ranks: average of those that tie\n"
	      "\n"
	      "p.c\n"
	      "        0      1  int main(void)\n"
	      "               2  {\n"
	      "        1      3          if (x, \"y\")?[31m\n"
	      "   0.7071      4                  return 1;\n"
	      "               5\n"
	      "\n"
	      "/usr/q.c: the source is not there\n");
}

/* The least suspicious green, the most suspicious bold red, others between. */
static void colours_of_suspicion(void **state)
{
	struct ranking r = make(1);
	struct tui_rank_options o = { .annotate = true, .color = TUI_COLOR_ALWAYS };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_true(tui_print_ranking(out, &r, &o));
	fclose(out);
	assert_non_null(strstr(text, "\033[1;31m        if (x, \"y\")?[31m\033[0m\n"));
	assert_non_null(strstr(text, "\033[31m                return 1;\033[0m\n"));
	assert_non_null(strstr(text, "\033[2mint main(void)\033[0m\n"));
	free(text);
	unmake(&r);
}

/* Of files that only their folders tell apart, these are shown. */
static void files_of_one_name(void **state)
{
	struct ranking r = make(1);

	(void)state;
	g_array_index(r.files, struct ranking_file, 1).name = "/usr/p.c";
	g_array_index(r.lines, struct ranking_line, 2).file = "/usr/p.c";
	check(r, (struct tui_rank_options){ .max_lines = 3 },
	      "./p: 2 tests failed, 7 passed                                              1.2 s\n"
	      "Ochiai; 4 lines, ranks: average of those that tie\n"
	      "\n"
	      " rank      tie    score failed  passed  line\n"
	      "    1                 1      2       0  p.c:3         if (x, \"y\")?[31m\n"
	      "  2.5      2-3   0.7071      1       1  p.c:4         return 1;\n"
	      "  2.5      2-3   0.7071      1       1  /usr/p.c:120\n"
	      "1 more line; --max-lines 0 shows all\n");
}

static void csv(void **state)
{
	(void)state;
	check(make(2), (struct tui_rank_options){ .format = TUI_RANK_CSV },
	      "file,line,failed,passed,Ochiai score,Ochiai rank,Ochiai first,Ochiai last,"
	      "cbi score,cbi rank,cbi first,cbi last,text\r\n"
	      "/home/u/src/p.c,3,2,0,1,1,1,1,1,1.5,1,2,\"\tif (x, \"\"y\"\")\033[31m\"\r\n"
	      "/home/u/src/p.c,4,1,1,0.70710678118654746,2.5,2,3,1,1.5,1,2,\t\treturn 1;\r\n"
	      "/usr/q.c,120,1,1,0.70710678118654746,2.5,2,3,inf,3,3,3,\r\n"
	      "/home/u/src/p.c,1,0,0,0,4,4,4,-inf,4,4,4,int main(void)\r\n");
}

static JsonObject *element(JsonObject *o, const char *array, guint i)
{
	return json_array_get_object_element(json_object_get_array_member(o, array), i);
}

/* JSON has no infinity; what ties has both ends of its ranks. */
static void json(void **state)
{
	struct ranking r = make(3);
	const struct tui_rank_options o = { .format = TUI_RANK_JSON };
	const struct ranking_test test = { "t1", "failed" };
	JsonParser *parser = json_parser_new();
	JsonObject *all, *line, *score;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	g_array_append_val(r.tests, test);
	assert_true(tui_print_ranking(out, &r, &o));
	fclose(out);
	assert_true(json_parser_load_from_data(parser, text, -1, NULL));
	all = json_node_get_object(json_parser_get_root(parser));
	assert_string_equal(json_object_get_string_member(all, "scheme"), "average");
	assert_int_equal(
		json_object_get_int_member(json_object_get_object_member(all, "counts"), "failed"),
		2);
	line = element(all, "lines", 1);
	assert_int_equal(json_object_get_int_member(line, "line"), 4);
	score = element(line, "scores", 0);
	assert_true(json_object_get_double_member(score, "rank") == 2.5);
	assert_int_equal(json_object_get_int_member(score, "first"), 2);
	assert_int_equal(json_object_get_int_member(score, "last"), 3);
	assert_string_equal(json_object_get_string_member(
				    element(element(all, "lines", 2), "scores", 1), "score"),
			    "inf");
	assert_string_equal(json_object_get_string_member(
				    element(element(all, "lines", 3), "scores", 1), "score"),
			    "-inf");
	assert_true(json_object_get_null_member(element(all, "lines", 2), "text"));
	assert_string_equal(json_object_get_string_member(element(all, "tests", 0), "verdict"),
			    "failed");
	g_object_unref(parser);
	free(text);
	unmake(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(json),
		cmocka_unit_test(some_lines_of_an_interrupted_run),
		cmocka_unit_test(side_by_side),
		cmocka_unit_test(annotated_source),
		cmocka_unit_test(colours_of_suspicion),
		cmocka_unit_test(files_of_one_name),
		cmocka_unit_test(csv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
