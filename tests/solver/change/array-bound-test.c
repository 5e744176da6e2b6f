/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which bounds of loops lead outside of an array, in a program that was compiled. */
#include "solver/change/array-bound.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char program[] =
	"#define N 6\n"
	"struct shelf { int count[N], limit; };\n"
	"struct store { struct shelf shelves[4]; int n; };\n"
	"int f(struct store *s, int *p, int n)\n"
	"{\n"
	"	int a[8], sum = 0, i, k;\n"
	"\n"
	"	for (i = 0; i < 4; i++) {\n"
	"		sum++;\n"
	"		for (k = 0; k < N; k++)\n"
	"			s->shelves[i].count[k] = sum;\n"
	"	}\n"
	"	for (i = 7; i >= 0; i--)\n"
	"		a[i] = i;\n"
	"	for (k = 0; k <= 7; k++) sum += a[k];\n"
	"	for (k = 0; k < n; k++)\n"
	"		sum += p[k];\n"
	"	for (k = 0; k < 3; k++)\n"
	"		sum++;\n"
	"	if (k < 8)\n"
	"		sum += a[k];\n"
	"	return sum + a[3];\n"
	"}\n"
	"int main(void) { static struct store s; return f(&s, &s.n, 1) == 0; }\n";

static const struct {
	unsigned line;
	int64_t number;
	bool leaves;
} cases[] = {
	{ 8, 4, false },    { 8, 5, true },  { 8, 3, false }, /* of the outer loop, by its body */
	{ 10, 6, false },   { 10, 7, true }, { 10, -1, false },	 { 13, 0, false }, { 13, -1, true },
	{ 15, 7, false },   { 15, 8, true }, { 16, 900, false }, /* p is a pointer */
	{ 18, 900, false },					 /* nothing is indexed */
	{ 20, 900, false },					 /* no loop */
	{ 22, 900, false },
};

static void bounds_beyond_the_array_are_seen(void **state)
{
	char *folder = test_folder_new();
	g_autofree char *path = test_compile(folder, "bounds.c", program, "cc -g -O0");
	struct image *im = image_open(path, NULL);
	const struct image_function *f = image_function_named(im, "f");

	(void)state;
	assert_non_null(f);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const struct image_statement *at = NULL;
		const struct image_row *row = image_row_at(im, f->body);

		at = image_statement(im, row->statement);
		if (array_bound_leaves(im, at->file, cases[i].line, f->body, cases[i].number) !=
		    cases[i].leaves)
			fail_msg("line %u, %d", cases[i].line, (int)cases[i].number);
	}
	image_free(im);
	test_folder_free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_beyond_the_array_are_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
