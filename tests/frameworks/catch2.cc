// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Catch2: the whole framework is compiled into the program.
 * needs: catch2
 * says: Catch2: largest(3, 5) == 5 at
 */
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
static int largest(int a, int b)
{
	return a < b ? a : b; /* fault */
}
TEST_CASE("first")
{
	REQUIRE(largest(5, 5) == 5);
}
TEST_CASE("second")
{
	CHECK(largest(3, 5) == 5);
}
