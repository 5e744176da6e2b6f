/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What AddressSanitizer's reports say: the access, and the first place in a file that is there. */
#include "gdbext/question/runs/sanitizer-report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib/gstdio.h>

static const char outside[] = "it begins\n"
			      "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address "
			      "0x602000000014 at pc 0x1 bp 2\n"
			      "WRITE of size 4 at 0x602000000014 thread T0\n"
			      "    #0 0x55d1 in memcpy ../../none/memcpy.c:12:3\n"
			      "    #1 0x55d2 in append list.c:30:3\n"
			      "    #2 0x55d3 in main list.c:40\n";

static void accesses(void **state)
{
	static const struct {
		const char *text;
		uint64_t address, size;
		bool is_one, writes;
	} all[] = {
		{ outside, 0x602000000014, 4, true, true },
		{ "ERROR: AddressSanitizer: SEGV on unknown address 0x10 (pc 0x1)\n", 0, 0, false,
		  false },
		{ "ERROR: AddressSanitizer: heap-use-after-free on address 0x20 at\n"
		  "READ of size 8 at 0x20 thread T0\n",
		  0x20, 8, true, false },
		{ "ERROR: AddressSanitizer: attempting free on 0x30 in thread T0\n", 0x30, 0, true,
		  false },
		{ "ERROR: AddressSanitizer: heap-use-after-free on address \xff 0x20", 0, 0, false,
		  false },
		{ "nothing was wrong\n", 0, 0, false, false },
	};
	const char *folder = *state;
	g_autofree char *path = g_build_filename(folder, "report", NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		struct memory_reported access = { 0 };

		assert_true(g_file_set_contents(path, all[i].text, -1, NULL));
		assert_int_equal(sanitizer_report_access(path, &access), all[i].is_one);
		assert_int_equal(access.address, all[i].address);
		assert_int_equal(access.size, all[i].size);
		assert_int_equal(access.writes, all[i].writes);
	}
	g_remove(path);
	assert_false(sanitizer_report_access(path, &(struct memory_reported){ 0 }));
}

static void sentences(void **state)
{
	const char *folder = *state;
	g_autofree char *source = g_build_filename(folder, "list.c", NULL);
	g_autofree char *without = sanitizer_report_of(outside, folder);
	g_autofree char *with = NULL;

	assert_string_equal(without, "heap-buffer-overflow");
	assert_true(g_file_set_contents(source, "int i;\n", -1, NULL));
	with = sanitizer_report_of(outside, folder);
	assert_string_equal(with, "heap-buffer-overflow at list.c:30 in append");
	assert_null(sanitizer_report_of("nothing was wrong\n", folder));
	g_remove(source);
}

static int make_folder(void **state)
{
	*state = g_dir_make_tmp("gdb-why-test-XXXXXX", NULL);
	return *state ? 0 : -1;
}

static int remove_folder(void **state)
{
	g_rmdir(*state);
	g_free(*state);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(accesses),
		cmocka_unit_test(sentences),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
