/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where files that come with the program are looked for: the test stands for the program. */
#include "solver/base/installed.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void what_lies_beside_comes_first(void **state)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *bin = g_path_get_dirname(self), *above = g_path_get_dirname(bin);
	g_autofree char *beside = g_build_filename(bin, "installed-test.file", NULL);
	g_autofree char *there = g_build_filename(above, "share/gdb-why/installed-test.file", NULL);
	g_autofree char *without = installed_file("share", "installed-test.file"), *with = NULL;

	(void)state;
	assert_string_equal(without, there);
	assert_true(g_file_set_contents(beside, "", 0, NULL));
	with = installed_file("share", "installed-test.file");
	g_remove(beside);
	assert_string_equal(with, beside);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_lies_beside_comes_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
