/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a seed chooses of a made-up lesson; answers and grades without the engine. */
#include "gdbext/lesson/predict.h"
#include "gdbext/lesson/grade/results.h"

#include "gdbext/replay/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char golden[] = "#define MOST 10\n"
			     "int sum(int a, int b)\n"
			     "{\n"
			     "\tint total = a + b;\n"
			     "\treturn total;\n"
			     "}\n"
			     "int main(void)\n"
			     "{\n"
			     "\treturn sum(1, MOST);\n"
			     "}\n";

static const char ini[] = "[lesson]\ntitle=Sums\nfails=1 @MOST@ ?\n"
			  "[fault.1]\nright=int total = a + b;\nwrong=int total = a - b;\n"
			  "reason=total is @MOST+1@\n"
			  "[fault.2]\nright=return total;\nwrong=return a;\n"
			  "[names]\ntotal=total;whole\n[constants]\nMOST=10;20\n";

static char *made(const char *settings)
{
	char *folder = g_dir_make_tmp("gdb-why-lesson.XXXXXX", NULL);
	const char *const files[][2] = { { "golden.c", golden },
					 { "tests.txt", "# all\n1 2 ?\n\n3 @MOST@\n" },
					 { "task.md", "add" },
					 { "lesson.ini", settings } };

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path = g_build_filename(folder, files[i][0], NULL);

		assert_true(g_file_set_contents(path, files[i][1], -1, NULL));
	}
	return folder;
}

static void test_seeds(void **state)
{
	g_autofree char *folder = made(ini);
	struct lesson *l = lesson_read(folder, NULL);
	unsigned faults[2] = { 0 }, renamed = 0, twenty = 0;

	(void)state;
	assert_non_null(l);
	for (int i = 0; i < 40; i++) {
		g_autofree char *seed = g_strdup_printf("student %d", i);
		struct lesson_variant *v = lesson_vary(l, seed, NULL), *again;
		g_autofree char *said = lesson_rename(v, v->program), *other = NULL;
		g_autofree char *text = NULL;

		again = lesson_vary(l, seed, NULL);
		other = lesson_rename(again, again->program);
		assert_string_equal(said, other);
		faults[v->fault->name[0] - '1']++;
		text = lesson_say(v, "a total, `total` and\n    total = 1;\n  total");
		assert_string_equal(text,
				    strstr(said, "whole")
					    ? "a total, `whole` and\n    whole = 1;\n  total"
					    : "a total, `total` and\n    total = 1;\n  total");
		renamed += strstr(said, "whole") != NULL;
		twenty += strstr(said, "#define MOST 20") != NULL;
		assert_null(strstr(v->program, "whole"));
		lesson_variant_free(v);
		lesson_variant_free(again);
	}
	assert_true(faults[0] > 5 && faults[1] > 5 && faults[0] + faults[1] == 40);
	assert_in_range(renamed, 5, 35);
	assert_in_range(twenty, 5, 35);
	lesson_free(l);
	folder_remove(folder);
}

static void test_first(void **state)
{
	g_autofree char *folder = made(ini), *reason = NULL, *function = NULL;
	struct lesson *l = lesson_read(folder, NULL);
	struct lesson_variant *v = lesson_vary(l, NULL, NULL);
	const struct lesson_test *t;
	unsigned first = 0, last = 0;

	(void)state;
	assert_int_equal(v->faulty->len, 1);
	assert_int_equal(g_array_index(v->faulty, unsigned, 0), 4);
	assert_non_null(strstr(v->program, "\tint total = a - b;\n"));
	assert_null(strstr(v->golden, "a - b"));
	function = lesson_function_of(v, 4, &first, &last);
	assert_string_equal(function, "sum");
	assert_int_equal(first, 2);
	assert_int_equal(last, 6);
	assert_null(lesson_function_of(v, 1, &first, &last));
	reason = lesson_say(v, v->fault->reason);
	assert_string_equal(reason, "total is 11");
	assert_int_equal(v->tests->len, 2);
	t = v->tests->pdata[1];
	assert_string_equal(t->words[1], "10");
	assert_false(t->asks);
	assert_true(v->shown->asks);
	assert_int_equal(g_strv_length(v->shown->words), 2);
	lesson_variant_free(v);
	lesson_free(l);
	folder_remove(folder);
}

static void bad(const char *settings, const char *words)
{
	g_autofree char *folder = made(settings);
	g_autoptr(GError) error = NULL;
	struct lesson *l = lesson_read(folder, &error);
	struct lesson_variant *v = l ? lesson_vary(l, NULL, &error) : NULL;

	assert_null(v);
	assert_non_null(error);
	assert_non_null(strstr(error->message, words));
	lesson_free(l);
	folder_remove(folder);
}

static void test_bad(void **state)
{
	(void)state;
	bad("[lesson]\ntitle=x\n", "has no [fault.1]");
	bad("[lesson]\n[fault.1]\nquestion=x\n", "say what the fault is");
	bad("[lesson]\n[fault.1]\nright=nothing;\nwrong=\n", "not exactly once");
	bad("[lesson]\n[fault.1]\nright=return total;\nwrong=\n[constants]\nLEAST=1\n",
	    "golden.c has no `#define LEAST '");
	bad("[lesson]\nfails='\n[fault.1]\nright=return total;\nwrong=return a;\n",
	    "cannot be read");
	bad("no key file", "is no lesson");
}

static void test_compare(void **state)
{
	struct explanation *e = explanation_new();
	struct explanation_suspect *s = explanation_suspect_new();
	struct explanation_statement st = { .line = 4, .clause = "total", .actual = "-1" };
	g_autofree char *found = NULL, *none = NULL, *no_line = NULL;

	(void)state;
	s->rank = 1;
	g_array_append_val(s->statements, st);
	g_ptr_array_add(e->suspects, s);
	found = lesson_compare("program.c:4 total 3", e);
	assert_non_null(strstr(found, "explanation 1 of 1, where total is -1"));
	none = lesson_compare("9", e);
	assert_non_null(strstr(none, "in none of the 1 explanations"));
	no_line = lesson_compare("the sum", e);
	assert_string_equal(no_line, "You expected `the sum'; compare.");
	explanation_free(e);
}

static struct lesson_grade *graded(const struct lesson_variant *v)
{
	struct lesson_student nobody = { .journal = g_array_new(FALSE, FALSE, 1) };
	struct lesson_grade *g = lesson_grade_new(v, &nobody);

	g_array_unref(nobody.journal);
	lesson_grade_check(g, "one <&\"", true, NULL);
	lesson_grade_check(g, "two", false, "=SUM(A1)\nnext # \"x\"\001");
	lesson_grade_say(g, "=%d", 7);
	g->verdict = LESSON_PARTIAL;
	g->points = 40;
	g->hints = 2;
	return g;
}

static void test_formats(void **state)
{
	g_autofree char *folder = made(ini);
	struct lesson *l = lesson_read(folder, NULL);
	struct lesson_variant *v = lesson_vary(l, NULL, NULL);
	struct lesson_grade *g = graded(v);
	g_autofree char *csv = lesson_result(g, LESSON_CSV), *tap = lesson_result(g, LESSON_TAP);
	g_autofree char *junit = lesson_result(g, LESSON_JUNIT);

	(void)state;
	assert_int_equal(lesson_grade_points(g), 20);
	/* no formula for a spreadsheet, no comment in TAP, no character that XML lacks */
	assert_non_null(strstr(csv, ",\"'=7\","));
	assert_non_null(strstr(tap, "not ok 2 - two: =SUM(A1) next   \"x\"\001\n"));
	assert_non_null(strstr(junit, "one &lt;&amp;&quot;"));
	assert_null(strchr(junit, 1));
	lesson_grade_free(g);
	lesson_variant_free(v);
	lesson_free(l);
	folder_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seeds),	cmocka_unit_test(test_first),
		cmocka_unit_test(test_bad),	cmocka_unit_test(test_compare),
		cmocka_unit_test(test_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
