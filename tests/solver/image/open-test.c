/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are opened and files that are refused, and with which words. */
#include "solver/image/image.h"
#include "solver/image/variable/variable.h"
#include "tests/support/program.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char source[] = "int v = 3;\nint main(void) { return v; }\n";

static char *folder;

static char *path_of(const char *name)
{
	return g_build_filename(folder, name, NULL);
}

/* The sentence is the path and then the words. */
static void refuses(const char *path, enum image_error code, const char *words)
{
	g_autoptr(GError) error = NULL;
	struct image *im = image_open(path, &error);
	g_autofree char *expected = g_strconcat(path, words, NULL);

	assert_null(im);
	assert_non_null(error);
	assert_string_equal(error->message, expected);
	assert_true(g_error_matches(error, IMAGE_ERROR, (int)code));
}

static void write_file(const char *path, const char *bytes, size_t n)
{
	assert_true(g_file_set_contents(path, bytes, (gssize)n, NULL));
}

static void what_is_no_program(void **state)
{
	g_autofree char *missing = path_of("missing"), *file = path_of("file");

	(void)state;
	refuses(missing, IMAGE_ERROR_OPEN, ": No such file or directory; give the program's path.");
	refuses(folder, IMAGE_ERROR_OPEN, " is not a regular file; give a program.");
	write_file(file, "", 0);
	refuses(file, IMAGE_ERROR_NOT_ELF,
		" is not an ELF program; give one that a compiler made.");
	write_file(file, "\177ELF", 4);
	refuses(file, IMAGE_ERROR_NOT_ELF,
		" is not an ELF program; give one that a compiler made.");
	write_file(file, "#!/bin/sh\nexit 0\n", 17);
	refuses(file, IMAGE_ERROR_NOT_ELF, " is a script; give the program that it runs.");
	if (geteuid() != 0) {
		g_free(test_output("chmod 0 '%s'", file));
		refuses(file, IMAGE_ERROR_OPEN, " cannot be read: Permission denied.");
	}
}

static void other_machines(void **state)
{
	g_autofree char *path = test_compile(folder, "other", source, "gcc -g");
	g_autofree char *bytes = NULL;
	size_t n;
	Elf64_Ehdr *h;

	(void)state;
	assert_true(g_file_get_contents(path, &bytes, &n, NULL));
	h = (Elf64_Ehdr *)(void *)bytes;
	h->e_machine = EM_AARCH64;
	write_file(path, bytes, n);
	refuses(path, IMAGE_ERROR_MACHINE,
		" is not an x86-64 program, and only those can be explained.");
	h->e_machine = EM_386;
	h->e_ident[EI_CLASS] = ELFCLASS32;
	write_file(path, bytes, n);
	refuses(path, IMAGE_ERROR_MACHINE,
		" is a 32-bit program, and only x86-64 ones can be explained; compile it for 64 "
		"bits (-m64).");
}

static void without_debug_information(void **state)
{
	static const char none[] = " has no debug information (built without -g, or stripped); "
				   "compile it with -g.";
	static const char apart[] = " has its debug information in .dwo files (-gsplit-dwarf), "
				    "which are not read; compile it with -g alone.";
	g_autofree char *plain = test_compile(folder, "plain", source, "gcc");
	g_autofree char *stripped = test_compile(folder, "stripped", source, "gcc -g -s");
	g_autofree char *split = test_compile(folder, "split", source, "gcc -g -gsplit-dwarf");
	g_autofree char *split_4 =
		test_compile(folder, "split-4", source, "gcc -gdwarf-4 -gsplit-dwarf");
	g_autofree char *no_function =
		test_compile(folder, "data.s",
			     ".globl main\n.text\nmain: xor %eax, %eax\n ret\n"
			     ".section .note.GNU-stack,\"\"\n",
			     "gcc -g");

	(void)state;
	refuses(plain, IMAGE_ERROR_NO_DEBUG, none);
	refuses(stripped, IMAGE_ERROR_NO_DEBUG, none);
	refuses(split, IMAGE_ERROR_NO_DEBUG, apart);
	refuses(split_4, IMAGE_ERROR_NO_DEBUG, apart);
	refuses(no_function, IMAGE_ERROR_NO_DEBUG,
		" has debug information but no function in it; compile your sources with -g.");
}

static void static_programs(void **state)
{
	static const char text[] = "void _start(void) { for (;;) ; }\n";
	static const char said[] = " is statically linked, so the recorder cannot be loaded into "
				   "it; link it dynamically (without -static or -static-pie).";
	g_autofree char *path = test_compile(folder, "static", text, "gcc -g -static -nostdlib");
	g_autofree char *pie =
		test_compile(folder, "static-pie", text, "gcc -g -static-pie -nostdlib");

	(void)state;
	refuses(path, IMAGE_ERROR_STATIC, said);
	refuses(pie, IMAGE_ERROR_STATIC, said);
}

static void opens(const char *flags, bool pie)
{
	g_autofree char *command = g_strconcat("gcc -Wl,--build-id=0x0123abcd -g ", flags, NULL);
	g_autofree char *path = test_compile(folder, "good", source, command);
	g_autofree char *alias = path_of("alias");
	g_autoptr(GError) error = NULL;
	struct image *im;

	unlink(alias);
	assert_int_equal(symlink(path, alias), 0);
	im = image_open(alias, &error);
	if (!im)
		fail_msg("%s", error->message);
	assert_string_equal(image_path(im), path);
	assert_string_equal(image_build_id(im), "0123abcd");
	assert_int_equal(image_is_pie(im), pie);
	assert_non_null(image_function_named(im, "main"));
	assert_null(image_function_named(im, "printf"));
	image_free(im);
}

static void programs_are_opened(void **state)
{
	static const char *const dwarfs[] = { "-gdwarf-4", "-gdwarf-5", "-gdwarf-3", "-gz" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(dwarfs); i++)
		opens(dwarfs[i], true);
	opens("-no-pie", false);
	opens("-shared -fPIC", true);
	opens("-fdebug-prefix-map=$PWD=.", true);
}

/* Where -fdebug-prefix-map made the compilation directory relative. */
static void relative_folders_stay_relative(void **state)
{
	g_autofree char *path =
		test_compile(folder, "mapped", source, "gcc -g -fdebug-prefix-map=$PWD=sub");
	struct image *im = image_open(path, NULL);

	(void)state;
	assert_non_null(im);
	assert_string_equal(image_function_named(im, "main")->file, "sub/mapped.c");
	image_free(im);
}

static void initial_memory(void **state)
{
	g_autofree char *path = test_compile(folder, "memory",
					     "int v = 0x12345678; const int c = 9; int zero[4];\n"
					     "int *p = &v; int main(void) { return v + c + *p; }\n",
					     "gcc -g -O0");
	struct image *im = image_open(path, NULL);
	const struct image_variable *const *g;
	size_t n;
	unsigned seen = 0;

	(void)state;
	assert_non_null(im);
	n = image_globals(im, &g);
	for (size_t i = 0; i < n; i++) {
		uint32_t value = 77;
		bool writable = false,
		     known = image_initial(im, g[i]->address, 4, (uint8_t *)&value, &writable);

		seen++;
		/* a relocation fills it */
		assert_int_equal(known, strcmp(g[i]->name, "p") != 0);
		if (!known)
			continue;
		assert_int_equal(writable, strcmp(g[i]->name, "c") != 0);
		assert_int_equal(value, strcmp(g[i]->name, "v") == 0   ? 0x12345678
					: strcmp(g[i]->name, "c") == 0 ? 9
								       : 0);
	}
	assert_int_equal(seen, 4);
	assert_false(image_initial(im, 1ull << 40, 1, (uint8_t *)&n, &(bool){ 0 }));
	image_free(im);
}

static void ask_everything(const struct image *im)
{
	const struct image_function *f;
	const struct image_variable *const *v;
	struct image_frame frame = { 0 };

	for (size_t i = im ? image_functions(im, &f) : 0; i > 0; i--) {
		size_t n = image_variables_at(im, f[i - 1].body, &v);

		frame.pc = f[i - 1].body;
		for (size_t k = 0; k < n; k++)
			image_locate(im, v[k], &frame);
		image_cfg(im, &f[i - 1]);
		image_return_type(im, &f[i - 1]);
	}
	if (im)
		image_globals(im, &v);
}

/* A damaged file gives less, not a crash. */
static void damaged_files(void **state)
{
	static const char text[] =
		"struct s { int a, b : 3; struct s *next; } g[3]; enum e { A, B } e;\n"
		"static int f(struct s *p, int n) { int x = n * p->a; return x + p->b; }\n"
		"int main(int c, char **v) { static int k; k = c; (void)v; switch (c) {\n"
		"case 1: return f(g, 3); case 2: return f(g + 1, k); case 3: e = B;\n"
		"case 4: return 9; case 5: __builtin_abort(); } return f(g, c); }\n";
	g_autofree char *path = test_compile(folder, "damaged", text, "gcc -g -O2");
	g_autofree char *bytes = NULL;
	GRand *rand = g_rand_new_with_seed(7);
	size_t n, opened = 0;
	int sections;

	(void)state;
	assert_true(g_file_get_contents(path, &bytes, &n, NULL));
	sections = (int)((Elf64_Ehdr *)(void *)bytes)->e_shoff;
	for (int round = 0; round < 1500; round++) {
		g_autofree char *copy = g_memdup2(bytes, n);
		struct image *im;

		/* debug information and symbols; sometimes anything */
		for (int k = round % 12; k >= 0; k--)
			copy[g_rand_int_range(rand, 0x3000, sections)] = (char)g_rand_int(rand);
		if (round % 4 == 0)
			copy[g_rand_int_range(rand, 16, (int)n)] = (char)g_rand_int(rand);
		write_file(path, copy, n);
		im = image_open(path, NULL);
		opened += im != NULL;
		ask_everything(im);
		image_free(im);
	}
	assert_true(opened > 200);
	g_rand_free(rand);
}

static int make_folder(void **state)
{
	g_autofree char *made = test_folder_new();

	(void)state;
	folder = realpath(made, NULL);
	return folder ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	test_folder_free(folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_program),
		cmocka_unit_test(other_machines),
		cmocka_unit_test(without_debug_information),
		cmocka_unit_test(static_programs),
		cmocka_unit_test(programs_are_opened),
		cmocka_unit_test(relative_folders_stay_relative),
		cmocka_unit_test(initial_memory),
		cmocka_unit_test(damaged_files),
	};

	test_need("gcc");
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
