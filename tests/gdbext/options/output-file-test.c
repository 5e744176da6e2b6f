/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What -o names is written where a link leads, and the link stays. */
#include "gdbext/options/output-file.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <unistd.h>

static void expect_text(const char *path, const char *expected)
{
	g_autofree char *text = NULL;

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	assert_string_equal(text, expected);
}

static void files_and_links(void **state)
{
	char *folder = test_folder_new();
	g_autofree char *path = g_build_filename(folder, "answer", NULL);
	g_autofree char *link = g_build_filename(folder, "link", NULL);

	(void)state;
	assert_true(output_file_write(path, "a longer text", NULL));
	assert_int_equal(symlink("answer", link), 0);
	assert_true(output_file_write(link, "short", NULL));
	expect_text(path, "short");
	assert_true(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
	test_folder_free(folder);
}

static void what_cannot_be_written(void **state)
{
	g_autoptr(GError) missing = NULL, full = NULL;

	(void)state;
	assert_false(output_file_write("/nowhere/answer", "text", &missing));
	assert_true(g_str_has_prefix(missing->message, "/nowhere/answer cannot be written: "));
	if (access("/dev/full", W_OK) == 0) {
		assert_false(output_file_write("/dev/full", "text", &full));
		assert_non_null(full);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_and_links),
		cmocka_unit_test(what_cannot_be_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
