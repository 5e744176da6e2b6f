/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `ask --window N --at STOP': the window lies before the stop, and not before the run's end; and
 * what the standard input of gdb-why is to the test.  timeout: 120
 */
#include "gdbext/command/given-stdin.h"
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <unistd.h>

static const char source[] = "#include <assert.h>\n"
			     "#include <stdlib.h>\n"
			     "static unsigned seen;\n"
			     "static int scale(int odd)\n"
			     "{\n"
			     "\tint s = 3;\n"
			     "\tif (odd)\n"
			     "\t\ts = s + 1;\n"
			     "\treturn s;\n"
			     "}\n"
			     "static void work(int rounds)\n"
			     "{\n"
			     "\tfor (int i = 0; i < rounds; i++)\n"
			     "\t\tseen += 3;\n"
			     "}\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "\tint sum = 0, rounds = atoi(argv[argc - 1]);\n"
			     "\tfor (int i = 0; i < 5; i++) {\n"
			     "\t\tsum += scale(i % 2);\n"
			     "\t\twork(rounds);\n"
			     "\t}\n"
			     "\tassert(sum < 17);\n"
			     "\treturn 0;\n"
			     "}\n";

#define ASK "gdb-why ask --window 1K --color never --at "

static void windows_before_stops(void **state)
{
	static const struct command_case all[] = {
		{ ASK "p.c:9 'why s' -- ./p 2000", 0, { "p.c:9 in scale", "p.c:6" } },
		{ ASK "p.c:9:4 'why s' -- ./p 2000", 0, { "p.c:8", "s = 4" } },
		{ ASK "p.c:9:4 --limit window_part=5000 'why s' -- ./p 2000",
		  0,
		  { "p.c:8", "s = 4" } },
		{ ASK "p.c:9:6 'why s' -- ./p 2000", 3, { "comes to p.c:9 only 5 times" } },
		{ ASK "p.c:9:6 --limit window_part=5000 'why s' -- ./p 2000",
		  3,
		  { "comes to p.c:9 only 5 times" } },
		{ ASK "main:2 'why sum' -- ./p 2000", 3, { "only 1 time;" } },
		{ ASK "p.c:24 'why sum' -- ./p 2000", 3, { "The run never comes to p.c:24" } },
		{ ASK "p.c:9:2 'why not s == 9' -- ./p 2000", 0, { "with s = 9 it holds" } },
		{ "gdb-why ask --window 100 --color never 'why sum' -- ./p 2000",
		  0,
		  { "made before the", "kept" } },
		{ "gdb-why ask --window 1M --color never --at p.c:9:4 'why s' -- ./p 2000",
		  0,
		  { "p.c:8", "s = 4" } },
	};

	(void)state;
	commands_expect(all, G_N_ELEMENTS(all));
}

/* What given_stdin makes of standard input; put: what it is. */
static char *given(enum options_command command, int put)
{
	struct options o = { .command = command };
	int own = dup(STDIN_FILENO);

	assert_true(put >= 0 && own >= 0);
	dup2(put, STDIN_FILENO);
	close(put);
	given_stdin(&o);
	dup2(own, STDIN_FILENO);
	close(own);
	return o.stdin_file;
}

static void standard_input(void **state)
{
	const char *folder = *state;
	g_autofree char *path = g_build_filename(folder, "input", NULL);
	g_autofree char *file = NULL;
	int ends[2];

	assert_true(g_file_set_contents(path, "text\n", -1, NULL));
	file = given(OPTIONS_EXPLAIN, open(path, O_RDONLY));
	assert_string_equal(file, path);
	assert_null(given(OPTIONS_RANK, open(path, O_RDONLY)));
	assert_true(g_file_set_contents(path, "", -1, NULL));
	assert_null(given(OPTIONS_EXPLAIN, open(path, O_RDONLY)));
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "text\n", 5), 5);
	close(ends[1]);
	assert_null(given(OPTIONS_EXPLAIN, ends[0]));
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
		cmocka_unit_test(windows_before_stops),
		cmocka_unit_test(standard_input),
	};

	return cmocka_run_group_tests(tests, make_program, remove_program);
}
