/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What mends one failing test is tried on the next ones, also with the values that follow from it
 * for other lines.  timeout: 120
 */
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* x has to be 7 in each test; what y and z have to be then is another value each time. */
static const char sums[] = "#include <assert.h>\n"
			   "#include <stdlib.h>\n"
			   "int main(int argc, char **argv)\n"
			   "{\n"
			   "	int n = atoi(argv[1]);\n"
			   "	int x = 5;\n"
			   "	if (n < 2)\n"
			   "		x = 7;\n"
			   "	int y = x * 3 + n;\n"
			   "	int z = y + 100;\n"
			   "	assert(z == n + 121);\n"
			   "	return 0;\n"
			   "}\n";

static void values_follow_for_other_lines(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain --all --no-cache --tests suite --joint --limit joint_each=1 "
		  "./sums",
		  0,
		  { "sums.c:6", "sums.c:9", "sums.c:10",
		    "2 of them pass with changes that mend others" } },
		{ "gdb-why explain --all --no-cache --tests suite --joint --limit joint_best=0 "
		  "./sums",
		  0,
		  { "sums.c:6", "3 failing tests were explained" } },
		{ "gdb-why rank --no-cache --technique joint --limit joint_each=1 --tests suite "
		  "./sums",
		  0,
		  { "sums.c:6" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static int make_program(void **state)
{
	*state = commands_begin();
	g_free(test_compile(*state, "sums", sums, "gcc -g -O0 -w"));
	assert_true(g_file_set_contents("suite", "1\n2\n3\n4\n5\n6\n7\n", -1, NULL));
	return 0;
}

static int remove_program(void **state)
{
	test_folder_free(*state);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_follow_for_other_lines),
	};

	return cmocka_run_group_tests(tests, make_program, remove_program);
}
