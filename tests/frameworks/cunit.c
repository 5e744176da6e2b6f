/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CUnit: all checks are made, and the program exits with status 0 although one fails.
 * needs: cunit
 * says: CUnit: CU_ASSERT_EQUAL(vowels("tulu"),2) at
 */
#include <CUnit/Basic.h>
#include <string.h>
static int vowels(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += strchr("aeio", *text) != NULL; /* fault */
	return n;
}
static void test_some(void)
{
	CU_ASSERT_EQUAL(vowels("banana"), 3);
}
static void test_u(void)
{
	CU_ASSERT_EQUAL(vowels("tulu"), 2);
}
int main(void)
{
	CU_pSuite suite;

	CU_initialize_registry();
	suite = CU_add_suite("vowels", NULL, NULL);
	CU_add_test(suite, "some", test_some);
	CU_add_test(suite, "u", test_u);
	CU_basic_run_tests();
	CU_cleanup_registry();
	return CU_get_error();
}
