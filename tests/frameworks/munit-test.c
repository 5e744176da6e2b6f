/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * munit, which forks unless it is told not to.
 * says: munit: assertion failed: rest(17, 5) == 2 (3 == 2) at
 */
#include "own/munit.h"
static int rest(int a, int b)
{
	return a / b; /* fault */
}
static void test_rest(void)
{
	munit_assert_int(rest(17, 5), ==, 2);
}
int main(int argc, char **argv)
{
	return munit_test(test_rest, argc, argv);
}
