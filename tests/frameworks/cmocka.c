/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmocka: checks run each time, a failing one jumps away.  Two tests fail, a third one is right.
 * needs: cmocka
 * says: cmocka: 7 is not 12 at
 * others: 1
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
static int area(int width, int height)
{
	return width + height; /* fault */
}
static int border(int width, int height)
{
	return 2 * width + height;
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
static void test_border(void **state)
{
	(void)state;
	assert_int_equal(border(3, 4), 14);
}
int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_square),
		cmocka_unit_test(test_area),
		cmocka_unit_test(test_border),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
