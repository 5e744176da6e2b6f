/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that a program says are not what is tested: this program says it of itself. */
#include "solver/image/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const char given_files[] __attribute__((used, section(IMAGE_GIVEN_SECTION))) =
	__FILE__ "\0./kept/spec-tests.c\0\0/home/me/list-spec.c";

static void test_given(void **state)
{
	struct image *im = image_open("/proc/self/exe", NULL);

	(void)state;
	assert_non_null(im);
	assert_true(image_file_is_given(im, __FILE__));
	assert_true(image_file_is_given(im, "/any/where/" __FILE__));
	assert_true(image_file_is_given(im, "/home/me/kept/spec-tests.c"));
	assert_true(image_file_is_given(im, "/home/me/list-spec.c"));
	assert_false(image_file_is_given(im, "/home/me/list.c"));
	assert_false(image_file_is_given(im, "/home/me/unkept/spec-tests.c"));
	assert_false(image_file_is_given(im, "spec-tests.c"));
	assert_false(image_file_is_given(im, ""));
	image_free(im);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_given) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
