/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands in an answer whose suspects were proven by runs alone, without a formula: how the
 * failure came about (opening.h), and the way from each suspect to it (way.h).  timeout: 120
 */
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char list[] = "#include <assert.h>\n"
			   "#include <stdlib.h>\n"
			   "struct node { int key; struct node *next; };\n"
			   "static struct node *push(struct node *list, int key)\n"
			   "{\n"
			   "	struct node *n = malloc(sizeof *n);\n"
			   "	n->key = key;\n"
			   "	n->next = list;\n"
			   "	return n;\n"
			   "}\n"
			   "static int most(const struct node *list)\n"
			   "{\n"
			   "	int m = 0;\n"
			   "	for (const struct node *n = list; n; n = n->next)\n"
			   "		if (n->key > m)\n"
			   "			m = n->key;\n"
			   "	return m;\n"
			   "}\n"
			   "static int first = 4;\n"
			   "int main(int argc, char **argv)\n"
			   "{\n"
			   "	struct node *list = NULL;\n"
			   "	int limit = argc + 5;\n"
			   "	(void)argv;\n"
			   "	for (int i = 0; i < limit; i++)\n"
			   "		list = push(list, first * i);\n"
			   "	assert(most(list) <= 16);\n"
			   "	return 0;\n"
			   "}\n";

static const char chosen[] = "#include <stdlib.h>\n"
			     "static int check(unsigned n)\n"
			     "{\n"
			     "	if (n % 7 != 3)\n"
			     "		return 2;\n"
			     "	return 0;\n"
			     "}\n"
			     "static struct { char name[8]; int *count; } all;\n"
			     "static int *find(int n)\n"
			     "{\n"
			     "	int *block = malloc(sizeof(int));\n"
			     "	*block = n;\n"
			     "	return n > 3 ? block : NULL;\n"
			     "}\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	int err;\n"
			     "	(void)argv;\n"
			     "	if (argc == 2) {\n"
			     "		all.count = find(argc);\n"
			     "		return *all.count;\n"
			     "	}\n"
			     "	err = check((unsigned)argc * 5);\n"
			     "	if (err > 1)\n"
			     "		exit(3);\n"
			     "	return 0;\n"
			     "}\n";

static const char copied[] = "#include <stdio.h>\n"
			     "#include <string.h>\n"
			     "static char digits[16], line[32];\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	(void)argv;\n"
			     "	for (int i = 0; i < 3 + argc; i++)\n"
			     "		digits[i] = (char)('1' + i);\n"
			     "	digits[1] = '7';\n"
			     "	memcpy(line, \"n: \", 3);\n"
			     "	memcpy(line + 3, digits, 5);\n"
			     "	puts(line);\n"
			     "	return 0;\n"
			     "}\n";

/* Enough explanations, so that no formula is made. */
#define BY_RUNS                                                                       \
	"gdb-why explain --all --limit way_changed_ms=1000000 --limit nearby_from=0 " \
	"--limit nearby_alone_from=0 "

static void suspects_of_runs_have_a_way(void **state)
{
	static const struct command_case all[] = {
		{ BY_RUNS "--max-suspects 6 ./list",
		  0,
		  { "each proven by replay", "control -> list.c:16", "m = 20 -> 16",
		    "the node with key 20 ->" } },
		/* at most three links: the first and the last ones stay */
		{ BY_RUNS "--max-suspects 4 --limit chain_links=3 ./list",
		  0,
		  { "list.c:15  if (n->key > m)", "list.c:27  assert(most(list) <=" } },
	};
	static const struct command_case stats[] = {
		{ BY_RUNS "--max-suspects 4 --stats ./list", 0, { "nearby" } },
	};
	char *folder = commands_begin();
	g_autofree char *program = test_compile(folder, "list", list, "cc -g -O0");

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
	commands_expect(stats, G_N_ELEMENTS(stats));
	test_folder_free(folder);
}

static void the_opening_says_how_it_came_about(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain --limit nearby_from=0 ./chosen",
		  0,
		  { "since chosen.c:24  if (err > 1)", "from  chosen.c:23  err = check(",
		    "from  chosen.c:5   return 2;", "since chosen.c:4   if (n % 7 != 3)" } },
		{ "gdb-why explain --limit nearby_from=0 ./chosen x",
		  0,
		  { "SIGSEGV at chosen.c:21", "from  chosen.c:20  all.count = find(argc);",
		    "return n > 3 ? block : NULL;" } },
	};
	char *folder = commands_begin();
	g_autofree char *program = test_compile(folder, "chosen", chosen, "cc -g -O0");

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
	test_folder_free(folder);
}

/* The text that was printed is followed to who made it. */
static void wrong_contents_are_followed_through_copies(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain --limit nearby_from=0 --expect expected ./copied",
		  0,
		  { "line 1 of the output is \"n: 1734\"", "from  copied.c:9  digits[1] = '7';" } },
	};
	char *folder = commands_begin();
	g_autofree char *program = test_compile(folder, "copied", copied, "cc -g -O0");

	(void)state;
	assert_true(g_file_set_contents("expected", "n: 1234\n", -1, NULL));
	commands_expect(all, G_N_ELEMENTS(all));
	test_folder_free(folder);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(suspects_of_runs_have_a_way),
		cmocka_unit_test(the_opening_says_how_it_came_about),
		cmocka_unit_test(wrong_contents_are_followed_through_copies),
	};
	int status;

	if (commands_is_child(argc, argv, &status))
		return status;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
