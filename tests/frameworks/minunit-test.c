/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * minunit: the failing check is a store; each test begins with another one to the same variable.
 * says: minunit: mu_assert_int_eq(0, leap(1900)) failed at
 */
#include "own/minunit.h"
static int leap(int year)
{
	return year % 4 == 0; /* fault */
}
static void test_2024(void)
{
	mu_assert_int_eq(1, leap(2024));
}
static void test_1900(void)
{
	mu_assert_int_eq(0, leap(1900));
}
int main(void)
{
	MU_RUN_TEST(test_2024);
	MU_RUN_TEST(test_1900);
	return minunit_fail != 0;
}
