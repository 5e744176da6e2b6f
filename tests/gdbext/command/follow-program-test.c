/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `--follow PROGRAM': the command is a script, and what it ran is explained.  timeout: 120 */
#include "gdbext/command/follow-program.h"
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const char source[] = "#include <assert.h>\n"
			     "#include <stdio.h>\n"
			     "#include <stdlib.h>\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "\tint n = argc > 1 ? atoi(argv[1]) : 0, read = 0;\n"
			     "\tscanf(\"%d\", &read);\n"
			     "\tif (getenv(\"MORE\"))\n"
			     "\t\tn++;\n"
			     "\tassert(n + read < 5);\n"
			     "\treturn 0;\n"
			     "}\n";

/* The command's words; o's. */
static bool follow_command(struct options *o, const char *script, GError **error)
{
	const char *words[] = { "sh", "-c", script, NULL };

	*o = (struct options){ .command = OPTIONS_PANEL,
			       .program = g_strdupv((char **)words),
			       .follow_program = "p",
			       .directory = g_get_current_dir(),
			       .given = g_strsplit("--follow=p --all", " ", -1),
			       .timeout = 30 };
	return follow_program(o, error);
}

static void forget_command(struct options *o)
{
	g_strfreev(o->program);
	g_strfreev(o->given);
	g_strfreev(o->given_ask);
	g_strfreev(o->given_try);
	g_strfreev(o->given_specs);
	g_free(o->directory);
	g_free(o->stdin_file);
}

/* script's process of interest: its first argument, and whether it reads sub/number. */
static void expect_followed(const char *folder, const char *script, const char *argument,
			    bool reads)
{
	g_autofree char *path = g_build_filename(folder, "p", NULL);
	struct options o;

	assert_true(follow_command(&o, script, NULL));
	assert_string_equal(o.program[0], path);
	assert_string_equal(o.program[1], argument);
	assert_null(o.program[2]);
	assert_true(g_file_test(o.directory, G_FILE_TEST_IS_DIR));
	if (reads)
		assert_true(g_str_has_suffix(o.stdin_file, "/sub/number"));
	assert_string_equal(o.given[0], "--all"); /* what the panel gives on */
	assert_true(g_str_has_prefix(o.given[1], "--directory=/"));
	assert_true((o.given[2] != NULL) == (o.stdin_file != NULL));
	forget_command(&o);
}

static void the_one_that_fails_is_followed(void **state)
{
	expect_followed(*state, "./p 1; ./p 7; ./p 9", "7", false);
	expect_followed(*state, "./p 1; ./p 2", "1", false);
	expect_followed(*state, "echo 4 | ./p 2", "2", false);
}

static void its_surroundings_become_ours(void **state)
{
	expect_followed(*state, "cd sub && ../p 2 <number", "2", true);
	expect_followed(*state, "MORE=1 ./p 4", "4", false);
	assert_string_equal(getenv("MORE"), "1");
	unsetenv("MORE");
}

static void expect_refused(struct options *o, const char *why)
{
	GError *error = NULL;

	assert_false(follow_program(o, &error));
	assert_non_null(strstr(error->message, why));
	g_error_free(error);
}

static void what_runs_no_such_program_is_refused(void **state)
{
	GError *error = NULL;
	struct options o;

	(void)state;
	assert_false(follow_command(&o, "true", &error));
	assert_non_null(strstr(error->message, "--follow p: the command ran no such program"));
	g_error_free(error);
	o.tests = "suite";
	expect_refused(&o, "it is about a command that is run");
	o.follow_program = NULL;
	assert_true(follow_program(&o, NULL));
	forget_command(&o);
}

static int make_followed_program(void **state)
{
	*state = commands_begin();
	g_free(test_compile(*state, "p", source, "gcc -g -O0"));
	return system("mkdir sub && echo 3 >sub/number");
}

static int remove_followed_program(void **state)
{
	test_folder_free(*state);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_one_that_fails_is_followed),
		cmocka_unit_test(its_surroundings_become_ours),
		cmocka_unit_test(what_runs_no_such_program_is_refused),
	};

	return cmocka_run_group_tests(tests, make_followed_program, remove_followed_program);
}
