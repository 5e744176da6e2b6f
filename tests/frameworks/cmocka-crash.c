/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmocka: behind the failing check another test crashes, which cmocka's handler catches and leaves
 * by a jump.
 * needs: cmocka
 * says: cmocka: 2 is not 1 at
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
static int at(const int *p, int i)
{
	return p ? p[i] : 0; /* fault */
}
static void test_first(void **state)
{
	int a[] = { 1, 2, 3 };

	(void)state;
	assert_int_equal(at(a, 1), 1);
}
static void test_crash(void **state)
{
	(void)state;
	assert_int_equal(at((int *)8, 1), 0);
}
static void test_null(void **state)
{
	(void)state;
	assert_int_equal(at(NULL, 1), 0);
}
int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first),
		cmocka_unit_test(test_crash),
		cmocka_unit_test(test_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
