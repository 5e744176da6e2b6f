/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests that fail otherwise than by an assertion or their exit status, in this process: by a check
 * that goes on, by what they print, by a recursion without end, by a condition of the user's; and
 * questions about what was printed.  timeout: 120
 */
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <sys/stat.h>

static const char source[] = "#include <stdio.h>\n"
			     "#include <stdlib.h>\n"
			     "#include <sys/wait.h>\n"
			     "#include <unistd.h>\n"
			     "static int failures;\n"
			     "void check_equal(int is, int wanted)\n"
			     "{\n"
			     "	failures += is != wanted;\n"
			     "}\n"
			     "static int sum(const int *a, int n)\n"
			     "{\n"
			     "	int s = 0;\n"
			     "	for (int i = 0; i < n - 1; i++)\n"
			     "		s += a[i];\n"
			     "	return s;\n"
			     "}\n"
			     "static int deep(int n)\n"
			     "{\n"
			     "	char room[4096];\n"
			     "	room[n % 4096] = (char)n;\n"
			     "	if (n < 0)\n"
			     "		return 0;\n"
			     "	return deep(n + 1) + room[3];\n"
			     "}\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	int a[3] = { 1, 2, 3 }, is = sum(a, 3);\n"
			     "	switch (*argv[1]) {\n"
			     "	case 'c':\n"
			     "		check_equal(argc, 2);\n"
			     "		check_equal(is, 6);\n"
			     "		check_equal(is + 1, 7);\n"
			     "		break;\n"
			     "	case 'o':\n"
			     "		printf(\"first\\n\");\n"
			     "		printf(\"sum %d\\n\", is);\n"
			     "		if (is > 5)\n"
			     "			puts(\"large\");\n"
			     "		fprintf(stderr, \"done\\n\");\n"
			     "		break;\n"
			     "	case 'f':\n"
			     "		if (!fork())\n"
			     "			exit(is == 6 ? 0 : 4);\n"
			     "		return wait(&failures) < 0 || failures;\n"
			     "	case 'd':\n"
			     "		return deep(0);\n"
			     "	}\n"
			     "	return failures != 0;\n"
			     "}\n";
/* The golden program differs by one character. */
static const char right[] = "#include <stdio.h>\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "	if (*argv[1] == 'x')\n"
			    "		__builtin_trap();\n"
			    "	printf(\"first\\nsum 6\\nlarge\\n\");\n"
			    "	return argc != 2;\n"
			    "}\n";

#define CHECK "--fail-call 'check_equal $edi == $esi -- %d($edi) is not %d($esi)'"

static void a_check_goes_on(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain " CHECK " ./p c",
		  0,
		  { "check_equal: 3 is not 6", "p.c:13", "proven",
		    "another check fails at p.c:32 in main; check_equal: 4 is not 7" } },
		{ "gdb-why explain --fail-call check_equal ./p c",
		  0,
		  { "check_equal is called", "p.c:30" } },
		{ "gdb-why explain " CHECK " ./p o", 1, { "The test did not fail" } },
		{ "gdb-why explain --fail-call nosuch ./p c",
		  2,
		  { "calls nosuch; give --fail-call" } },
		{ "gdb-why explain --fail-call 'check_equal $edi ==' ./p c",
		  2,
		  { "`$edi ==' is no condition in C" } },
		{ "gdb-why explain --fail-table nosuch ./p c",
		  2,
		  { "The table of checks cannot be read" } },
		{ "gdb-why explain --test one ./p c",
		  2,
		  { "makes no check of a framework that is known; leave --test" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static void output_is_wrong(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain --golden ./right ./p o",
		  0,
		  { "line 2 of the output is \"sum 3\", expected \"sum 6\"", "p.c:13", "proven" } },
		{ "gdb-why explain --expect wanted --max-runs 8 ./p o",
		  0,
		  { "the output ends after 2 lines, expected \"large\"", "p.c:37", "proven" } },
		{ "gdb-why explain --expect-stderr complaint ./p o",
		  3,
		  { "line 1 of the error output is \"done\", expected \"gone\"" } },
		{ "gdb-why explain --expect is ./p o", 1, { "The test did not fail" } },
		{ "gdb-why explain --expect is --expect-status 4 --max-runs 8 ./p o",
		  0,
		  { "exit status 0", "p.c:48", "returning 4, the test passes" } },
		{ "gdb-why explain --expect nosuch ./p o", 2, { "nosuch" } },
		{ "gdb-why explain --golden ./nosuch ./p o",
		  2,
		  { "./nosuch, does not start; name a program that can be executed" } },
		{ "gdb-why explain --golden ./right ./p x", 2, { "was killed by a signal" } },
		{ "gdb-why explain --run-timeout 0.2 --golden ./slow ./p o",
		  2,
		  { "did not end in time" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static void a_recursion_does_not_end(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain --max-runs 4 ./p d",
		  0,
		  { "stack overflow (SIGSEGV): deep calls itself, about 2",
		    "whether deep goes on calling depends on the condition at p.c:21" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static void the_user_requires_something(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain --require 'p.c:15 s == 6' ./p o", 0, { "p.c:13", "proven" } },
		{ "gdb-why explain --require 'p.c:14:2 i < 1' ./p o", 0, { "p.c:1" } },
		{ "gdb-why explain --require 'p.c:15 s == 3' ./p o",
		  1,
		  { "`s == 3' holds each time that the run comes to p.c:15" } },
		{ "gdb-why explain --require 'p.c:15:1 s == 3' ./p o",
		  1,
		  { "did not fail: `s == 3' holds at p.c:15." } },
		{ "gdb-why explain --require 'p.c:15:7 s == 3' ./p o", 3, { "p.c:15" } },
		{ "gdb-why explain --require 'p.c:15:1 zz == 3' ./p o",
		  2,
		  { "`zz == 3' cannot be required" } },
		{ "gdb-why explain --require 'p.c:15' ./p o",
		  2,
		  { "--require takes a place and a condition in C" } },
		{ "gdb-why explain --require 'p.c:4000 s == 3' ./p o", 2, { "4000" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static void a_child_fails(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain --follow child ./p f",
		  0,
		  { "exit status 4", "p.c:13", "proven" } },
		{ "gdb-why explain --follow child ./p o", 1, { NULL } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

/* A script is no program, but it started one. */
static void a_script_starts_the_program(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain ./script",
		  2,
		  { "It started p, which failed (exit status 1): gdb-why explain -- ", "/p c" } },
		{ "gdb-why explain ./idle", 2, { "idle" } },
	};

	(void)state;
	assert_true(g_file_set_contents("script", "#!/bin/sh\n./p o\n./p c\n", -1, NULL));
	assert_true(g_file_set_contents("idle", "#!/bin/sh\nexit 1\n", -1, NULL));
	assert_int_equal(chmod("script", 0700) | chmod("idle", 0700), 0);
	commands_expect(all, G_N_ELEMENTS(all));
}

static void what_was_printed(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why ask 'why output' -- ./p o", 0, { "first", "sum 3", "p.c:36 in main" } },
		{ "gdb-why ask 'why output 2' -- ./p o",
		  0,
		  { "is = 3 at p.c:36 in main", "s += a" } },
		{ "gdb-why ask 'why output sum' -- ./p o", 0, { "is = 3 at p.c:36 in main" } },
		{ "gdb-why ask 'why output 1' -- ./p o", 0, { "p.c:35 in main" } },
		{ "gdb-why ask 'why output 9' -- ./p o", 3, { "printed no line 9" } },
		{ "gdb-why ask 'why output nosuch' -- ./p o",
		  3,
		  { "printed no line with nosuch" } },
		{ "gdb-why ask 'why not output large' -- ./p o",
		  0,
		  { "p.c:38 in main could print it", "p.c:37", "false" } },
		{ "gdb-why ask 'why not output sum' -- ./p o", 1, { "did print that, in line 2" } },
		{ "gdb-why ask 'why not output nosuch' -- ./p o",
		  3,
		  { "no constant of the program" } },
		{ "gdb-why ask 'why not output' -- ./p o", 2, { NULL } },
		{ "gdb-why record -o o.why --require 'p.c:15 s == 6' ./p c", 2, { NULL } },
		{ "gdb-why record -o c.why ./p c", 0, { NULL } },
		{ "gdb-why ask --record c.why 'why output'", 0, { NULL } },
		{ "gdb-why explain --record c.why " CHECK, 0, { "check_equal: 3 is not 6" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static int make_programs(void **state)
{
	*state = commands_begin();
	g_free(test_compile(*state, "p", source, "gcc -g -O0 -w"));
	g_free(test_compile(*state, "right", right, "gcc -g -O0 -w"));
	g_free(test_compile(*state, "slow", "int main(void) { for (;;); }", "gcc -g -O0 -w"));
	assert_true(g_file_set_contents("wanted", "first\nsum 3\nlarge\n", -1, NULL));
	assert_true(g_file_set_contents("is", "first\nsum 3\n", -1, NULL));
	assert_true(g_file_set_contents("complaint", "gone\n", -1, NULL));
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
		cmocka_unit_test(a_check_goes_on),
		cmocka_unit_test(output_is_wrong),
		cmocka_unit_test(a_recursion_does_not_end),
		cmocka_unit_test(the_user_requires_something),
		cmocka_unit_test(a_child_fails),
		cmocka_unit_test(a_script_starts_the_program),
		cmocka_unit_test(what_was_printed),
	};

	return cmocka_run_group_tests(tests, make_programs, remove_programs);
}
