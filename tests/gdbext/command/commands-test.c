/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands, in this process, with a small program: what each prints, its exit status, and what
 * it says when it cannot.  timeout: 120
 */
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char source[] = "#include <assert.h>\n"
			     "#include <stdio.h>\n"
			     "#include <stdlib.h>\n"
			     "static int larger(int n)\n"
			     "{\n"
			     "	int m = n + 2;\n"
			     "	if (n > 7)\n"
			     "		m = n - 1;\n"
			     "	return m;\n"
			     "}\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	int n = argc > 1 ? atoi(argv[1]) : 0;\n"
			     "	int m = larger(n);\n"
			     "	printf(\"%d\\n\", m);\n"
			     "	if (n == 5)\n"
			     "		return 3;\n"
			     "	if (n == 6)\n"
			     "		*(volatile int *)(long)(n - 6) = m;\n"
			     "	assert(m > n);\n"
			     "	return 0;\n"
			     "}\n";

static void explains(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain ./p 9", 0, { "assertion `m > n' failed", "p.c:8", "proven" } },
		{ "gdb-why explain --show-output ./p 9",
		  0,
		  { "the test's standard output was empty", "Assertion `m > n' failed" } },
		{ "gdb-why explain --stats --all ./p 9", 0, { "p.c:8", "instructions" } },
		{ "gdb-why explain --format json --stream ./p 9",
		  0,
		  { "\"suspects\":[]", "\"complete\":true" } },
		{ "gdb-why explain --trace-search trace ./p 9", 0, { "p.c:8" } },
		{ "gdb-why explain --trace-search /no/trace ./p 9", 2, { "cannot be written" } },
		{ "gdb-why explain -o answer.json --format json ./p 9", 0, { NULL } },
		{ "gdb-why explain --all --format html ./p 9",
		  0,
		  { "its output goes on from line 1", "11" } },
		{ "gdb-why explain -o /proc/answer ./p 9", 2, { "The answer cannot be written" } },
		{ "gdb-why explain -o /no/answer ./p 9", 2, { "there is no folder /no" } },
		{ "gdb-why explain --check ./p 9", 0, { "checked " } },
		{ "gdb-why explain ./p 1", 1, { "The test did not fail" } },
		{ "gdb-why explain ./p 5", 0, { "p.c:" } },
		{ "gdb-why explain ./p 6", 0, { "p.c:19" } },
		{ "gdb-why explain ./nosuch", 2, { "nosuch" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static void records(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why record -o r.why ./p 9", 0, { "r.why" } },
		{ "gdb-why record ./p 1", 1, { "did not fail" } },
		{ "gdb-why explain --record r.why", 0, { "p.c:8", "proven" } },
		{ "gdb-why ask --save-record s.why why -- ./p 9", 0, { "proven by replay" } },
		{ "gdb-why explain --record s.why", 0, { "p.c:8", "proven" } },
		{ "gdb-why explain --record r.why --show-output",
		  0,
		  { "the test's standard output" } },
		{ "gdb-why ask --record r.why 'why m'", 0, { "m = 8 at p.c:20" } },
		{ "gdb-why explain --record p.c", 2, { "cannot be used" } },
		{ "gdb-why record -o /no/r.why ./p 9", 2, { "/no/r.why" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static void answers(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why ask why -- ./p 9", 0, { "proven by replay" } },
		{ "gdb-why ask 'why m' -- ./p 9", 0, { "m = 8 at p.c:20 in main", "n - 1" } },
		{ "gdb-why ask --format json 'why m' -- ./p 9", 0, { "\"causes\"" } },
		{ "gdb-why ask -o tree.txt 'why m' -- ./p 9", 0, { NULL } },
		{ "gdb-why ask -o /proc/tree 'why m' -- ./p 9", 2, { "cannot be written" } },
		{ "gdb-why ask --at p.c:9 'why m' -- ./p 9", 0, { "m = 8 at p.c:9 in larger" } },
		{ "gdb-why ask --at larger 'why n' -- ./p 9", 0, { "n = 9" } },
		{ "gdb-why ask --at p.c:9 --where 'n == 9' 'why m' -- ./p 9", 0, { "m = 8" } },
		{ "gdb-why ask --at p.c:9 --where 'n == 4' --where 'm == 8' 'why m' -- ./p 9",
		  0,
		  { "with other values: n is 9, not 4", "m = 8" } },
		{ "gdb-why ask --at p.c:9 --where 'zz == 4' 'why m' -- ./p 9",
		  0,
		  { "`zz == 4' cannot be compared", "m = 8" } },
		{ "gdb-why ask --at p.c:9 'why not m == 3' -- ./p 9", 0, { "p.c:8" } },
		{ "gdb-why ask 'why line 8' -- ./p 9", 0, { "n > 7" } },
		{ "gdb-why ask 'why line p.c:8' -- ./p 9", 0, { "n > 7" } },
		{ "gdb-why ask 'why not line 17' -- ./p 9", 0, { "n == 5" } },
		{ "gdb-why ask --at exit 'why not $_exitcode == 0' -- ./p 5", 0, { "p.c:1" } },
		{ "gdb-why ask --at exit 'why m' -- ./p 5", 0, { "m = 7" } },
		{ "gdb-why ask 'why m' -- ./p 6", 0, { "m = 8 at p.c:19" } },
		{ "gdb-why ask 'why not m == 0' -- ./p 6", 0, { "p.c:" } },
		{ "gdb-why ask --at p.c:9 'why not m == 7' -- ./p 1", 0, { "p.c:" } },
		{ "gdb-why ask --row 1 'why m' -- ./p 9", 0, { "m = 8 at p.c:14" } },
		{ "gdb-why ask 'why $pc != 0' -- ./p 9", 0, { "$pc != 0: true at" } },
		{ "gdb-why ask 'why not line 8 in larger' -- ./p 1", 1, { "did not fail" } },
		{ "gdb-why ask --at exit 'why not line 8 in larger:1' -- ./p 5", 0, { "n > 7" } },
		{ "gdb-why ask --at exit 'why output' -- ./p 5", 0, { "7" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static void cannot_answer(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why ask 'what is it' -- ./p 9", 2, { "Questions are `why'" } },
		{ "gdb-why ask 'why not' -- ./p 9", 2, { "Why not what?" } },
		{ "gdb-why ask 'why line' -- ./p 9", 2, { "Which line?" } },
		{ "gdb-why ask --at p.c:9 why -- ./p 9",
		  2,
		  { "`why' alone is about the failure" } },
		{ "gdb-why ask --where 'n == 1' 'why m' -- ./p 9", 2, { "--where chooses" } },
		{ "gdb-why ask 'why zz' -- ./p 9", 2, { "no variable `zz'" } },
		{ "gdb-why ask 'why m ==' -- ./p 9", 2, { "cannot be asked about" } },
		{ "gdb-why ask 'why not zz == 1' -- ./p 9", 2, { "cannot be asked about" } },
		{ "gdb-why ask 'why line x' -- ./p 9", 2, { "is not a line" } },
		{ "gdb-why ask 'why line 4000' -- ./p 9", 2, { "4000" } },
		{ "gdb-why ask 'why not m > 0' -- ./p 9", 1, { "does hold there" } },
		{ "gdb-why ask 'why m' -- ./p 1", 1, { "The run did not fail" } },
		{ "gdb-why ask --at p.c:17 'why m' -- ./p 9", 3, { "p.c:17" } },
		{ "gdb-why ask --at p.c:4000 'why m' -- ./p 9", 2, { "4000" } },
		{ "gdb-why ask 'why not m == 1' -- ./p 1", 1, { "The run did not fail" } },
		{ "gdb-why ask --row 99 'why m' -- ./p 9", 2, { "has no row 99" } },
		{ "gdb-why ask --row x 'why m' -- ./p 9", 2, { "has no row x" } },
		{ "gdb-why ask --row 1 'why not m == 0' -- ./p 9", 2, { "row of the answer to" } },
		{ "gdb-why ask 'why $rip' -- ./p 9", 2, { "where the program stands" } },
		{ "gdb-why ask 'why line 8 in larger' -- ./p 9", 2, { "`in' asks why" } },
		{ "gdb-why ask --at exit 'why not line 8 in larger:9' -- ./p 5",
		  3,
		  { "calls it 1 time" } },
		{ "gdb-why ask --format json 'why output' -- ./p 9",
		  2,
		  { "Answers about output are text" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static void tries(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain -o answer.json --format json ./p 9", 0, { NULL } },
		{ "gdb-why try --suspect answer.json:1 ./p 9", 0, { "p.c:", "it passes" } },
		{ "gdb-why try --suspect answer.json:99 ./p 9", 2, { "has no suspect 99" } },
		{ "gdb-why try --suspect answer.json ./p 9", 2, { "names no suspect" } },
		{ "gdb-why try --suspect nosuch:1 ./p 9", 2, { "nosuch" } },
		{ "gdb-why try --suspect p.c:1 ./p 9", 2, { "not an answer" } },
		{ "gdb-why try --flip p.c:7 ./p 9",
		  0,
		  { "it passes (exit status 0); before: it fails an assertion",
		    "goes on from line 1:", "is   11" } },
		{ "gdb-why try --flip p.c:7:1 ./p 9", 0, { "it passes" } },
		{ "gdb-why try --flip p.c:7:all ./p 9", 0, { "it passes" } },
		{ "gdb-why try --flip p.c:7:last ./p 9", 0, { "it passes" } },
		{ "gdb-why try --flip p.c:4000 ./p 9", 2, { "4000" } },
		{ "gdb-why try --set 'm = 5' --after p.c:8 ./p 9", 0, { "as before" } },
		{ "gdb-why try --set 'n = 6' --at p.c:18 ./p 9",
		  0,
		  { "it is killed by SIGSEGV at p.c:19" } },
		{ "gdb-why try --set 'n = 5' --at p.c:16 ./p 9", 0, { "it exits with status 3" } },
		{ "gdb-why try --set 'zz = 5' --at p.c:16 ./p 9", 2, { "zz" } },
		{ "gdb-why try --set 'n = 5' --at p.c:17 ./p 9", 2, { "only 0 times" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static void weighs_tests(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why rank --no-cache --tests suite ./p", 0, { "p.c:8" } },
		{ "gdb-why rank --no-cache --tests suite --format json ./p", 0, { "\"lines\"" } },
		{ "gdb-why rank --no-cache --tests suite --format csv --technique ochiai,ofc ./p",
		  0,
		  { "p.c" } },
		{ "gdb-why rank --no-cache --tests suite --annotate ./p", 0, { "m = n - 1;" } },
		{ "gdb-why rank --no-cache --tests suite --technique nosuch ./p",
		  2,
		  { "There is no technique `nosuch'" } },
		{ "gdb-why rank --no-cache --tests good ./p", 1, { "failed" } },
		{ "gdb-why rank --no-cache --tests nosuch ./p", 2, { "nosuch" } },
		{ "gdb-why rank --no-cache -o /proc/ranking --tests suite ./p",
		  2,
		  { "The ranking cannot be written" } },
		{ "gdb-why explain --no-cache --tests suite ./p 9",
		  0,
		  { "p.c:8", "passing and 2 failing tests" } },
		{ "gdb-why explain --no-cache --tests suite ./p",
		  0,
		  { "2 failing tests were explained" } },
		{ "gdb-why explain --no-cache --tests suite --joint ./p",
		  0,
		  { "each explanation here holds one of each" } },
		{ "gdb-why explain --no-cache --tests good ./p 9",
		  0,
		  { "do not say what is likely" } },
		{ "gdb-why explain --no-cache --tests good ./p", 1, { "failed" } },
		{ "gdb-why explain --no-cache --tests suite --technique x ./p",
		  2,
		  { "There is no technique `x'" } },
	};

	(void)state;
	assert_true(g_file_set_contents("suite", "1\n2\n3\n8\n9\n", -1, NULL));
	assert_true(g_file_set_contents("good", "1\n2\n3\n", -1, NULL));
	commands_expect(all, G_N_ELEMENTS(all));
}

static int make_program(void **state)
{
	*state = commands_begin();
	g_free(test_compile(*state, "p", source, "gcc -g -O0"));
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
		cmocka_unit_test(explains), cmocka_unit_test(records),
		cmocka_unit_test(answers),  cmocka_unit_test(cannot_answer),
		cmocka_unit_test(tries),    cmocka_unit_test(weighs_tests),
	};

	return cmocka_run_group_tests(tests, make_program, remove_program);
}
