/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several failing tests of a program with two faults: which are meant, which are explained by what
 * mends others, and which lines are an answer about all of them; with a real suite, GDB and the
 * cage.  timeout: 300 */
#include "gdbext/evidence/failing.h"

#include "gdbext/evidence/explainable.h"
#include "gdbext/question/runs/suite-tests.h"
#include "solver/search/joint.h"
#include "tests/support/program.h"
#include "tests/support/recorded.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* More than 500 g cost 70, and zone 3 three times as much. */
static const char source[] = "#include <assert.h>\n"
			     "#include <stdio.h>\n"
			     "#include <stdlib.h>\n"
			     "static int cost(int grams, int zone)\n"
			     "{\n"
			     "	int base = 40;\n"
			     "	if (grams > 500)\n"
			     "		base = HEAVY; /* FIRST */\n"
			     "	if (zone == 3)\n"
			     "		base = base * FAR; /* SECOND */\n"
			     "	return base;\n"
			     "}\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	int got = cost(atoi(argv[1]), atoi(argv[2]));\n"
			     "#ifdef PRINT\n"
			     "	printf(\"%d\\n\", got);\n"
			     "#else\n"
			     "	assert(got == atoi(argv[3]));\n"
			     "#endif\n"
			     "	return 0;\n"
			     "}\n";

static const char suite[] = "{} 600 1 70\n"
			    "{} 700 1 70\n"
			    "{} 800 1 70\n"
			    "{} 100 3 120\n"
			    "{} 200 3 120\n"
			    "{} 100 1 40\n"
			    "{} 499 2 40\n"
			    "sh -c 'exec $PROG 900 1 70' # {}\n";
enum { FAILING = 5, HEAVY = 3 }; /* that are started without a shell; by the first fault */

struct world {
	char *folder, *tests, *program, *print, *right;
};
static struct world w;

struct asked {
	struct options options;
	struct suite_result *suite;
	GError *error;
};

static void run_suite(struct asked *a, const char *also, const char *program)
{
	g_autofree char *line =
		g_strdup_printf("gdb-why explain %s --tests %s -- %s", also, w.tests, program);
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	int n = (int)g_strv_length(words);
	g_autofree char **copy = g_memdup2(words, sizeof(*words) * (size_t)(n + 1));
	char **given = copy; /* of which options are taken out */

	memset(a, 0, sizeof *a);
	if (!options_parse(&n, &given, &a->options, &a->error))
		fail_msg("%s", a->error->message);
	a->suite = tests_run(&a->options, &a->error);
	if (!a->suite)
		fail_msg("%s", a->error->message);
}

static void forget(struct asked *a)
{
	suite_result_free(a->suite);
	options_clear(&a->options);
	g_clear_error(&a->error);
}

static void is_refused(const char *which, const char *sentence)
{
	struct asked a;
	g_autofree char *name = g_strdup_printf(which, w.tests);
	g_autofree char *also = g_strdup_printf("--failing %s", name);

	run_suite(&a, also, w.program);
	assert_null(failing_new(&a.options, a.suite, NULL, NULL, &a.error));
	if (!strstr(a.error->message, sentence))
		fail_msg("no `%s' in: %s", sentence, a.error->message);
	forget(&a);
}

static void tests_that_cannot_be_meant(void **state)
{
	(void)state;
	is_refused("%s:6", "did not fail; name one that fails by an assertion");
	is_refused("%s:8", "is run by a shell; name one");
	is_refused("%s:99", "There is no test");
}

static void one_test_by_its_place(void **state)
{
	g_autofree char *also = g_strdup_printf("--failing %s:4 --max-suspects 1", w.tests);
	g_autoptr(GPtrArray) es = g_ptr_array_new();
	struct asked a;
	struct failing *f;

	(void)state;
	run_suite(&a, also, w.program);
	f = failing_new(&a.options, a.suite, NULL, NULL, &a.error);
	assert_non_null(f);
	assert_int_equal(failing_explain(f, es, &a.error), 0);
	assert_int_equal(es->len, 1);
	assert_string_equal(failing_name(f, 0), "4");
	assert_string_equal(((struct explanation *)es->pdata[0])->argv[0], "100");
	failing_free(f);
	forget(&a);
}

/* The first three execute the same lines, and so do the other two. */
static void tests_with_other_lines_come_first(void **state)
{
	static const unsigned order[FAILING] = { 0, 3, 1, 2, 4 };
	g_autoptr(GArray) tests = NULL;
	struct asked a;

	(void)state;
	run_suite(&a, "--failing all", w.program);
	tests = explainable_tests(&a.options, a.suite);
	assert_int_equal(tests->len, FAILING);
	assert_memory_equal(tests->data, order, sizeof order);
	forget(&a);
}

/* ---- one answer about all ---- */

static bool has_line(const struct explanation_suspect *s, unsigned line)
{
	for (guint i = 0; i < s->statements->len; i++)
		if (g_array_index(s->statements, struct explanation_statement, i).line == line)
			return true;
	return false;
}

/* Of the first fault alone, the second alone, both and nothing else. */
static void count(const struct explanation *e, unsigned *first, unsigned *second, unsigned *both)
{
	unsigned one = recorded_line(source, "FIRST"), two = recorded_line(source, "SECOND");

	*first = *second = *both = 0;
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		assert_int_equal(s->tests, FAILING);
		*first += s->size == 1 && has_line(s, one);
		*second += s->size == 1 && has_line(s, two);
		*both += s->size == 2 && has_line(s, one) && has_line(s, two);
	}
}

/* How many were not explained themselves. */
static unsigned explain_all(const char *also, const char *program)
{
	unsigned covered, first, second, both;
	g_autoptr(GPtrArray) es = g_ptr_array_new();
	struct asked a;
	struct failing *f;

	run_suite(&a, also, program);
	f = failing_new(&a.options, a.suite, NULL, NULL, &a.error);
	assert_non_null(f);
	if (failing_explain(f, es, &a.error))
		fail_msg("%s", a.error->message);
	assert_int_equal(es->len, FAILING);
	covered = failing_covered(f);
	assert_true(
		joint((struct explanation *const *)es->pdata, es->len, NULL, &a.options.limits));
	count(es->pdata[0], &first, &second, &both);
	assert_int_equal(first, 0);
	assert_int_equal(second, 0);
	assert_int_equal(both, 1);
	failing_free(f);
	forget(&a);
	return covered;
}

#define JOINT "--joint --failing all --no-evidence --max-suspects 0 --limit joint_each=1"

static void two_faults_are_one_answer(void **state)
{
	unsigned covered;

	(void)state;
	assert_int_equal(explain_all(JOINT " --limit joint_best=0", w.program), 0);
	covered = explain_all(JOINT, w.program);
	/* the second and third fail as the first does; the fourth does not */
	assert_in_range(covered, HEAVY - 1, FAILING - 1);
}

/* The same where what is printed decides. */
static void two_faults_by_output(void **state)
{
	g_autofree char *also = g_strdup_printf(JOINT " --golden %s", w.right);

	(void)state;
	assert_in_range(explain_all(also, w.print), HEAVY - 1, FAILING - 1);
}

static int make_world(void **state)
{
	(void)state;
	w.folder = test_folder_new();
	g_setenv("XDG_CACHE_HOME", w.folder, TRUE); /* read once */
	w.program = test_compile(w.folder, "p", source, "cc -g -O0 -DHEAVY=60 -DFAR=2");
	w.print = test_compile(w.folder, "q", source, "cc -g -O0 -DPRINT -DHEAVY=60 -DFAR=2");
	w.right = test_compile(w.folder, "r", source, "cc -g -O0 -DPRINT -DHEAVY=70 -DFAR=3");
	w.tests = g_build_filename(w.folder, "suite", NULL);
	assert_true(g_file_set_contents(w.tests, suite, -1, NULL));
	return 0;
}

static int end_world(void **state)
{
	(void)state;
	g_free(w.program);
	g_free(w.print);
	g_free(w.right);
	g_free(w.tests);
	test_folder_free(w.folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tests_that_cannot_be_meant),
		cmocka_unit_test(one_test_by_its_place),
		cmocka_unit_test(tests_with_other_lines_come_first),
		cmocka_unit_test(two_faults_are_one_answer),
		cmocka_unit_test(two_faults_by_output),
	};

	support_need_replay();
	g_setenv("GDB_WHY_AGENT", g_getenv("WHY_AGENT"), TRUE);
	return cmocka_run_group_tests(tests, make_world, end_world);
}
