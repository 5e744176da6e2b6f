/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unity: a string that is made letter by letter.
 * says: Unity: expected "KING", was "kING" at
 */
#include "own/unity.h"
static void upper(char *out, const char *in)
{
	int i;

	for (i = 0; in[i]; i++)
		out[i] = in[i] > 'a' && in[i] < 'k' ? in[i] - 32 : in[i] == 'n' ? 'N' : in[i]; /* fault */
	out[i] = 0;
}
static void test_upper(void)
{
	char out[8];

	upper(out, "king");
	TEST_ASSERT_EQUAL_STRING("KING", out);
}
int main(void)
{
	RUN_TEST(test_upper);
	return unity_failures;
}
