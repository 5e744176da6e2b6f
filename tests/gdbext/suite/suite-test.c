/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/suite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static struct suite *parse(const char *text)
{
	return suite_parse("s.txt", text, strlen(text));
}

static void check(const struct suite *s, unsigned i, const char *name, const char *command)
{
	const struct suite_test *t;

	assert_true(i < s->tests->len);
	t = s->tests->pdata[i];
	assert_string_equal(t->name, name);
	assert_string_equal(t->command, command);
	assert_null(t->script);
}

static void lines(void **state)
{
	struct suite *s = parse("\xef\xbb\xbf# a comment\n"
				"\n"
				"{} 1 2 <in\r\n"
				"  3 4\t \n"
				"   # another\n"
				"zero: 0 0\n"
				"cat x | {} -v # '\n"
				"a.b-c_9:\t{} \"it's\"\n"
				"x:y\n"
				"last \\\\");

	(void)state;
	assert_int_equal(s->wrong->len, 0);
	assert_int_equal(s->tests->len, 7);
	check(s, 0, "3", "{} 1 2 <in");
	check(s, 1, "4", "{} 3 4");
	check(s, 2, "zero", "{} 0 0");
	check(s, 3, "7", "cat x | {} -v # '");
	check(s, 4, "a.b-c_9", "{} \"it's\"");
	check(s, 5, "9", "{} x:y");
	check(s, 6, "10", "{} last \\\\");
	assert_string_equal(((struct suite_test *)s->tests->pdata[6])->place, "s.txt:10");
	suite_free(s);
}

static void check_wrong(const struct suite *s, unsigned i, const char *says)
{
	assert_true(i < s->wrong->len);
	if (!strstr(s->wrong->pdata[i], says))
		fail_msg("`%s' does not say `%s'", (char *)s->wrong->pdata[i], says);
	assert_non_null(strstr(s->wrong->pdata[i], "left out"));
}

static void bad_lines_cost_themselves_only(void **state)
{
	static const char text[] = "1\n"
				   "'2\n"
				   "3 \"\n"
				   "4 `a\n"
				   "5 \\\n"
				   "a: 6\n"
				   "a: 7\n"
				   "8\0 9\n"
				   "2: 9\n"
				   "10\n";
	struct suite *s = suite_parse("s.txt", text, sizeof text - 1);

	(void)state;
	assert_int_equal(s->wrong->len, 6);
	check_wrong(s, 0, "s.txt:2: its quote '");
	check_wrong(s, 1, "s.txt:3: its quote \"");
	check_wrong(s, 2, "s.txt:4: its quote `");
	check_wrong(s, 3, "s.txt:5: it ends in a backslash");
	check_wrong(s, 4, "s.txt:7: the name a is that of s.txt:6");
	check_wrong(s, 5, "s.txt:8: it holds a NUL");
	assert_int_equal(s->tests->len, 4);
	check(s, 0, "1", "{} 1");
	check(s, 1, "a", "{} 6");
	check(s, 2, "2", "{} 9");
	check(s, 3, "10", "{} 10");
	suite_free(s);
}

static void lines_are_bounded(void **state)
{
	g_autofree char *longest = g_strnfill(SUITE_LINE_MOST, 'x');
	g_autofree char *text = g_strconcat(longest, "\nx", longest, "\n1\n", NULL);
	struct suite *s = parse(text);

	(void)state;
	assert_int_equal(s->tests->len, 2);
	check_wrong(s, 0, "s.txt:2: it is too long");
	suite_free(s);
}

static void check_fails(const char *path, const char *directory, const char *says)
{
	g_autoptr(GError) error = NULL;

	assert_null(suite_read(path, directory, &error));
	assert_true(g_error_matches(error, SUITE_ERROR, SUITE_ERROR_READ));
	if (!strstr(error->message, says))
		fail_msg("`%s' does not say `%s'", error->message, says);
	assert_null(strchr(error->message, '\n'));
}

static char *put(const char *folder, const char *name, const char *text, int mode)
{
	char *path = g_build_filename(folder, name, NULL);

	assert_true(g_file_set_contents(path, text, -1, NULL));
	assert_int_equal(g_chmod(path, mode), 0);
	return path;
}

static void unusable_suites(void **state)
{
	g_autofree char *folder = g_dir_make_tmp("gdb-why-suite-XXXXXX", NULL);
	g_autofree char *empty = put(folder, "empty", "# nothing\n\n", 0600);
	g_autofree char *bad = put(folder, "bad", "\n'\n\"\n", 0600);

	(void)state;
	check_fails("missing", folder, "There is no test suite missing");
	check_fails("empty", folder, "empty");
	check_fails("bad", folder, "bad:2: its quote");
	g_unlink(empty);
	g_unlink(bad);
	check_fails(".", folder, "has no tests");
	if (geteuid()) {
		g_autofree char *closed = put(folder, "closed", "1\n", 0);

		check_fails("closed", folder, "Cannot read");
		g_unlink(closed);
	}
	g_rmdir(folder);
}

static void folders(void **state)
{
	static const struct {
		const char *name;
		int mode;
	} files[] = {
		{ "10.sh", 0600 },    { "2.sh", 0700 }, { "2.out", 0600 },   { "check", 0700 },
		{ "check.sh", 0600 }, { ".hid", 0700 }, { "old.sh~", 0700 }, { ".sh", 0700 },
	};
	static const char *const names[] = { "2", "10", "check" };
	g_autofree char *folder = g_dir_make_tmp("gdb-why-suite-XXXXXX", NULL);
	g_autoptr(GError) error = NULL;
	struct suite *s;

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(files); i++)
		g_free(put(folder, files[i].name, "", files[i].mode));
	s = suite_read(folder, NULL, &error);
	assert_non_null(s);
	assert_int_equal(s->tests->len, 3);
	for (unsigned i = 0; i < 3; i++) {
		const struct suite_test *t = s->tests->pdata[i];

		assert_string_equal(t->name, names[i]);
		assert_true(g_path_is_absolute(t->script));
		assert_null(t->command);
		assert_true(t->sh == (i == 1));
	}
	assert_int_equal(s->wrong->len, 1);
	check_wrong(s, 0, "check.sh: the name check is that of");
	suite_free(s);
	for (unsigned i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path = g_build_filename(folder, files[i].name, NULL);

		g_unlink(path);
	}
	g_rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(bad_lines_cost_themselves_only),
		cmocka_unit_test(lines_are_bounded),
		cmocka_unit_test(unusable_suites),
		cmocka_unit_test(folders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
