/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A made-up lesson from its start to grades, pages and a class, with the compiler and the cage.
 * This program is its own engine: called as `explain' it says that line 7 can be changed.
 */
#include "gdbext/ipc/event.h"
#include "gdbext/lesson/grade/class.h"
#include "gdbext/lesson/create.h"
#include "gdbext/lesson/difficulty.h"
#include "gdbext/lesson/grade/hint.h"
#include "gdbext/lesson/grade/key.h"
#include "gdbext/lesson/grade/report.h"

#include "gdbext/replay/folder.h"

#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char golden[] = "#include <assert.h>\n"
			     "#include <stdio.h>\n"
			     "#include <stdlib.h>\n"
			     "#define FEE 2\n"
			     "static int sum(int a, int b)\n"
			     "{\n"
			     "\tint total = a + b;\n"
			     "\treturn total + FEE;\n"
			     "}\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "\tint all = sum(atoi(argv[1]), atoi(argv[2]));\n"
			     "\tprintf(\"%d\\n\", all);\n"
			     "\tif (argc > 3)\n"
			     "\t\tassert(all == atoi(argv[3]));\n"
			     "\treturn 0;\n"
			     "}\n";

static const char ini[] =
	"[lesson]\ntitle=Sums\ngoal=You can add.\nfinal=What is a sum?\nfails=1 2 ?\nminutes=5\n"
	"visible=1\n"
	"[fault.1]\nright=int total = a + b;\nwrong=int total = a - b;\n"
	"question=What is 1 and 2?\nreason=total is a - b\n"
	"[names]\ntotal=total;whole\n[constants]\nFEE=2;3\n";

/* --- the engine --- */

static void add_suspect(struct explanation *e, unsigned line, const char *contradicted)
{
	struct explanation_suspect *s = explanation_suspect_new();
	struct explanation_statement st = { .function = "sum",
					    .file = e->failure.file,
					    .line = line,
					    .text = "int total = a - b;",
					    .kind = "assignment",
					    .clause = "total",
					    .actual = "-1",
					    .witness = "3",
					    .executions = 1 };
	guint link = 0;

	s->rank = e->suspects->len + 1;
	s->score = 0.5;
	s->tests = s->size = 1;
	s->replay = REPLAY_PASSES;
	if (contradicted) {
		struct explanation_evidence *other = g_new0(struct explanation_evidence, 1);

		other->contradicted = contradicted;
		g_ptr_array_add(e->evidence, other);
		s->evidence = other;
	}
	g_array_append_val(s->statements, st);
	g_array_append_val(s->chain, link);
	link = 1;
	g_array_append_val(s->chain, link);
	g_ptr_array_add(e->suspects, s);
}

static void add_value(struct explanation *e, unsigned line, const char *name, const char *value)
{
	struct explanation_line_value v = { .file = e->failure.file,
					    .line = line,
					    .value = { name, value } };

	g_array_append_val(e->line_values, v);
}

static void add_link(struct explanation *e, unsigned line, const char *text)
{
	struct explanation_link l = {
		.function = "sum", .file = e->failure.file, .line = line, .text = text
	};

	g_array_append_val(e->chain, l);
}

/* Where the program's source lies, as its debug information says; free it. */
static char *source_of(const char *program)
{
	g_autofree char *kept = lesson_truth_folder(), *bytes = NULL;
	gsize n;
	const char *found;

	assert_true(g_file_get_contents(program, &bytes, &n, NULL));
	found = memmem(bytes, n, kept, strlen(kept));
	assert_non_null(found);
	return g_strdup(found);
}

static void add_source(struct explanation *e)
{
	struct explanation_source *source = explanation_source_add(e, e->failure.file);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	assert_true(g_file_get_contents(e->failure.file, &text, NULL, NULL));
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		g_ptr_array_add(source->lines, g_strdup(*line));
	for (unsigned line = 7; line <= 16; line++) {
		struct explanation_coverage c = { .line = line, .executed = line != 16 };

		g_array_append_val(source->coverage, c);
	}
}

static struct explanation *answer(const char *program)
{
	struct explanation *e = explanation_new();
	g_autofree char *file = source_of(program);

	e->program = explanation_string(e, program);
	e->failure.kind = "assert";
	e->failure.requirement = "all == atoi(argv[3])";
	e->failure.function = "main";
	e->failure.file = explanation_string(e, file);
	e->failure.line = 15;
	add_link(e, 7, "int total = a - b;");
	add_link(e, 15, "assert(all == atoi(argv[3]));");
	add_suspect(e, 7, NULL);
	add_suspect(e, 8, "another test says otherwise");
	add_value(e, 7, "total", "-1");
	add_value(e, 6, "a", "1");
	add_source(e);
	e->tests.suite = "suite.txt";
	e->tests.technique = "ochiai";
	e->tests.failed = 2;
	e->tests.passed = 1;
	return e;
}

static int be_the_engine(int argc, char **argv)
{
	struct explanation *e = answer(argv[argc - 1]);

	event_write(3, &(struct event){ .kind = EVENT_RESULT, .answer = e });
	event_write(3, &(struct event){ .kind = EVENT_END });
	explanation_free(e);
	return 0;
}

/* --- what each test begins with --- */

struct scene {
	char *dir, *folder, *student;
	struct lesson *l;
	struct lesson_variant *v;
};

static void put(const char *folder, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void start(struct scene *s, const char *name, enum lesson_allow allows)
{
	g_autofree char *expected = NULL, *suite = NULL;

	g_free(s->student);
	s->student = g_build_filename(s->dir, "class", name, NULL);
	assert_true(lesson_expect_shown(s->v, &expected, &suite, NULL));
	assert_true(lesson_student_start(s->v, s->student, expected, suite, allows, NULL));
}

static int begin(void **state)
{
	struct scene *s = g_new0(struct scene, 1);

	s->dir = g_dir_make_tmp("gdb-why-course.XXXXXX", NULL);
	s->folder = g_build_filename(s->dir, "course", "sums", NULL);
	assert_int_equal(g_mkdir_with_parents(s->folder, 0700), 0);
	g_autofree char *course = g_path_get_dirname(s->folder);
	g_setenv("GDB_WHY_LESSONS", course, TRUE);
	put(s->folder, "golden.c", golden);
	put(s->folder, "lesson.ini", ini);
	put(s->folder, "task.md", "Find out what total is.\n");
	put(s->folder, "tests.txt", "1 2 ?\n3 4 ?\n5 0 ?\n");
	s->l = lesson_find("sums", NULL);
	assert_non_null(s->l);
	s->v = lesson_vary(s->l, NULL, NULL);
	*state = s;
	return 0;
}

static int end(void **state)
{
	struct scene *s = *state;

	lesson_variant_free(s->v);
	lesson_free(s->l);
	folder_remove(s->dir);
	g_free(s->dir);
	g_free(s->folder);
	g_free(s->student);
	g_free(s);
	return 0;
}

static const struct lesson_search search = { .timeout = 10 };

/* The student says this, and is graded. */
static struct lesson_grade *grade(const struct scene *s, const char *said)
{
	struct lesson_student *student = lesson_student_open(s->student, NULL);
	g_autoptr(GError) error = NULL;
	struct lesson_grade *g;

	if (said)
		assert_true(lesson_student_note(student, "answer", said, NULL));
	g = lesson_grade(student, &search, 2, &error);
	if (!g)
		print_error("%s\n", error->message);
	assert_non_null(g);
	lesson_student_free(student);
	return g;
}

static void is_graded(const struct scene *s, const char *said, enum lesson_verdict verdict,
		      unsigned points, const char *words)
{
	struct lesson_grade *g = grade(s, said);

	assert_int_equal(g->verdict, verdict);
	assert_int_equal(lesson_grade_points(g), points);
	if (!strstr(g->feedback, words))
		print_error("%s\n", g->feedback);
	assert_non_null(strstr(g->feedback, words));
	lesson_grade_free(g);
}

/* --- the tests --- */

static void lines(void **state)
{
	struct scene *s = *state;

	start(s, "anna", LESSON_ALL);
	is_graded(s, NULL, LESSON_EMPTY, 0, "Nothing was answered yet");
	is_graded(s, "program.c:7", LESSON_RIGHT, 100, "What is a sum?");
	is_graded(s, "8", LESSON_PARTIAL, 40, "a test that passes does the same");
	is_graded(s, "7 8", LESSON_PARTIAL, 60, "Fewer of these lines");
	is_graded(s, "15", LESSON_PARTIAL, 40, "a change of it alone does not");
	is_graded(s, "12", LESSON_WRONG, 0, "nothing that the line itself computes comes");
	is_graded(s, "6", LESSON_WRONG, 0, "before anything is wrong; a was 1");
	is_graded(s, "16", LESSON_WRONG, 0, "never comes there");
	is_graded(s, "2", LESSON_WRONG, 0, "no code that the failing test could execute");
	is_graded(s, "2 7 8 12 15", LESSON_WRONG, 0, "Fewer of these lines");
}

static void bad_answers(void **state)
{
	struct scene *s = *state;
	static const char *const bad[] = { "x.c:7", "program.c:", "99", "program.c:7x", "-1" };
	struct lesson_student *student;

	start(s, "anna", LESSON_ALL);
	student = lesson_student_open(s->student, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) error = NULL;

		assert_null(lesson_answer_lines(s->v, student, bad[i], &error));
		assert_true(error->domain == LESSON_ERROR);
	}
	lesson_student_free(student);
}

/* The program in the student's folder, with `from' replaced. */
static void mend(const struct scene *s, const char *from, const char *to)
{
	g_auto(GStrv) parts = g_strsplit(golden, from, -1);
	g_autofree char *text = g_strjoinv(to, parts);

	put(s->student, "program.c", text);
}

static void mended(void **state)
{
	struct scene *s = *state;

	start(s, "anna", LESSON_ALL);
	is_graded(s, "--fix", LESSON_WRONG, 0, "program.c is as it was given out");
	mend(s, "a + b", "b + a");
	is_graded(s, NULL, LESSON_RIGHT, 100, "All 3 hidden tests pass");
	mend(s, "a + b", "b + a + (a == 5)");
	is_graded(s, NULL, LESSON_WRONG, 0, "2 of 3 hidden tests pass");
	mend(s, "total + FEE", "total + ");
	is_graded(s, NULL, LESSON_WRONG, 0, "The program was not run");
	mend(s, "assert(all == atoi(argv[3]))", "(void)0");
	is_graded(s, NULL, LESSON_WRONG, 0, "no longer checks");
	mend(s, "int total", "for (;;); int total");
	is_graded(s, NULL, LESSON_WRONG, 0, "0 of 3 hidden tests pass");
	mend(s, "int total", "abort(); int total");
	is_graded(s, NULL, LESSON_WRONG, 0, "With 1 2");
}

static void hints(void **state)
{
	struct scene *s = *state;
	struct lesson_student *student;
	g_autofree char *one = NULL, *two = NULL, *again = NULL, *three = NULL;
	g_autoptr(GError) error = NULL;

	start(s, "anna", LESSON_ALL);
	student = lesson_student_open(s->student, NULL);
	assert_null(lesson_take_hint(student, 2, &error));
	assert_non_null(strstr(error->message, "one after the other"));
	one = lesson_take_hint(student, 0, NULL);
	two = lesson_take_hint(student, 0, NULL);
	again = lesson_take_hint(student, 1, NULL);
	assert_string_equal(one, "hint 1 of 3 (5 points): What is 1 and 2?\n"
				 "the next one costs 15 points\n");
	assert_string_equal(one, again);
	assert_non_null(strstr(two, "Look in sum, lines 5 to 9 of program.c."));
	assert_int_equal(lesson_student_hints(student), 2);
	three = lesson_take_hint(student, 0, NULL);
	assert_string_equal(three, "hint 3 of 3 (30 points): total is a - b\n");
	lesson_student_free(student);
	is_graded(s, "7", LESSON_RIGHT, 50, "Proven");
}

static void examination(void **state)
{
	struct scene *s = *state;
	g_autofree char *program = NULL;
	g_autoptr(GError) error = NULL;
	struct lesson_student *student;

	for (unsigned a = LESSON_ALL; a < LESSON_N_ALLOWS; a++) {
		g_autofree char *name = g_strdup_printf("%u", a);

		start(s, name, (enum lesson_allow)a);
		g_free(program);
		program = g_build_filename(s->student, "program", NULL);
		assert_int_equal(lesson_allows(program, NULL), a);
		assert_int_equal(lesson_allows(NULL, s->student), a);
		assert_int_equal(lesson_allows("program", s->student), a);
	}
	student = lesson_student_open(s->student, NULL);
	assert_null(lesson_take_hint(student, 0, &error));
	assert_non_null(strstr(error->message, "examination"));
	lesson_student_free(student);
}

static void keys_and_difficulty(void **state)
{
	struct scene *s = *state;
	struct lesson_runs *r = lesson_runs_new(NULL, NULL);
	struct lesson_truth *t = lesson_truth_find(r, s->v, &search, NULL);
	g_autofree char *text = NULL, *json = NULL, *alone = NULL, *line = NULL;
	g_autofree struct lesson_key *k = NULL;
	struct lesson_difficulty d = { 0 };

	assert_non_null(t);
	k = lesson_key_of(s->v, t);
	assert_true(k->holds_fault && k->equal);
	assert_int_equal(k->accepted, 1);
	assert_int_equal(k->difficulty.rank, 1);
	text = lesson_key_text(s->v, t, LESSON_TEXT);
	assert_non_null(strstr(text, "program.c:7    int total = a - b;"));
	assert_non_null(strstr(text, "2 tests fail, 1 pass; 2 links"));
	json = lesson_key_text(s->v, t, LESSON_JSON);
	assert_non_null(strstr(json, "\"1 FEE=2\""));
	alone = lesson_key_text(s->v, NULL, LESSON_JSON);
	assert_null(strstr(alone, "accepted"));
	line = lesson_difficulty_line(s->v, &k->difficulty);
	assert_string_equal(line, "1 FEE=2: 2 links, 2 explanations, rank 1\n");

	s->l->measured = g_strconcat(line, "1 FEE=3: 6 links, 2 explanations, rank 1\n", NULL);
	assert_true(lesson_difficulty_first(s->l, &d));
	assert_int_equal(d.chain, 2);
	for (int i = 0; i < 20; i++) {
		g_autofree char *seed = g_strdup_printf("%d", i);
		struct lesson_variant *v = lesson_vary(s->l, seed, NULL);

		/* the other one is too long a way */
		assert_non_null(strstr(v->program, "#define FEE 2\n"));
		lesson_variant_free(v);
	}
	lesson_truth_free(t);
	lesson_runs_free(r);
}

static void band(void **state)
{
	static const struct {
		struct lesson_difficulty d;
		bool near;
	} all[] = {
		{ { 5, 10, 3 }, true },	 { { 11, 10, 3 }, true }, { { 12, 10, 3 }, false },
		{ { 2, 10, 3 }, true },	 { { 1, 10, 3 }, false }, { { 5, 16, 3 }, true },
		{ { 5, 17, 3 }, false }, { { 5, 6, 3 }, true },	  { { 5, 5, 3 }, false },
		{ { 5, 10, 8 }, true },	 { { 5, 10, 9 }, false }, { { 5, 10, 0 }, false },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
		assert_int_equal(lesson_is_as_difficult(&all[0].d, &all[i].d), all[i].near);
}

static void pages(void **state)
{
	struct scene *s = *state;
	struct lesson_runs *r = lesson_runs_new(NULL, NULL);
	struct lesson_truth *t = lesson_truth_find(r, s->v, &search, NULL);
	struct lesson_student *student;
	g_autofree char *text = NULL, *html = NULL, *paper = NULL, *solution = NULL;

	start(s, "anna", LESSON_ALL);
	student = lesson_student_open(s->student, NULL);
	lesson_student_note(student, "because", "<b>\tor\nnot", NULL);
	lesson_student_free(student);
	student = lesson_student_open(s->student, NULL);
	assert_string_equal(lesson_student_latest(student, "because"), "<b>\tor\nnot");
	text = lesson_report(s->v, student, LESSON_TEXT);
	assert_non_null(strstr(text, "gave as the reason <b>"));
	html = lesson_report(s->v, student, LESSON_HTML);
	assert_non_null(strstr(html, "&lt;b&gt;"));
	paper = lesson_handout(s->v, NULL, LESSON_TEXT);
	assert_non_null(strstr(paper, "   7  \tint total = a - b;"));
	assert_null(strstr(paper, "a + b"));
	solution = lesson_handout(s->v, t, LESSON_HTML);
	assert_non_null(strstr(solution, "From the fault to the failure"));
	assert_null(strstr(solution, "<script"));
	lesson_student_free(student);
	lesson_truth_free(t);
	lesson_runs_free(r);
}

/* A folder of submissions: right, wrong, empty, of a lesson of their own, of nothing. */
static void class(void **state)
{
	struct scene *s = *state;
	g_autofree char *folder = g_build_filename(s->dir, "class", NULL);
	g_autofree char *nothing = g_build_filename(folder, "dora", NULL);
	g_autofree char *text = NULL, *json = NULL, *junit = NULL, *csv = NULL;
	g_autoptr(GArray) rows = NULL;
	g_autoptr(GError) error = NULL;

	start(s, "anna", LESSON_ALL);
	is_graded(s, "7", LESSON_RIGHT, 100, "");
	start(s, "ben", LESSON_ALL);
	is_graded(s, "16", LESSON_WRONG, 0, "");
	start(s, "cleo", LESSON_ALL);
	start(s, "emil", LESSON_ALL);
	put(s->student, ".lesson", "[lesson]\nname=/tmp/mine/\n");
	g_mkdir_with_parents(nothing, 0700);
	rows = lesson_class(folder, NULL, &search, 2, NULL);
	assert_int_equal(rows->len, 5);
	text = lesson_results(rows, LESSON_TEXT);
	assert_non_null(strstr(text, "what was hard"));
	assert_non_null(strstr(text, "name that by --lesson"));
	csv = lesson_results(rows, LESSON_CSV);
	assert_non_null(strstr(csv, "\"anna\",\"sums\",\"\",\"7\",\"right\",100,0,"));
	assert_non_null(strstr(csv, "\"not graded\""));
	json = lesson_results(rows, LESSON_JSON);
	assert_non_null(strstr(json, "\"student\" : \"ben\""));
	junit = lesson_results(rows, LESSON_JUNIT);
	assert_non_null(strstr(junit, "<testsuite name=\"cleo\""));
	assert_null(lesson_class("/nonexistent", NULL, &search, 2, &error));
	assert_non_null(error);
}

static void formats(void **state)
{
	struct scene *s = *state;
	static const enum lesson_format all[] = { LESSON_TEXT, LESSON_JSON, LESSON_TAP,
						  LESSON_GRADESCOPE, LESSON_CSV };
	struct lesson_grade *g;

	start(s, "anna", LESSON_ALL);
	g = grade(s, "7");
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autofree char *text = lesson_result(g, all[i]);

		assert_non_null(strstr(text, "100"));
	}
	lesson_grade_free(g);
}

static void own_lesson(void **state)
{
	struct scene *s = *state;
	g_autofree char *to = g_build_filename(s->dir, "own", NULL);
	g_autofree char *faulty = g_build_filename(s->dir, "faulty.c", NULL);
	g_autofree char *right = g_build_filename(s->folder, "golden.c", NULL);
	g_autofree char *tests = g_build_filename(s->folder, "tests.txt", NULL);
	const struct lesson_sources from = { faulty, right, tests, NULL };
	const struct lesson_sources same = { right, right, tests, NULL };
	g_autofree char *named = g_strconcat(to, "/", NULL), *none = g_strconcat(to, "2", NULL);
	g_autoptr(GError) error = NULL;
	struct lesson_variant *v;
	struct lesson *l;

	put(s->dir, "faulty.c", s->v->program);
	assert_true(lesson_create(to, &from, NULL));
	assert_false(lesson_create(to, &from, &error));
	g_clear_error(&error);
	assert_false(lesson_create(none, &same, &error));
	assert_non_null(strstr(error->message, "add one that shows the fault"));
	l = lesson_find(named, NULL);
	v = lesson_vary(l, NULL, NULL);
	assert_int_equal(g_array_index(v->faulty, unsigned, 0), 7);
	assert_string_equal(v->shown->words[0], "1");
	lesson_variant_free(v);
	lesson_free(l);
}

static void course(void **state)
{
	struct scene *s = *state;
	g_autoptr(GPtrArray) all = lesson_all(NULL);
	g_autofree char *folder = NULL;
	g_autoptr(GError) error = NULL;

	assert_int_equal(all->len, 1);
	assert_null(lesson_find("nothing", &error));
	assert_non_null(strstr(error->message, "There is no lesson `nothing'"));
	assert_int_equal(lesson_progress_of("sums", &folder), -2);
	lesson_progress_note("sums", s->dir, -1);
	assert_int_equal(lesson_progress_of("sums", &folder), -1);
	assert_string_equal(folder, s->dir);
	lesson_progress_note("sums", s->dir, 70);
	lesson_progress_note("sums", s->dir, 40);
	g_free(folder);
	assert_int_equal(lesson_progress_of("sums", &folder), 70);
	start(s, "anna", LESSON_ALL);
	assert_false(lesson_student_start(s->v, s->student, "", NULL, LESSON_ALL, NULL));
}

#define IN_SCENE(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		IN_SCENE(lines),      IN_SCENE(bad_answers), IN_SCENE(mended),
		IN_SCENE(hints),      IN_SCENE(examination), IN_SCENE(keys_and_difficulty),
		IN_SCENE(pages),      IN_SCENE(class),	     IN_SCENE(formats),
		IN_SCENE(own_lesson), IN_SCENE(course),	     cmocka_unit_test(band),
	};
	g_autofree char *home = NULL;
	int failed;

	if (argc > 2 && strcmp(argv[1], "explain") == 0)
		return be_the_engine(argc, argv);
	home = g_dir_make_tmp("gdb-why-course.XXXXXX", NULL);
	g_setenv("XDG_CACHE_HOME", home, TRUE);
	g_setenv("XDG_DATA_HOME", home, TRUE);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	folder_remove(home);
	return failed;
}
