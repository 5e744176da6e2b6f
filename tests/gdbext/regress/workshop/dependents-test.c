/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes younger when a file of a tree changes, and what a copy of a tree has. */
#include "gdbext/regress/workshop/dependents.h"
#include "gdbext/regress/workshop/folders.h"
#include "gdbext/replay/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *room_with(const char *const (*files)[2], size_t n)
{
	char *room = g_dir_make_tmp("gdb-why-tree-XXXXXX", NULL);

	for (size_t i = 0; i < n; i++) {
		g_autofree char *path = g_build_filename(room, files[i][0], NULL);
		g_autofree char *above = g_path_get_dirname(path);

		g_mkdir_with_parents(above, 0755);
		assert_true(g_file_set_contents(path, files[i][1], -1, NULL));
		regress_folder_touch(room, files[i][0], G_GINT64_CONSTANT(1000000000) * 1000);
	}
	return room;
}

static bool is_young(const char *room, const char *file)
{
	g_autofree char *path = g_build_filename(room, file, NULL);
	struct stat s;

	assert_int_equal(stat(path, &s), 0);
	return s.st_mtim.tv_sec == 2000;
}

static const gint64 later = G_GINT64_CONSTANT(1000000000) * 2000;

static const char *const tree[][2] = {
	{ "a.h", "#include \"lib/b.h\"\n" },
	{ "lib/b.h", "int b;\n" },
	{ "a.c", "#  include <a.h>\n" },
	{ "c.c", "int c;\n" },
	{ "lib/t.nosuchtool.rl", "machine\n" },
	{ "lib/t.nosuchtool.c", "made of it\n" },
	{ "configure", "#!/bin/sh\n" },
	{ "Makefile.in", "all:\n" },
	{ "doc/p.info", "manual\n" },
	{ "doc/p.1", "page\n" },
	{ "awk/configh.in", "/* configh.in.  Generated from configure.ac by autoheader.  */\n" },
	{ "awk/version.in", "/* written by hand */\n" },
};

static void includers_are_touched(void **state)
{
	g_autofree char *room = room_with(tree, G_N_ELEMENTS(tree));
	struct dependents *d = dependents_new(room);

	(void)state;
	dependents_touch(d, room, "lib/b.h", later);
	assert_true(is_young(room, "a.h"));
	assert_true(is_young(room, "a.c"));
	assert_false(is_young(room, "c.c"));
	assert_false(is_young(room, "configure"));
	assert_true(is_young(room, "doc/p.info")); /* makeinfo may not be there */
	assert_true(is_young(room, "doc/p.1"));
	dependents_free(d);
	folder_remove(room);
}

/* PATH without the program that reads it: what it made is kept. */
static void what_cannot_be_made_again_stays(void **state)
{
	g_autofree char *room = room_with(tree, G_N_ELEMENTS(tree));
	g_autofree char *path = g_strdup(g_getenv("PATH"));
	struct dependents *d = dependents_new(room);

	(void)state;
	g_setenv("PATH", "/nonexistent", TRUE);
	dependents_touch(d, room, "lib/t.nosuchtool.rl", later);
	assert_true(is_young(room, "lib/t.nosuchtool.c"));
	assert_false(is_young(room, "c.c"));
	g_setenv("PATH", path, TRUE);
	dependents_touch_all(d, room, later);
	assert_true(is_young(room, "c.c"));
	assert_true(is_young(room, "configure"));
	assert_true(is_young(room, "Makefile.in"));
	assert_true(is_young(room, "awk/configh.in"));
	assert_false(is_young(room, "awk/version.in"));
	dependents_free(d);
	folder_remove(room);
}

static void files_of_the_build(void **state)
{
	(void)state;
	assert_true(dependents_is_of_the_build("src/Makefile.am"));
	assert_true(dependents_is_of_the_build("config.h"));
	assert_true(dependents_is_of_the_build("m4/x.m4"));
	assert_true(dependents_is_of_the_build("CMakeLists.txt"));
	assert_false(dependents_is_of_the_build("src/main.c"));
	assert_false(dependents_is_of_the_build("lib/stdio.in.h"));
}

/* Modes, links, empty folders and times are copied; .git is not, nor what holds the root's name. */
static void copies_are_faithful(void **state)
{
	static const char *const more[][2] = { { "p", "#!/bin/sh\n" },
					       { ".git/config", "x" },
					       { "Makefile", "S = /home/someone/new\n" },
					       { "notes", "/home/someone/new\n" } };
	g_autofree char *room = room_with(more, G_N_ELEMENTS(more));
	g_autofree char *to = g_strconcat(room, ".copy", NULL);
	g_autofree char *empty = g_build_filename(room, "empty", NULL);
	g_autofree char *link = g_build_filename(room, "link", NULL);
	g_autofree char *p = g_build_filename(room, "p", NULL), *example = NULL;
	g_autofree char *made = NULL, *copied = g_build_filename(to, "p", NULL);
	unsigned left_out = 0;
	struct stat s;

	(void)state;
	g_mkdir(empty, 0755);
	assert_int_equal(symlink("p", link), 0);
	g_chmod(p, 0755);
	assert_true(regress_folder_copy(room, to, "/home/someone/new", &left_out, &example, NULL));
	assert_int_equal(left_out, 1);
	assert_string_equal(example, "Makefile");
	assert_int_equal(stat(copied, &s), 0);
	assert_int_equal(s.st_mode & 0777, 0755);
	assert_int_equal(s.st_mtim.tv_sec, 1000);
	made = g_build_filename(to, "empty", NULL);
	assert_true(g_file_test(made, G_FILE_TEST_IS_DIR));
	g_free(made);
	made = g_build_filename(to, "link", NULL);
	assert_true(g_file_test(made, G_FILE_TEST_IS_SYMLINK));
	g_free(made);
	made = g_build_filename(to, ".git", NULL);
	assert_false(g_file_test(made, G_FILE_TEST_EXISTS));
	g_free(made);
	made = g_build_filename(to, "notes", NULL);
	assert_true(g_file_test(made, G_FILE_TEST_EXISTS));
	folder_remove(room);
	folder_remove(to);
}

static void names_of_debug_information_are_found(void **state)
{
	g_autofree char *room = room_with(tree, G_N_ELEMENTS(tree));
	g_autofree char *whole = g_build_filename(room, "lib", "b.h", NULL);
	g_autofree char *one = regress_folder_find(room, whole);
	g_autofree char *other = regress_folder_find(room, "/home/someone/tree/lib/b.h");

	(void)state;
	assert_string_equal(one, "lib/b.h");
	assert_string_equal(other, "lib/b.h");
	assert_null(regress_folder_find(room, "/usr/include/stdio.h"));
	assert_null(regress_folder_find(room, NULL));
	folder_remove(room);
}

static void what_a_build_made_is_no_change(void **state)
{
	g_autoptr(GBytes) text = g_bytes_new_static("text", 4);
	g_autoptr(GBytes) object = g_bytes_new_static("\177ELF..", 6);

	(void)state;
	assert_true(regress_is_built("p", object));
	assert_true(regress_is_built("lib/.deps/x.Po", text));
	assert_true(regress_is_built("config.log", text));
	assert_true(regress_is_built("b/meson-private/x.dat", text));
	assert_false(regress_is_built("p.c", text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(includers_are_touched),
		cmocka_unit_test(what_cannot_be_made_again_stays),
		cmocka_unit_test(files_of_the_build),
		cmocka_unit_test(copies_are_faithful),
		cmocka_unit_test(names_of_debug_information_are_found),
		cmocka_unit_test(what_a_build_made_is_no_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
