/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unity: strings, and numbers; the string is right.
 * says: Unity: expected 10, was 15 at
 * others: 1
 */
#include "own/unity.h"
static int sum(const int *a, int n)
{
	int s = 0;

	for (int i = 0; i <= n; i++) /* fault */
		s += a[i];
	return s;
}
static const int numbers[] = { 1, 2, 3, 4, 5 };
static void test_name(void)
{
	TEST_ASSERT_EQUAL_STRING("abc", "abc");
}
static void test_sum(void)
{
	TEST_ASSERT_EQUAL_INT(10, sum(numbers, 4));
}
static void test_none(void)
{
	TEST_ASSERT_TRUE(sum(numbers, 0) == 0);
}
int main(void)
{
	RUN_TEST(test_name);
	RUN_TEST(test_sum);
	RUN_TEST(test_none);
	return unity_failures;
}
