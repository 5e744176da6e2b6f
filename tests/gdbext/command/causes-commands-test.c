/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Causes that need a program of their own: what a scanning function stored, objects that look
 * alike, a structure with a hole, and a line that a round of a loop did not come to.  timeout: 120
 */
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char scans[] = "#include <stdio.h>\n"
			    "#include <stdlib.h>\n"
			    "#include <string.h>\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "	int a, b, chance = rand();\n"
			    "	char word[8], copy[8];\n"
			    "	if (sscanf(argv[1], \"%d\", &a) != 1)\n"
			    "		return 1;\n"
			    "	if (scanf(\"%d %7s\", &b, word) != 2)\n"
			    "		return 1;\n"
			    "	strcpy(copy, word);\n"
			    "	if (a + b + copy[1] + chance != 3)\n"
			    "		abort();\n"
			    "	return 0;\n"
			    "}\n";

static void scanned_values_come_from_outside(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why ask --stdin given --at scans.c:14 'why a' -- ./scans 4",
		  0,
		  { "a = 4", "`sscanf' made it" } },
		{ "gdb-why ask --stdin given --at scans.c:14 'why b' -- ./scans 4",
		  0,
		  { "b = 5", "`scanf' read it from" } },
		{ "gdb-why ask --stdin given --at scans.c:14 'why copy[1]' -- ./scans 4",
		  0,
		  { "word[1]", "word[1], `scanf' read it from standard input" } },
		{ "gdb-why ask --stdin given --at scans.c:14 'why chance' -- ./scans 4",
		  0,
		  { "a random number: rand" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static const char twins[] = "#include <assert.h>\n"
			    "#include <stdlib.h>\n"
			    "struct node { int key; struct node *next; };\n"
			    "static struct node *push(struct node *head, int key)\n"
			    "{\n"
			    "	struct node *n = malloc(sizeof *n);\n"
			    "	n->key = key;\n"
			    "	n->next = head;\n"
			    "	return n;\n"
			    "}\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "	struct node *list = NULL, *twin;\n"
			    "	for (int i = 0; i < argc + 1; i++)\n"
			    "		list = push(list, i == 2 ? 1 : i);\n"
			    "	twin = list->next;\n"
			    "	assert(twin == list);\n"
			    "	return 0;\n"
			    "}\n";

static void objects_that_look_alike_are_told_apart(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why ask --depth 3 'why twin' -- ./twins 1",
		  0,
		  { "twin = the node with key 1, made at twins.c:6, the 2nd at",
		    "twins.c:6, the 3rd" } },
		{ "gdb-why ask --depth 3 'why list' -- ./twins 1",
		  0,
		  { "list = the node with key 1 at" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static const char hole[] = "#include <stdio.h>\n"
			   "#include <stdlib.h>\n"
			   "struct pair { double first; float second; };\n"
			   "static struct pair make(double a, float b)\n"
			   "{\n"
			   "	struct pair made = { a, b };\n"
			   "	return made;\n"
			   "}\n"
			   "static void fill(void)\n"
			   "{\n"
			   "	volatile unsigned used[64];\n"
			   "	for (int i = 0; i < 64; i++)\n"
			   "		used[i] = 77;\n"
			   "}\n"
			   "int main(int argc, char **argv)\n"
			   "{\n"
			   "	char text[64];\n"
			   "	struct pair p;\n"
			   "	fill();\n"
			   "	snprintf(text, sizeof text, \"%d %g %s\", argc, 2.5, argv[0]);\n"
			   "	p = make(2.5, atoi(argv[argc - 1]));\n"
			   "	if (p.second != 7)\n"
			   "		abort();\n"
			   "	return 0;\n"
			   "}\n";

static void a_hole_has_no_cause(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why ask --at hole.c:22 --depth 5 'why p.second' -- ./hole 1",
		  0,
		  { "struct pair made = { a, b };      made.second = 1" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static const char rounds[] = "#include <stdlib.h>\n"
			     "static int taken;\n"
			     "int main(void)\n"
			     "{\n"
			     "	for (int i = 0; i < 4; i++) {\n"
			     "		int n = i * 2;\n"
			     "		if (i == 2)\n"
			     "			taken = n;\n"
			     "		n++;\n"
			     "	}\n"
			     "	if (taken != 3)\n"
			     "		abort();\n"
			     "	return 0;\n"
			     "}\n";

static void a_round_of_a_loop_is_asked_about(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why ask --at rounds.c:6:2 'why not line 8' -- ./rounds",
		  3,
		  { "away from rounds.c:8", "the program stands before it" } },
		{ "gdb-why ask --at rounds.c:9:4 'why not line 8' -- ./rounds",
		  0,
		  { "not reached in this round of the loop",
		    "rounds.c:7  if (i == 2)                    false" } },
		{ "gdb-why ask --at rounds.c:9:3 'why not line 8' -- ./rounds",
		  3,
		  { "does come to rounds.c:8" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

static int make_programs(void **state)
{
	*state = commands_begin();
	g_free(test_compile(*state, "scans", scans, "gcc -g -O0 -w"));
	g_free(test_compile(*state, "twins", twins, "gcc -g -O0 -w"));
	g_free(test_compile(*state, "hole", hole, "gcc -g -O0 -w"));
	g_free(test_compile(*state, "rounds", rounds, "gcc -g -O0 -w"));
	assert_true(g_file_set_contents("given", "5 seven\n", -1, NULL));
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
		cmocka_unit_test(scanned_values_come_from_outside),
		cmocka_unit_test(objects_that_look_alike_are_told_apart),
		cmocka_unit_test(a_hole_has_no_cause),
		cmocka_unit_test(a_round_of_a_loop_is_asked_about),
	};

	return cmocka_run_group_tests(tests, make_programs, remove_programs);
}
