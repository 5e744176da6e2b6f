/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A condition is missing, and what the other tests of the suite say which one: a part of an
 * `if', and the `if' around a statement.  guards-test.sh puts what is said into the source.
 * timeout: 120
 */
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char source[] = "#include <assert.h>\n"
			     "#include <stdlib.h>\n"
			     "enum { LATE = 1, SICK = 4, GUEST = 8 };\n"
			     "struct person { int age; unsigned state; };\n"
			     "static int days(const struct person *p)\n"
			     "{\n"
			     "	int most = 20;\n"
			     "	if (p->age > 50)\n" /* && !(p->state & SICK) */
			     "		most = 30;\n"
			     "	return most;\n"
			     "}\n"
			     "static int pay(int hours)\n"
			     "{\n"
			     "	int sum = hours * 10;\n"
			     "	sum += 15;\n" /* if (hours > 40) */
			     "	return sum;\n"
			     "}\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	struct person p = { atoi(argv[1]), (unsigned)atoi(argv[2]) };\n"
			     "	int wanted = atoi(argv[3]);\n"
			     "	assert(argc == 4 ? days(&p) == wanted : pay(p.age) == wanted);\n"
			     "	return 0;\n"
			     "}\n";

static void write_days(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "days", NULL);
	g_autoptr(GString) suite = g_string_new(NULL);
	static const int ages[] = { 20, 35, 50, 51, 52, 64 }, states[] = { 0, 1, 4, 5, 8, 12 };

	for (size_t a = 0; a < G_N_ELEMENTS(ages); a++)
		for (size_t s = 0; s < G_N_ELEMENTS(states); s++)
			g_string_append_printf(suite, "{} %d %d %d\n", ages[a], states[s],
					       ages[a] > 50 && !(states[s] & 4) ? 30 : 20);
	assert_true(g_file_set_contents(path, suite->str, -1, NULL));
}

static void write_pay(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "pay", NULL);
	g_autoptr(GString) suite = g_string_new(NULL);
	static const int hours[] = { 1, 7, 20, 39, 40, 41, 50, 60, 66, 70, 80, 90 };

	for (size_t i = 0; i < G_N_ELEMENTS(hours); i++)
		g_string_append_printf(suite, "{} %d 0 %d pay\n", hours[i],
				       hours[i] * 10 + (hours[i] > 40 ? 15 : 0));
	assert_true(g_file_set_contents(path, suite->str, -1, NULL));
}

static void the_missing_condition_is_named(void **state)
{
	static const struct command_case all[] = {
		{ "gdb-why explain --failing 1 --tests days -- ./p",
		  0,
		  { " 1  p.c:8", "with `&& !(p->state & 4)' added all 9 failing",
		    "none of 27 passing ones fails" } },
		{ "gdb-why explain --failing 1 --tests pay -- ./p",
		  0,
		  { " 1  p.c:15", "with `if (hours > 40)' before it all 5" } },
	};
	char *folder = commands_begin();
	g_autofree char *program = test_compile(folder, "p", source, "cc -g -O0");

	(void)state;
	write_days(folder);
	write_pay(folder);
	commands_expect(all, G_N_ELEMENTS(all));
	test_folder_free(folder);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_missing_condition_is_named),
	};
	int status;

	if (commands_is_child(argc, argv, &status))
		return status;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
