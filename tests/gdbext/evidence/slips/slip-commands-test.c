/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small changes that mend a test, as explain names them: constant texts, tables, the size of a
 * block, and lines that are looked for once more when the formula was asked.  timeout: 300
 */
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Says what its word selects; each way prints one wrong text. */
static const char texts[] = "#include <stdio.h>\n"
			    "static const char *verdict(int n)\n"
			    "{\n"
			    "	return n > 2 ? \"faild\" : \"pased\";\n"
			    "}\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "	switch (*argv[argc - 1]) {\n"
			    "	case 'l':\n"
			    "		printf(\"the test %s\\n\", verdict(3));\n"
			    "		break;\n"
			    "	case 'm':\n"
			    "		printf(\"the tests %s\\n\", verdict(argc));\n"
			    "		break;\n"
			    "	case 'n':\n"
			    "		printf(\"%d files\", argc);\n"
			    "		break;\n"
			    "	}\n"
			    "	return 0;\n"
			    "}\n";

static void texts_are_mended(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain --all --expect failed ./texts l",
		  0,
		  { "\"failed\" for \"faild\"", "texts.c:4" } },
		{ "gdb-why explain --all --expect passed ./texts m",
		  0,
		  { "\"passed\" for \"pased\"", "texts.c:4" } },
		{ "gdb-why explain --all --expect line ./texts n",
		  0,
		  { "\"%d files\\n\" for \"%d files\"", "texts.c:16" } },
		{ "gdb-why explain --all --expect other --limit slip_texts=1 ./texts l",
		  3,
		  { "expected \"nothing alike\"" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

/* The table has one wrong number, and a loop that hides where it is read. */
static const char table[] = "#include <stdio.h>\n"
			    "#include <stdlib.h>\n"
			    "static int days[] = { 31, 28, 31, 30, 31, 30,\n"
			    "	31, 31, 31, 31, 30, 31 };\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "	int sum = 0, last = atoi(argv[argc - 1]);\n"
			    "	for (int i = 0; i < last; i++)\n"
			    "		sum += days[i];\n"
			    "	printf(\"%d\\n\", sum);\n"
			    "	return 0;\n"
			    "}\n";

static void data_is_mended(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain --all --expect year ./table 12",
		  0,
		  { "30 for 31", "table.c:" } },
		{ "gdb-why explain --all --expect year --limit slip_data=0 ./table 12",
		  0,
		  { "table.c:" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

/* The block has room for as many bytes as there are numbers. */
static const char block[] = "#include <stdio.h>\n"
			    "#include <stdlib.h>\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "	int n = atoi(argv[argc - 1]), sum = 0;\n"
			    "	int *numbers = malloc(n);\n"
			    "	for (int i = 0; i < n; i++)\n"
			    "		numbers[i] = i;\n"
			    "	for (int i = 0; i < n; i++)\n"
			    "		sum += numbers[i];\n"
			    "	free(numbers);\n"
			    "	printf(\"%d\\n\", sum);\n"
			    "	return 0;\n"
			    "}\n";

/* It grows, and the size of an element is forgotten each time. */
static const char grow[] = "#include <stdio.h>\n"
			   "#include <stdlib.h>\n"
			   "static long *all;\n"
			   "static size_t n, room;\n"
			   "static void add(long x)\n"
			   "{\n"
			   "	if (n == room) {\n"
			   "		room = room ? room * 2 : 4;\n"
			   "		all = realloc(all, room);\n"
			   "	}\n"
			   "	all[n++] = x;\n"
			   "}\n"
			   "int main(void)\n"
			   "{\n"
			   "	long sum = 0;\n"
			   "	for (int i = 0; i < 40; i++)\n"
			   "		add(i * 3L);\n"
			   "	for (size_t i = 0; i < n; i++)\n"
			   "		sum += all[i];\n"
			   "	printf(\"%ld\\n\", sum);\n"
			   "	return 0;\n"
			   "}\n";

static void a_block_is_made_larger(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain --all --memory ./block 9",
		  0,
		  { "with 36 for 9 as the size for malloc", "block.c:6" } },
		{ "gdb-why explain --all --expect sum ./grow",
		  0,
		  { "8 times the size for realloc", "grow.c:9" } },
		{ "gdb-why explain --memory --limit slip_memory_runs=1 ./block 9",
		  0,
		  { "block.c:" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

/* A counter is not set back, long before the check. */
static const char late[] = "#include <assert.h>\n"
			   "#include <stdio.h>\n"
			   "#include <stdlib.h>\n"
			   "static unsigned noise(int n)\n"
			   "{\n"
			   "	unsigned x = 1;\n"
			   "	for (int i = 0; i < n; i++)\n"
			   "		x = x * 17 + i;\n"
			   "	return x;\n"
			   "}\n"
			   "int main(int argc, char **argv)\n"
			   "{\n"
			   "	int n = atoi(argv[argc - 1]), used = 0, lines = 0;\n"
			   "	for (int i = 0; i < n; i++) {\n"
			   "		used++;\n"
			   "		if (used > 3) {\n"
			   "			lines++;\n"
			   "		}\n"
			   "	}\n"
			   "	unsigned x = noise(2000);\n"
			   "	if (argc > 2) {\n"
			   "		printf(\"%d lines\\n\", lines);\n"
			   "		return 0;\n"
			   "	}\n"
			   "	assert(x && lines == n / 4);\n"
			   "	return 0;\n"
			   "}\n";

static void lines_are_tried_once_more(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain --all --limit slip_lines_us=1 --expect lines ./late o 9",
		  0,
		  { "late.c:1", "proven" } },
		{ "gdb-why explain --all --limit slip_rest_from=0 ./late 9", 0, { "late.c:1" } },
		{ "gdb-why explain --all --limit slip_all_us=1 ./late 9", 0, { "late.c:1" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static int make_programs(void **state)
{
	*state = commands_begin();
	g_free(test_compile(*state, "texts", texts, "gcc -g -O0 -w"));
	g_free(test_compile(*state, "table", table, "gcc -g -O0 -w"));
	g_free(test_compile(*state, "block", block, "gcc -g -O0 -w"));
	g_free(test_compile(*state, "grow", grow, "gcc -g -O0 -w"));
	g_free(test_compile(*state, "late", late, "gcc -g -O0 -w"));
	assert_true(g_file_set_contents("failed", "the test failed\n", -1, NULL));
	assert_true(g_file_set_contents("passed", "the tests passed\n", -1, NULL));
	assert_true(g_file_set_contents("line", "2 files\n", -1, NULL));
	assert_true(g_file_set_contents("other", "nothing alike\n", -1, NULL));
	assert_true(g_file_set_contents("year", "365\n", -1, NULL));
	assert_true(g_file_set_contents("sum", "2340\n", -1, NULL));
	assert_true(g_file_set_contents("lines", "2 lines\n", -1, NULL));
	return 0;
}

static int remove_programs(void **state)
{
	test_folder_free(*state);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_mended),
		cmocka_unit_test(data_is_mended),
		cmocka_unit_test(a_block_is_made_larger),
		cmocka_unit_test(lines_are_tried_once_more),
	};

	return cmocka_run_group_tests(tests, make_programs, remove_programs);
}
