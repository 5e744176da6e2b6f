// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * GoogleTest: the failing check is reported by an object of a class.
 * needs: gtest_main
 * says: GoogleTest: EXPECT_EQ(largest(3, 5), 5) failed at
 */
#include <gtest/gtest.h>
static int largest(int a, int b)
{
	return a < b ? a : b; /* fault */
}
TEST(Largest, First)
{
	EXPECT_EQ(largest(5, 5), 5);
}
TEST(Largest, Second)
{
	EXPECT_EQ(largest(3, 5), 5);
}
