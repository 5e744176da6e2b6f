/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Debug information in a file of its own, wherever GDB looks for it. */
#include "solver/image/debug-file.h"
#include "solver/image/image.h"
#include "solver/image/variable/variable.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char source[] = "int v = 3;\n"
			     "static int hidden(int n)\n"
			     "{\n"
			     "\treturn n * v;\n"
			     "}\n"
			     "int main(int c, char **a)\n"
			     "{\n"
			     "\t(void)a;\n"
			     "\treturn hidden(c);\n"
			     "}\n";

static char *folder;

/* A stripped program in folder and its debug information in folder/split. */
static char *split(const char *flags)
{
	g_autofree char *command = g_strconcat("gcc -g -O0 ", flags, NULL);
	char *path;

	g_free(test_output("rm -rf '%s'/*  '%s'/.debug", folder, folder));
	path = test_compile(folder, "prog", source, command);
	g_free(test_output("cd '%s' && objcopy --only-keep-debug prog split && strip prog && "
			   "objcopy --add-gnu-debuglink=split prog",
			   folder));
	return path;
}

static void move_to(const char *place)
{
	g_free(test_output("cd '%s' && mkdir -p \"$(dirname '%s')\" && mv split '%s'", folder,
			   place, place));
}

static void opens(const char *path)
{
	g_autoptr(GError) error = NULL;
	struct image *im = image_open(path, &error);
	const struct image_function *f;
	const struct image_variable *const *v;
	const struct image_row *row;
	uint8_t three[4];
	bool writable;

	if (!im)
		fail_msg("%s", error->message);
	f = image_function_named(im, "hidden");
	assert_non_null(f);
	row = image_row_at(im, f->body);
	assert_int_equal(image_statement(im, row->statement)->line, 4);
	assert_int_equal(image_cfg(im, f)->n_blocks, 1);
	/* a symbol of what was stripped, in the debug file's table only */
	assert_string_equal(image_native_name(im, f->entry), "hidden");
	/* contents come from the program: the debug file has none */
	assert_int_equal(image_globals(im, &v), 1);
	assert_true(image_initial(im, v[0]->address, 4, three, &writable));
	assert_int_equal(three[0], 3);
	image_free(im);
}

static void refuses(const char *path)
{
	g_autoptr(GError) error = NULL;

	assert_null(image_open(path, &error));
	assert_true(g_error_matches(error, IMAGE_ERROR, IMAGE_ERROR_NO_DEBUG));
}

static void by_link(void **state)
{
	static const char *const flags[] = { "", "-Wl,--build-id=none", "-gz", "-no-pie" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(flags); i++) {
		g_autofree char *path = split(flags[i]);

		opens(path);
		move_to(".debug/split");
		opens(path);
		g_free(test_output("rm '%s/.debug/split'", folder));
		refuses(path);
	}
}

/* Another program's file under the right name does not count. */
static void checksums_are_compared(void **state)
{
	g_autofree char *path = split("-Wl,--build-id=none");

	(void)state;
	g_free(test_output("printf x >> '%s/split'", folder));
	refuses(path);
}

static void a_link_to_itself(void **state)
{
	g_autofree char *path = split("");

	(void)state;
	g_free(test_output(
		"cd '%s' && objcopy --remove-section=.gnu_debuglink prog && "
		"cp prog copy && objcopy --add-gnu-debuglink=copy prog && mv prog copy && "
		"rm split",
		folder));
	g_free(path);
	path = g_build_filename(folder, "copy", NULL);
	refuses(path);
}

static Elf *open_elf(const char *path, GMappedFile **file)
{
	*file = debug_file_map(path, NULL);
	assert_non_null(*file);
	elf_version(EV_CURRENT);
	return elf_memory(g_mapped_file_get_contents(*file), g_mapped_file_get_length(*file));
}

static bool finds(const char *path, const char *root)
{
	GMappedFile *file, *found;
	Elf *elf = open_elf(path, &file);
	g_autofree char *where = NULL;

	found = debug_file_find(elf, path, root, &where);
	assert_true(!found == !where);
	assert_true(!where || g_file_test(where, G_FILE_TEST_IS_REGULAR));
	if (found)
		g_mapped_file_unref(found);
	elf_end(elf);
	g_mapped_file_unref(file);
	return found != NULL;
}

static void below_a_root(void **state)
{
	g_autofree char *path = split("-Wl,--build-id=0xabcdef01");
	g_autofree char *root = g_build_filename(folder, "root", NULL);
	g_autofree char *deep = g_strconcat("root", folder, "/split", NULL);

	(void)state;
	assert_true(finds(path, root));
	move_to("root/split");
	assert_false(finds(path, root));
	g_free(test_output("mv '%s/root/split' '%s/split'", folder, folder));
	move_to("root/.build-id/ab/cdef01.debug");
	assert_true(finds(path, root));
	assert_false(finds(path, folder));
	g_free(test_output("mv '%s/root/.build-id/ab/cdef01.debug' '%s/split'", folder, folder));
	move_to(deep);
	assert_true(finds(path, root));
}

static void build_ids_are_compared(void **state)
{
	g_autofree char *other = split("-Wl,--build-id=0xabcd0000");
	g_autofree char *root = g_build_filename(folder, "root", NULL);
	g_autofree char *path = NULL;

	(void)state;
	move_to("../kept-debug");
	path = split("-Wl,--build-id=0xabcdef01");
	g_free(test_output("cd '%s' && mkdir -p root/.build-id/ab && rm split && "
			   "mv ../kept-debug root/.build-id/ab/cdef01.debug",
			   folder));
	assert_false(finds(path, root));
}

static int make_folder(void **state)
{
	g_autofree char *made = test_folder_new(), *inner = g_build_filename(made, "in", NULL);

	(void)state;
	g_free(test_output("mkdir '%s'", inner));
	folder = realpath(inner, NULL);
	return folder ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	test_folder_free(g_path_get_dirname(folder));
	free(folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_link),
		cmocka_unit_test(checksums_are_compared),
		cmocka_unit_test(a_link_to_itself),
		cmocka_unit_test(below_a_root),
		cmocka_unit_test(build_ids_are_compared),
	};

	test_need("gcc");
	test_need("objcopy");
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
