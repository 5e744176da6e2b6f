/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the user says, kept in a file and read again: this file is the program's source. */
#include "gdbext/specs/said.h"
#include "tests/support/program.h"

#include "gdbext/specs/spec/specs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct place {
	struct image *im;
	char *folder, *source, *file;
};

static void write_source(const struct place *p, const char *text)
{
	assert_true(g_file_set_contents(p->source, text, -1, NULL));
}

static int set_up(void **state)
{
	struct place *p = g_new0(struct place, 1);
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);

	p->im = image_open(self, NULL);
	p->folder = test_folder_new();
	p->source = g_build_filename(p->folder, "list.c", NULL);
	p->file = g_build_filename(p->folder, "said", NULL);
	*state = p;
	return p->im && p->folder ? 0 : -1;
}

static int take_down(void **state)
{
	struct place *p = *state;

	image_free(p->im);
	test_folder_free(p->folder);
	g_free(p->source);
	g_free(p->file);
	g_free(p);
	return 0;
}

static struct said *read_again(struct place *p)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	struct said *s;

	image_free(p->im); /* with the lines that it had read */
	p->im = image_open(self, NULL);
	s = said_read(p->file, p->im, NULL);
	assert_non_null(s);
	return s;
}

static void test_kept(void **state)
{
	struct place *p = *state;
	g_autofree char *second = g_strconcat(p->source, ":2", NULL);
	g_autofree char *third = g_strconcat(p->source, ":3", NULL);
	struct said *s = read_again(p); /* there is no such file */
	bool passes;

	write_source(p, "int a;\n\tif (x)\nint b;\n");
	assert_false(said_is_right(s, second));
	said_add_right(s, second);
	said_add_test(s, "2 1 2, call 1", true);
	said_add_test(s, "l = #1 {size 2}, k = 1", true);
	said_add_test(s, "l = #1 {size 2}, k = 1", false);
	assert_true(said_write(s, NULL));
	said_free(s);
	s = read_again(p);
	assert_true(said_is_right(s, second));
	assert_false(said_is_right(s, third));
	assert_true(said_of_test(s, "2 1 2, call 1", &passes) && passes);
	assert_true(said_of_test(s, "l = #1 {size 2}, k = 1", &passes) && !passes);
	assert_false(said_of_test(s, "2 1 2, call 2", &passes));
	said_free(s);
	write_source(p, "int a;\n\tif (y)\nint b;\n"); /* it was said of another line */
	s = read_again(p);
	assert_false(said_is_right(s, second));
	said_free(s);
}

static void test_wrong(void **state)
{
	struct place *p = *state;
	GError *error = NULL;

	assert_true(g_file_set_contents(p->file, "# of list.c\n\nwrong list.c:3: x\n", -1, NULL));
	assert_null(said_read(p->file, p->im, &error));
	assert_true(g_error_matches(error, SPECS_ERROR, SPECS_ERROR_SPEC));
	assert_true(g_str_has_prefix(error->message, "Line 3 of "));
	g_clear_error(&error);
	assert_null(said_read(p->folder, p->im, &error)); /* a folder is no file */
	assert_true(g_error_matches(error, SPECS_ERROR, SPECS_ERROR_SYSTEM));
	g_clear_error(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_kept, set_up, take_down),
		cmocka_unit_test_setup_teardown(test_wrong, set_up, take_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
