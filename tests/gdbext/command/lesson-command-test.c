/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands around a lesson, in this process, with a lesson of the course: what a student and
 * an instructor are told, and the exit statuses.  The engine is this program itself, started as
 * `explain'.  timeout: 120
 */
#include "gdbext/command/lesson.h"
#include "tests/support/commands.h"
#include "tests/support/program.h"
#include "tests/support/recorded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <unistd.h>

/* In the text of a command these stand for the line with the fault, and one on the way from it. */
#define FAULT "FAULT"
#define WAY "WAY"

struct scene {
	char *folder;
	unsigned fault, way;
};

static struct scene scene;

/* The command's line with the numbers of the lines in the places of their names. */
static char *filled(const char *line)
{
	g_autoptr(GString) out = g_string_new(line);
	g_autofree char *fault = g_strdup_printf("%u", scene.fault);
	g_autofree char *way = g_strdup_printf("%u", scene.way);

	g_string_replace(out, FAULT, fault, 0);
	g_string_replace(out, WAY, way, 0);
	return g_strdup(out->str);
}

static void expect(const struct command_case *all, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct command_case x = all[i];
		g_autofree char *line = filled(x.line);

		x.line = line;
		commands_expect(&x, 1);
	}
}

static void a_student_starts(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why lesson", 0, { " 1  infection", "15 min", "start one: gdb-why lesson" } },
		{ "gdb-why lesson start nothing x", 2, { "There is no lesson `nothing" } },
		{ "gdb-why lesson check .", 2, { "is no folder of a lesson" } },
		{ "gdb-why lesson start infection one", 0, { "read task.md there" } },
		{ "gdb-why lesson start infection one", 2, { "is there already" } },
		{ "gdb-why lesson", 0, { "started in" } },
		{ "gdb-why lesson check one", 1, { "Nothing was answered" } },
		{ "gdb-why lesson dance", 2, { "dance" } },
		{ "gdb-why lesson start", 2, { "start NAME [DIR]" } },
	};
	g_autofree char *text = NULL;

	(void)state;
	expect(all, G_N_ELEMENTS(all));
	assert_true(g_file_get_contents("one/program.c", &text, NULL, NULL));
	scene.fault = recorded_line(text, "% 60 > 30");
	scene.way = recorded_line(text, "fee = visit->hours");
}

static void answers_are_graded(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why lesson answer -C one", 2, { "Name the lines that are wrong" } },
		{ "gdb-why lesson answer -C one prog.c:3", 2, { "names no line" } },
		{ "gdb-why lesson answer -C one program.c:WAY",
		  0,
		  { "is it right? gdb-why lesson check" } },
		{ "gdb-why lesson check one", 1, { "40 of 100 points", "fee was 250" } },
		{ "gdb-why lesson hint -C one 3", 2, { "one after the other" } },
		{ "gdb-why lesson hint -C one 9", 2, { "There are hints 1 to 3, not `9'" } },
		{ "gdb-why lesson hint -C one", 0, { "hint 1 of 3 (5 points)" } },
		{ "gdb-why lesson answer -C one --because 'begun hours' program.c:FAULT",
		  0,
		  { "answered: program.c:" } },
		{ "gdb-why lesson check one", 0, { "infection: right, 95 of 100 points" } },
		{ "gdb-why lesson check --format json one", 0, { "\"verdict\" : \"right\"" } },
		{ "gdb-why lesson check -o /no/grade one", 2, { "/no/grade" } },
		{ "gdb-why lesson check --format tap -o grade one", 0, { NULL } },
		{ "gdb-why lesson", 0, { "95 of 100 points" } },
		{ "gdb-why lesson report one", 0, { "infection" } },
		{ "gdb-why lesson answer -C one --fix", 0, { "program.c is mended" } },
		{ "gdb-why lesson check one", 1, { "program.c is as it was given out" } },
	};
	static const struct command_case mended[] = {
		{ "gdb-why lesson check one", 0, { "All 12 hidden tests pass" } },
	};
	g_autofree char *text = NULL;
	g_autoptr(GString) better = NULL;

	(void)state;
	expect(all, G_N_ELEMENTS(all));
	assert_true(g_file_get_contents("one/program.c", &text, NULL, NULL));
	better = g_string_new(text);
	assert_int_equal(g_string_replace(better, "% 60 > 30", "% 60 >= 1", 0), 1);
	assert_true(g_file_set_contents("one/program.c", better->str, -1, NULL));
	expect(mended, 1);
}

static void instructors_see_more(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why lesson key infection", 0, { "% 60 > 30" } },
		{ "gdb-why lesson key --fault-only infection", 0, { "% 60 > 30" } },
		{ "gdb-why lesson key nothing", 2, { "There is no lesson" } },
		{ "gdb-why lesson handout infection", 0, { "State, infection and failure" } },
		{ "gdb-why lesson handout --solution infection", 0, { "% 60 > 30" } },
		{ "gdb-why lesson grade .", 0, { "one" } },
		{ "gdb-why lesson new mine p.c", 2, { "Name the program without the fault" } },
		{ "gdb-why lesson report .", 2, { "is no folder of a lesson" } },
	};

	(void)state;
	expect(all, G_N_ELEMENTS(all));
}

/* What main() asks before it executes a command. */
static void refuses(const char *line, const char *says)
{
	g_auto(GStrv) words = NULL;
	GError *error = NULL;
	struct options o;
	int n;

	assert_true(g_shell_parse_argv(line, &n, &words, NULL));
	g_autofree char **argv = g_memdup2(words, sizeof(*words) * (size_t)(n + 1));
	char **given = argv;
	if (!options_parse(&n, &given, &o, &error))
		fail_msg("%s: %s", line, error->message);
	assert_int_equal(lesson_refuses(&o, &error), says != NULL);
	if (says && !strstr(error->message, says))
		fail_msg("%s: %s", line, error->message);
	g_clear_error(&error);
	options_clear(&o);
}

static void examinations_allow_less(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why lesson start --exam infection exam", 0, { "exam is made" } },
		{ "gdb-why lesson start --exam --allow gdb infection gdb", 0, { NULL } },
		{ "gdb-why lesson start --exam --allow reading infection read", 0, { NULL } },
		{ "gdb-why lesson hint -C exam", 2, { "examination" } },
	};

	(void)state;
	expect(all, G_N_ELEMENTS(all));
	refuses("gdb-why explain exam/program", "explanations are refused");
	refuses("gdb-why rank --tests x exam/program", "explanations are refused");
	refuses("gdb-why ask why -- exam/program", "explanations are refused");
	refuses("gdb-why ask 'why not fee == 1' -- exam/program", "explanations are refused");
	refuses("gdb-why ask 'why fee' -- exam/program", NULL);
	refuses("gdb-why record exam/program", NULL);
	refuses("gdb-why lesson key -C exam infection", "explanations are refused");
	refuses("gdb-why lesson check exam", NULL);
	refuses("gdb-why ask 'why fee' -- gdb/program", "explanations and slices are refused");
	refuses("gdb-why --args gdb/program", NULL);
	refuses("gdb-why --args read/program", "debuggers are refused");
	refuses("gdb-why help explain", NULL);
	refuses("gdb-why explain one/program", NULL);
}

static int begin(void **state)
{
	g_autofree char *lessons = g_canonicalize_filename("samples/lessons", NULL);

	(void)state;
	g_setenv("GDB_WHY_LESSONS", lessons, TRUE);
	scene.folder = commands_begin();
	return 0;
}

static int end(void **state)
{
	(void)state;
	test_folder_free(scene.folder);
	return chdir("/"); /* the old one is gone */
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_student_starts),
		cmocka_unit_test(answers_are_graded),
		cmocka_unit_test(instructors_see_more),
		cmocka_unit_test(examinations_allow_less),
	};
	char *home;
	int status;

	if (commands_is_child(argc, argv, &status))
		return status;
	home = test_folder_new(); /* both are read once */
	g_setenv("XDG_CACHE_HOME", home, TRUE);
	g_setenv("XDG_DATA_HOME", home, TRUE);
	status = cmocka_run_group_tests(tests, begin, end);
	test_folder_free(home);
	return status;
}
