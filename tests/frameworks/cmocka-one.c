/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmocka: one of two tests fails.  Fewer tests would not mend it.
 * needs: cmocka
 * says: cmocka: 7 is not 12 at
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
static int area(int width, int height)
{
	int result = width + height; /* fault */

	return result;
}
static void test_square(void **state)
{
	(void)state;
	assert_int_equal(area(2, 2), 4);
}
static void test_area(void **state)
{
	(void)state;
	assert_int_equal(area(3, 4), 12);
}
int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_square),
		cmocka_unit_test(test_area),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
