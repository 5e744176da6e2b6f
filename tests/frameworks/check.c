/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Check, each test in a process of its own.
 * needs: check
 * says: Check: Assertion 'clamp(12, 1, 9) == 9' failed: clamp(12, 1, 9) == 1, 9 == 9 at
 */
#include <check.h>
#include <stdlib.h>
static int clamp(int n, int low, int high)
{
	if (n < low)
		return low;
	if (n > high)
		return low; /* fault */
	return n;
}
START_TEST(inside)
{
	ck_assert_int_eq(clamp(4, 1, 9), 4);
}
END_TEST
START_TEST(above)
{
	ck_assert_int_eq(clamp(12, 1, 9), 9);
}
END_TEST
int main(void)
{
	Suite *s = suite_create("clamp");
	TCase *c = tcase_create("core");
	SRunner *r;
	int failed;

	tcase_add_test(c, inside);
	tcase_add_test(c, above);
	suite_add_tcase(s, c);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
