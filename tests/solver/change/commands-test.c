/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `gdb-why try' is asked to change, in the types of the places where it happens: numbers are
 * converted as C does it, and a branch is turned in the execution that is meant.  timeout: 120
 */
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* i is 3 at the end, and n 2. */
static const char source[] = "#include <assert.h>\n"
			     "#include <stdlib.h>\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	int i = argc;\n"
			     "	float f = 1.5f;\n"
			     "	double d = 2.25;\n"
			     "	int n = 0;\n"
			     "	(void)argv;\n"
			     "	for (int k = 0; k < 4; k++)\n"
			     "		if (k % 2 == i - 1)\n"
			     "			n++;\n"
			     "	d = d + f;\n"
			     "	i = (int)d;\n"
			     "	assert(n + i == 6);\n"
			     "	return 0;\n"
			     "}\n";

#define PASSES "it passes (exit status 0)"
#define FAILS "it fails an assertion, as before"

static void numbers_are_converted(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why try --set 'd = 4' --after p.c:13 ./p", 0, { PASSES } },
		{ "gdb-why try --set 'd = 3' --after p.c:13 ./p", 0, { FAILS } },
		/* a double for a float, which is added to 2.25 */
		{ "gdb-why try --set 'f = 1.75' --at p.c:13 ./p", 0, { PASSES } },
		{ "gdb-why try --set 'f = 1.74' --at p.c:13 ./p", 0, { FAILS } },
		/* the fraction is cut off */
		{ "gdb-why try --set 'i = 4.9' --at p.c:15 ./p", 0, { PASSES } },
		{ "gdb-why try --set 'i = 5.1' --at p.c:15 ./p", 0, { FAILS } },
		{ "gdb-why try --set 'i = -1.5' --at p.c:15 ./p", 0, { FAILS } },
		/* from one to the other */
		{ "gdb-why try --set 'd = f * 3' --after p.c:13 ./p", 0, { PASSES } },
		{ "gdb-why try --set 'f = d' --at p.c:13 ./p", 0, { PASSES } },
		{ "gdb-why try --set 'i = zz + 1' --at p.c:13 ./p", 2, { "no variable `zz'" } },
		{ "gdb-why try --set 'i = 1' --at p.c:17 ./p", 2, { "only 0 times" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static void the_branch_is_turned_that_is_meant(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why try --flip p.c:11:2 ./p",
		  0,
		  { "goes true instead of false, the 2nd of 4 times", PASSES } },
		{ "gdb-why try --flip p.c:11:1 ./p",
		  0,
		  { "goes false instead of true, the 1st of 4 times", FAILS } },
		{ "gdb-why try --flip p.c:11:all ./p",
		  0,
		  { "goes the other way, each of 4 times: 2 true, 2 false", FAILS } },
		{ "gdb-why try --limit turned_branches=3 --flip p.c:11:all ./p",
		  0,
		  { "the first 3 of 4 times" } },
		{ "gdb-why try --flip p.c:15:1 ./p", 0, { PASSES } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_converted),
		cmocka_unit_test(the_branch_is_turned_that_is_meant),
	};
	char *folder;
	int status;

	if (commands_is_child(argc, argv, &status))
		return status;
	folder = commands_begin();
	g_free(test_compile(folder, "p", source, "cc -g -O0"));
	status = cmocka_run_group_tests(tests, NULL, NULL);
	test_folder_free(folder);
	return status;
}
