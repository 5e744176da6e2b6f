/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which calls report an assertion that the program defines itself, and of which condition. */
#include "solver/check/check-own.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char source[] =
	"#include <stdlib.h>\n"
	"volatile int sink;\n"
	"__attribute__((noinline)) void report(const char *text, const char *file, int line)\n"
	"{ sink = *text + *file + line; }\n"
	"__attribute__((noinline)) void short_report(int line, const char *text)\n"
	"{ sink = *text + line; }\n"
	"__attribute__((noinline)) void always(int ok, const char *text, const char *file, int "
	"line)\n"
	"{ sink = ok + *text + *file + line; }\n"
	"__attribute__((noinline)) void log_at(const char *file, int line, const char *text)\n"
	"{ sink = *text + *file + line; }\n"
	"#define check(x) ((x) ? (void)0 : report(#x, __FILE__, __LINE__))\n"
	"#define verify(x) do { if (!(x)) short_report(__LINE__, #x); } while (0)\n"
	"#define look(x) always((x), #x, __FILE__, __LINE__)\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	int n = argc > 1 ? atoi(argv[1]) : 0;\n"
	"	check(n > 2);\n"
	"	check(n < 100 &&\n"
	"	      n != 7);\n"
	"	verify(!(n & 1));\n"
	"	look(n > 2 || n < -2);\n"
	"	if (n == 5)\n"
	"		log_at(__FILE__, __LINE__, \"five\");\n"
	"	if (n == 6) log_at(__FILE__, __LINE__, \"six\");\n"
	"	return 0;\n"
	"}\n";

static const char *const conditions[] = { "n > 2", "n < 100 && n != 7", "!(n & 1)" };

static void conditions_are_found(const char *flags)
{
	char *folder = test_folder_new();
	g_autofree char *command = g_strdup_printf("gcc -g -w %s", flags);
	g_autofree char *path = test_compile(folder, "own", source, command);
	struct image *im = image_open(path, NULL);
	const struct trace_insn *insns;
	guint found = 0;
	size_t n;

	assert_non_null(im);
	n = image_insns(im, &insns);
	for (size_t i = 0; i < n; i++) {
		g_autofree char *condition = check_own_condition(im, &insns[i]);
		guint k = 0;

		if (!condition)
			continue;
		while (k < G_N_ELEMENTS(conditions) && strcmp(conditions[k], condition) != 0)
			k++;
		if (k == G_N_ELEMENTS(conditions))
			fail_msg("%s: %s", flags, condition);
		found |= 1u << k;
	}
	assert_int_equal(found, (1u << G_N_ELEMENTS(conditions)) - 1);
	image_free(im);
	test_folder_free(folder);
}

static void calls_of_reports(void **state)
{
	(void)state;
	test_need("gcc");
	conditions_are_found("-O0");
	conditions_are_found("-O0 -no-pie");
	conditions_are_found("-O2");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(calls_of_reports) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
