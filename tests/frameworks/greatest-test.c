/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * greatest: the failing check is a store.
 * says: greatest: ASSERT_EQ(30, days(4)) failed at
 */
#include "own/greatest.h"
static int days(int month)
{
	if (month == 2)
		return 28;
	return month % 2 ? 30 : 31; /* fault */
}
static int february(void)
{
	ASSERT_EQ(28, days(2));
	PASS();
}
static int april(void)
{
	ASSERT_EQ(30, days(4));
	PASS();
}
int main(void)
{
	RUN_TEST(february);
	RUN_TEST(april);
	return greatest_info.failed != 0;
}
