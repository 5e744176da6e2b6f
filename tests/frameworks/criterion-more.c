/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Criterion's newer checks, fixtures, parameters, a test that is left out and one that has to crash.
 * needs: criterion
 * options: --test @(rows|tables)/*
 * says: Criterion: cr_assert(eq(int, add(p->a, p->b), p->sum), "%d and %d", p->a, p->b) failed at
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <signal.h>
#include <stdlib.h>
struct row {
	int a, b, sum;
};
static int *table;
static void make_table(void)
{
	table = calloc(4, sizeof *table);
	table[1] = 7;
}
static void drop_table(void)
{
	free(table);
	table = NULL;
}
static int add(int a, int b)
{
	if (a > 10 && table == NULL)
		return a - b; /* fault */
	return a + b;
}
ParameterizedTestParameters(rows, all)
{
	static struct row rows[] = { { 1, 2, 3 }, { 4, 5, 9 }, { 11, 5, 16 } };

	return cr_make_param_array(struct row, rows, 3);
}
ParameterizedTest(struct row *p, rows, all)
{
	cr_assert(eq(int, add(p->a, p->b), p->sum), "%d and %d", p->a, p->b);
}
TestSuite(tables, .init = make_table, .fini = drop_table);
Test(tables, made)
{
	cr_assert(eq(int, table[1], 7));
}
Test(tables, crashes, .signal = SIGSEGV)
{
	table[1 << 30] = 1;
}
Test(tables, disabled, .disabled = true)
{
	cr_fail("it is disabled");
}
Test(tables, skipped)
{
	cr_skip("later");
	cr_fail("it is skipped");
}
Test(zoo, other)
{
	cr_fail("nobody asks for it");
}
