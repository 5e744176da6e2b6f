// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Boost.Test's minimal runner.
 * says: Boost.Test: half(8) == 4 at
 */
#include "own/boost-minimal.hpp"
static int half(int n)
{
	return n / 3; /* fault */
}
int test_main(int, char *[])
{
	BOOST_CHECK(half(2) == 0);
	BOOST_CHECK(half(8) == 4);
	return 0;
}
