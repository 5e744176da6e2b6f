/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a suite's other tests say of an answer: lines that no explanation names, tables, statements
 * that are missing, and rankings made of explanations.  timeout: 300
 */
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* It prints a sum of prices; what is wrong with it depends on how it is compiled. */
static const char shop[] =
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"#ifdef TABLE\n"
	"static int prices[] = { 5, 7, 12, 30, 50 };\n"
	"#else\n"
	"static int prices[] = { 5, 7, 11, 30, 50 };\n"
	"#endif\n"
	"static int kinds[8], n_kinds;\n"
	"static void note(int kind)\n"
	"{\n"
	"	if (kind == 4) {\n"
	"		kinds[n_kinds] = 9;\n"
	"#ifndef MISSING\n"
	"		n_kinds++;\n"
	"#endif\n"
	"	} else {\n"
	"		kinds[n_kinds] = kind;\n"
	"		n_kinds++;\n"
	"	}\n"
	"}\n"
	"static int reduced(int price)\n"
	"{\n"
	"#ifdef BOUNDARY\n"
	"	if (price > 50)\n"
	"#else\n"
	"	if (price >= 50)\n"
	"#endif\n"
	"		price -= 10;\n"
	"	return price;\n"
	"}\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	char text[64];\n"
	"	int sum = 0;\n"
	"	for (int i = 1; i < argc; i++) {\n"
	"		note(atoi(argv[i]) % 5);\n"
	"		sum += reduced(prices[atoi(argv[i]) % 5]);\n"
	"	}\n"
	"	snprintf(text, sizeof text, \"%d for %d kinds, the last is %d\", sum, n_kinds,\n"
	"		 n_kinds ? kinds[n_kinds - 1] : -1);\n"
	"	puts(text);\n"
	"	return 0;\n"
	"}\n";

static void other_tests_tell(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain --all --no-cache --tests suite --golden ./right ./boundary",
		  0,
		  { "boundary.c:25", "explained" } },
		{ "gdb-why explain --all --no-cache --tests suite --golden ./right ./table",
		  0,
		  { "table.c:5", "11 for 12" } },
		{ "gdb-why explain --all --no-cache --tests suite --golden ./right ./missing",
		  0,
		  { "missing.c:", "proven by replay" } },
		{ "gdb-why explain --all --no-cache --tests suite --joint --golden ./right "
		  "./boundary",
		  0,
		  { "boundary.c:25" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static void explanations_rank(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why rank --no-cache --technique ba --tests suite --golden ./right "
		  "./boundary",
		  0,
		  { "boundary.c:25" } },
		{ "gdb-why rank --no-cache --technique ba --tests suite --golden ./right "
		  "./table",
		  0,
		  { "table.c:" } },
		{ "gdb-why rank --no-cache --technique joint --tests suite --golden ./right "
		  "./missing",
		  0,
		  { "missing.c:" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static int make_programs(void **state)
{
	*state = commands_begin();
	g_free(test_compile(*state, "right", shop, "gcc -g -O0 -w"));
	g_free(test_compile(*state, "boundary", shop, "gcc -g -O0 -w -DBOUNDARY"));
	g_free(test_compile(*state, "table", shop, "gcc -g -O0 -w -DTABLE"));
	g_free(test_compile(*state, "missing", shop, "gcc -g -O0 -w -DMISSING"));
	assert_true(g_file_set_contents(
		"suite", "0\n1\n2\n3\n4\n0 1\n0 2\n1 1 3\n3 3\n1 4\n4 4\n0 1 2 3\n", -1, NULL));
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
		cmocka_unit_test(other_tests_tell),
		cmocka_unit_test(explanations_rank),
	};

	return cmocka_run_group_tests(tests, make_programs, remove_programs);
}
