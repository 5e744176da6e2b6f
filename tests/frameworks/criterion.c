/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Criterion: each test runs in a process of its own, but for a library that is loaded beside it.
 * needs: criterion
 * says: Criterion: cr_assert(largest(3, 5) == 5) failed at
 * others: 1
 */
#include <criterion/criterion.h>
static int largest(int a, int b)
{
	return a < b ? a : b; /* fault */
}
Test(largest, first)
{
	cr_assert(largest(5, 5) == 5);
}
Test(largest, second)
{
	cr_assert(largest(3, 5) == 5);
	cr_assert(largest(7, 8) == 8);
}
Test(smallest, third)
{
	cr_expect(largest(-3, -5) == -3, "the larger one");
}
