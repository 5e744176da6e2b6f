/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Our own commands, command lines and scripts, before anyone executes them. */
#include "gdbext/session/internal.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static void names_own_commands(void **state)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

	(void)state;
	assert_true(why_is_own("why"));
	assert_true(why_is_own("why-not x"));
	assert_true(why_is_own("explain"));
	assert_true(why_is_own("what-if x = 1 at 2"));
	assert_true(why_is_own("help goto"));
	assert_false(why_is_own("what"));
	assert_false(why_is_own("help"));
	assert_false(why_is_own("help print"));
	assert_false(why_is_own("whynot"));
	assert_string_equal(why_expression("why not a == b"), "a == b");
	assert_string_equal(why_expression("why x"), "x");
	assert_null(why_expression("print x"));
	why_complete("why", lines);
	assert_int_equal(lines->len, 2);
	why_complete("help fl", lines);
	assert_int_equal(lines->len, 3);
	assert_string_equal(lines->pdata[2], "help flip");
	why_complete("", lines);
	why_complete("help", lines);
	why_complete("help ", lines);
	assert_int_equal(lines->len, 3);
}

static char *join(GPtrArray *words)
{
	return g_strjoinv(" ", (char **)words->pdata);
}

/* A command line as GDB takes it. */
static void reads_command_lines(void **state)
{
	static const struct {
		const char *line, *gdb_args, *commands, *gdb;
		bool batch;
	} all[] = {
		{ "./p", "./p", "", NULL, false },
		{ "-nx ./p 123", "-nx ./p 123", "", NULL, false },
		{ "./p /etc/passwd --args", "./p /etc/passwd --args", "", NULL, false },
		{ "-q -nx --args ./p -ex 1", "-q -nx --args ./p -ex 1", "", NULL, false },
		{ "-ex run --eval-command=why ./p", "./p", "run why", NULL, false },
		{ "-x file -ev bt p", "p", "source file bt", NULL, false },
		{ "-gdb /bin/gdb --gdb=/opt/gdb p", "p", "", "/opt/gdb", false },
		{ "-batch -ex run p", "-q p", "set confirm off set pagination off run", NULL,
		  true },
		{ "-cd /tmp -ix f --core=c -", "-cd /tmp -ix f --core=c -", "", NULL, false },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_auto(GStrv) words = g_strsplit(all[i].line, " ", -1);
		struct session_words read;

		assert_true(session_read_words(words, &read, NULL));
		g_autofree char *args = join(read.gdb_args), *commands = join(read.commands);
		assert_string_equal(args, all[i].gdb_args);
		assert_string_equal(commands, all[i].commands);
		assert_int_equal(g_strcmp0(read.gdb, all[i].gdb), 0);
		assert_int_equal(read.batch, all[i].batch);
		session_words_clear(&read);
	}
}

static void refuses_command_lines(void **state)
{
	static const char *const all[] = { "-tui p", "-i mi3 p",      "--interpreter=mi",
					   "-tty x", "-batch-silent", "-ex",
					   "p -cd",  "./p 1 2",	      "./p nosuchfile",
					   "./p -3" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_auto(GStrv) words = g_strsplit(all[i], " ", -1);
		struct session_words read;
		GError *error = NULL;

		assert_false(session_read_words(words, &read, &error));
		assert_true(g_error_matches(error, SESSION_ERROR, SESSION_ERROR_USAGE));
		g_clear_error(&error);
	}
}

/* Only a script that holds one of our commands, outside of all bodies, is ours to read. */
static void reads_scripts(void **state)
{
	static const struct {
		const char *text;
		bool is_ours;
	} all[] = {
		{ "break main\nrun\n", false },
		{ "run\n  why\n", true },
		{ "define f\nwhy\nend\n", false },
		{ "python\nwhy = 1\nend\nrun\n", false },
		{ "python print(1)\nsuspects\n", true },
		{ "if 1\nwhile 0\nend\nwhy\nend\nbt\n", false },
		{ "", false },
	};
	char *folder = test_folder_new();
	g_autofree char *file = g_build_filename(folder, "script", NULL);
	g_autofree char *line = g_strconcat("  source ", file, " ", NULL);
	g_autofree char *python = g_strconcat("source ", file, ".py", NULL);

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		assert_true(g_file_set_contents(file, all[i].text, -1, NULL));
		g_auto(GStrv) lines = script_lines(line);
		assert_int_equal(lines != NULL, all[i].is_ours);
	}
	assert_null(script_lines(python));
	assert_null(script_lines("source /nonexistent"));
	assert_null(script_lines("source ~/no/such/file"));
	assert_null(script_lines("run"));
	test_folder_free(folder);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_own_commands),
		cmocka_unit_test(reads_command_lines),
		cmocka_unit_test(refuses_command_lines),
		cmocka_unit_test(reads_scripts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
