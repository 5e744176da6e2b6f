/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a golden program prints, and says on standard error, is what the test has to. */
#include "gdbext/options/options.h"
#include "gdbext/question/runs/golden.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <unistd.h>

static const char source[] = "#include <stdio.h>\n"
			     "#include <stdlib.h>\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	FILE *f = argc > 2 ? fopen(argv[2], \"w\") : stdout;\n"
			     "	fprintf(f, \"%d\\n\", atoi(argv[1]) + 1);\n"
			     "	fprintf(stderr, \"%s: added\\n\", argv[0]);\n"
			     "	return 3;\n"
			     "}\n";

/* The command's line, of a program p whose golden one is ./right. */
static bool expected_by(const char *line, struct expected_output *out, GError **error)
{
	g_auto(GStrv) words = NULL;
	struct options o;
	int n;
	bool ok;

	assert_true(g_shell_parse_argv(line, &n, &words, NULL));
	g_autofree char **copy = g_memdup2(words, sizeof(*words) * (size_t)(n + 1));
	char **argv = copy;
	assert_true(options_parse(&n, &argv, &o, NULL));
	ok = golden_run(&o, out, error);
	options_clear(&o);
	return ok;
}

static void output_and_status(void **state)
{
	struct expected_output out;

	(void)state;
	assert_true(expected_by("gdb-why explain --golden ./right -- ./p 4", &out, NULL));
	assert_string_equal(out.text[PRINTED_OUT]->str, "5\n");
	assert_null(out.text[PRINTED_ERR]);
	assert_int_equal(out.status, 3);
	expected_clear(&out);
}

/* The golden program begins its messages with its own name, the test with the test's. */
static void messages_name_the_program(void **state)
{
	struct expected_output out;

	(void)state;
	assert_true(expected_by("gdb-why explain --golden ./right --expect-stderr - -- ./p 4", &out,
				NULL));
	assert_string_equal(out.text[PRINTED_ERR]->str, "./p: added\n");
	expected_clear(&out);
	assert_true(g_file_set_contents("messages", "p: added\n", -1, NULL));
	assert_true(expected_by(
		"gdb-why explain --golden ./right --expect-stderr messages -- ./p 4", &out, NULL));
	assert_string_equal(out.text[PRINTED_ERR]->str, "p: added\n");
	expected_clear(&out);
}

static void output_goes_to_a_file(void **state)
{
	struct expected_output out;
	GError *error = NULL;

	(void)state;
	assert_true(expected_by("gdb-why explain --golden ./right --output-file f -- ./p 4 f", &out,
				NULL));
	assert_string_equal(out.text[PRINTED_OUT]->str, "5\n");
	expected_clear(&out);
	assert_false(expected_by("gdb-why explain --golden ./right --output-file g -- ./p 4 f",
				 &out, &error));
	assert_string_equal(error->message,
			    "The program of --golden does not write g; name one that does.");
	g_clear_error(&error);
}

static void what_cannot_be_expected(void **state)
{
	struct expected_output out;
	GError *error = NULL;

	(void)state;
	assert_false(expected_by("gdb-why explain --golden ./none -- ./p 4", &out, &error));
	assert_true(g_str_has_prefix(error->message, "The program of --golden, ./none, does not "));
	g_clear_error(&error);
	assert_false(expected_by("gdb-why explain --golden ./right --expect-stderr none -- ./p 4",
				 &out, &error));
	assert_true(g_str_has_prefix(error->message, "The expected output cannot be read: "));
	g_clear_error(&error);
}

static int make_programs(void **state)
{
	*state = test_folder_new();
	g_free(test_compile(*state, "right", source, "gcc -g -O0"));
	return chdir(*state);
}

static int remove_programs(void **state)
{
	test_folder_free(*state);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_and_status),
		cmocka_unit_test(messages_name_the_program),
		cmocka_unit_test(output_goes_to_a_file),
		cmocka_unit_test(what_cannot_be_expected),
	};

	return cmocka_run_group_tests(tests, make_programs, remove_programs);
}
