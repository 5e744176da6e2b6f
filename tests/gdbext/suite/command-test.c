/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <string.h>

/* The words joined by |. */
static char *start(const char *line, const char *program, struct suite_command *c)
{
	struct suite *s = suite_parse("s", line, strlen(line));
	char *words;

	assert_int_equal(s->tests->len, 1);
	suite_command_init(c, s->tests->pdata[0], program, "./p", "/dir");
	words = g_strjoinv("|", c->argv);
	suite_free(s);
	return words;
}

static void check_direct(const char *line, const char *words, const char *input)
{
	struct suite_command c;
	g_autofree char *got = start(line, "/bin/p", &c);

	assert_string_equal(got, words);
	assert_true(c.direct);
	assert_string_equal(c.path, "/bin/p");
	if (input)
		assert_string_equal(c.stdin_file, input);
	else
		assert_null(c.stdin_file);
	suite_command_clear(&c);
}

static void plain_lines_need_no_shell(void **state)
{
	(void)state;
	check_direct("1 2", "./p|1|2", NULL);
	check_direct("{} 1  -x --y=z", "./p|1|-x|--y=z", NULL);
	check_direct("{}", "./p", NULL);
	check_direct("{} 'a b' \"c d\"e '' '$x*'", "./p|a b|c de||$x*", NULL);
	check_direct("{} <in", "./p", "/dir/in");
	check_direct("{}</in x", "./p|x", "/in");
	check_direct("a3<'in put' b", "./p|a3|b", "/dir/in put");
	check_direct("\xc3\xa4", "./p|\xc3\xa4", NULL);
}

static void check_shell(const char *line, const char *program, const char *command)
{
	struct suite_command c;
	g_autofree char *got = start(line, program, &c);
	g_autofree char *words = g_strconcat("sh|-c|", command, NULL);

	assert_string_equal(got, words);
	assert_false(c.direct);
	assert_string_equal(c.path, "/bin/sh");
	assert_null(c.stdin_file);
	suite_command_clear(&c);
}

static void others_are_for_a_shell(void **state)
{
	static const char *const lines[] = { "{} $x",	  "{} *",	 "{} a;b", "{} >out",
					     "{} 2>&1",	  "{} 3<in",	 "{} <<x", "{} <a <b",
					     "{} \"$x\"", "{} \"a\\n\"", "{} ~",   "{} a\\ b",
					     "{} # x",	  "{} (",	 "X=1 {}", "cat a | {}",
					     "{}x 1",	  "'{}' 1" };

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_auto(GStrv) parts = g_strsplit(lines[i], "{}", -1);
		g_autofree char *command = g_strjoinv("/bin/p", parts);

		check_shell(lines[i], "/bin/p", command);
	}
	check_shell("{} 1 | {} 2", "/bin/p", "/bin/p 1 | /bin/p 2");
	check_shell("{} | cat", "/my dir/p", "'/my dir/p' | cat");
	check_shell("{} | cat", "/it's/p", "'/it'\\''s/p' | cat");
}

static void scripts(void **state)
{
	g_autofree char *script = g_strdup("/d/a.sh");
	struct suite_test t = { .script = script };
	struct suite_command c;
	g_autofree char *words = NULL, *sh_words = NULL;

	(void)state;
	suite_command_init(&c, &t, "/bin/p", "./p", "/dir");
	words = g_strjoinv("|", c.argv);
	assert_string_equal(words, "/d/a.sh|/bin/p");
	assert_string_equal(c.path, "/d/a.sh");
	assert_false(c.direct);
	suite_command_clear(&c);
	t.sh = true;
	suite_command_init(&c, &t, "/bin/p", "./p", "/dir");
	sh_words = g_strjoinv("|", c.argv);
	assert_string_equal(sh_words, "sh|/d/a.sh|/bin/p");
	assert_string_equal(c.path, "/bin/sh");
	suite_command_clear(&c);
}

static void files_that_a_command_names(void **state)
{
	g_autofree char *folder = g_dir_make_tmp("gdb-why-suite-XXXXXX", NULL);
	g_autofree char *in = g_build_filename(folder, "in", NULL);
	struct suite *s = suite_parse("s", "{} x <in | cat 'in' - .", 23);
	g_autoptr(GPtrArray) files = NULL;

	(void)state;
	assert_true(g_file_set_contents(in, "", 0, NULL));
	files = suite_command_files(s->tests->pdata[0], folder);
	assert_int_equal(files->len, 2);
	assert_string_equal(files->pdata[0], in);
	assert_string_equal(files->pdata[1], in);
	suite_free(s);
	g_unlink(in);
	g_rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_lines_need_no_shell),
		cmocka_unit_test(others_are_for_a_shell),
		cmocka_unit_test(scripts),
		cmocka_unit_test(files_that_a_command_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
