/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a value came from that the program's own code did not make: arguments, environment, files,
 * standard input, the clock, chance, and memory as it was.  timeout: 120
 */
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* The program fails in line 38. */
static const char source[] =
	"#define _GNU_SOURCE\n"
	"#include <ctype.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"#include <time.h>\n"
	"static int zeroed, given = 7, *at = &given;\n"
	"static int leftover(void) { int never; return never; }\n"
	"static int digits(const char *s) { int n = 0; while (isdigit((unsigned char)*s)) { n++; "
	"s++; } return n; }\n"
	"int main(int argc, char **argv, char **envp)\n"
	"{\n"
	"\tchar line[40], raw[4], *own = NULL, *home = getenv(\"ORIGIN\"), first = argv[1][2], "
	"big[9];\n"
	"\tsize_t room = 0;\n"
	"\tFILE *f = fopen(argv[2], \"r\");\n"
	"\tint *block = malloc(40), *zeros = calloc(4, 4), left = block[3] != 0, z1 = zeros[2];\n"
	"\tint none = zeroed + *at, h, inner, e0 = envp[0][1];\n"
	"\ttime_t now = time(NULL);\n"
	"\tint chance = rand(), lo = leftover(), byte1, byte2, c1, l2, l3, d;\n"
	"\tstruct timespec spec;\n"
	"\tclock_gettime(CLOCK_REALTIME, &spec);\n"
	"\th = home[1];\n"
	"\tif (fread(raw, 1, 4, f) != 4) return 1;\n"
	"\tbyte1 = raw[2];\n"
	"\tif (fread(raw, 1, 4, f) != 4) return 1;\n"
	"\tbyte2 = raw[1];\n"
	"\tc1 = fgetc(f);\n"
	"\tif (!fgets(line, sizeof line, stdin)) return 1;\n"
	"\tif (!fgets(line, sizeof line, stdin)) return 1;\n"
	"\tl2 = line[1];\n"
	"\tf = fopen(argv[2], \"r\");\n"
	"\tif (getline(&own, &room, f) < 1 || getline(&own, &room, f) < 1) return 1;\n"
	"\tl3 = own[2];\n"
	"\td = digits(argv[3]);\n"
	"\tstrcpy(big, argv[4]);\n"
	"\tinner = big[2];\n"
	"\tif (left + none + h + lo + byte1 + byte2 + c1 + l2 + l3 + d + z1 + chance + inner +\n"
	"\t       first + e0 + (int)now + (int)spec.tv_nsec != 12345)\n"
	"\t\tabort();\n"
	"\treturn 0;\n"
	"}\n";

/* Streams that were other files before, a pipe, and standard input that becomes another file.  It
 * fails in line 32. */
static const char streams[] = "#include <fcntl.h>\n"
			      "#include <stdio.h>\n"
			      "#include <stdlib.h>\n"
			      "#include <unistd.h>\n"
			      "static char line[40];\n"
			      "int main(int argc, char **argv)\n"
			      "{\n"
			      "\tint a, b, c, d, e, g, n;\n"
			      "\tFILE *f = fopen(argv[1], \"r\");\n"
			      "\n"
			      "\twhile (fgets(line, sizeof line, f))\n"
			      "\t\t;\n"
			      "\tfclose(f);\n"
			      "\tf = fopen(argv[2], \"r\");\n"
			      "\tif (!fgets(line, sizeof line, f)) return 1;\n"
			      "\ta = line[0];\n"
			      "\tfclose(f);\n"
			      "\tf = popen(\"echo 42\", \"r\");\n"
			      "\tif (!fgets(line, sizeof line, f)) return 1;\n"
			      "\tb = line[0];\n"
			      "\tpclose(f);\n"
			      "\tf = fopen(argv[1], \"r\");\n"
			      "\tf = freopen(argv[2], \"r\", f);\n"
			      "\tc = getc(f);\n"
			      "\td = getchar();\n"
			      "\tif (!freopen(argv[1], \"r\", stdin)) return 1;\n"
			      "\te = getchar();\n"
			      "\tn = open(argv[2], O_RDONLY);\n"
			      "\tif (n < 0 || dup2(n, 0) != 0 || read(0, line, 2) != 2) return 1;\n"
			      "\tg = line[1];\n"
			      "\tif (a + b + c + d + e + g + argc != 12345)\n"
			      "\t\tabort();\n"
			      "\treturn 0;\n"
			      "}\n";

/* What `why VARIABLE' says where the program fails. */
struct origin {
	const char *variable, *said;
};

static void record(const char *line)
{
	const struct command_case all[] = { { line, 0, { NULL } } };

	commands_expect(all, G_N_ELEMENTS(all));
}

static void asked(const char *where, const char *program, const struct origin *origins, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		g_autofree char *line =
			g_strdup_printf("gdb-why ask --depth 30 --format json %s 'why %s' -- %s",
					where, origins[i].variable, program);
		const struct command_case all[] = { { line, 0, { origins[i].said } } };

		commands_expect(all, G_N_ELEMENTS(all));
	}
}

static void outside_of_the_program(void **state)
{
	static const struct origin origins[] = {
		{ "first", "argv[1][2], as the program was started with" },
		{ "inner", "argv[4][2], as the program was started with" },
		{ "h", "byte 2 of the environment variable ORIGIN" },
		{ "h", "the environment variable ORIGIN: getenv returned" },
		{ "e0", "envp[0][1], as the program was started with" },
		{ "byte1", "byte 3 of data, which `fread' read" },
		{ "byte2", "byte 6 of data, which `fread' read" },
		{ "c1", "from data: fgetc returned" },
		{ "l2", "byte 2 of what the 2nd `fgets' read from standard input" },
		{ "l3", "line 2 of data, byte 3" },
		{ "none", "zeroed, zero from the start" },
		{ "none", "given, as it was initialized" },
		{ "none", "at, as it was initialized" },
		{ "lo", "never, never initialised: a leftover of the stack" },
		{ "left", "never initialised: `malloc' left it as it was" },
		{ "z1", "zero, as `calloc' made it" },
		{ "now", "the clock: time returned" },
		{ "spec.tv_nsec", "the clock, which `clock_gettime' read" },
		{ "chance", "a random number: rand returned" },
		{ "d", "argv[3][2], as the program was started with" },
	};

	(void)state;
	g_setenv("ORIGIN", "abc", TRUE);
	record("gdb-why record -o o.why --stdin given -- ./origin -x-y data 123 wxyz");
	asked("--record o.why --at origin.c:38:1", "./origin", origins, G_N_ELEMENTS(origins));
}

static void streams_that_change(void **state)
{
	static const struct origin origins[] = {
		{ "a", "byte 1 of what the 1st `fgets' read from other" },
		{ "b", "`fgets' read it from a stream" },
		{ "c", "byte 1 of other: getc returned" },
		{ "d", "from standard input: getchar returned" },
		{ "e", "from standard input: getchar returned" },
		{ "g", "of a file, which `read' read" },
	};

	(void)state;
	record("gdb-why record -o s.why --stdin given -- ./streams data other");
	asked("--record s.why --at streams.c:32:1", "./streams", origins, G_N_ELEMENTS(origins));
}

static int make_programs(void **state)
{
	*state = commands_begin();
	g_free(test_compile(*state, "origin", source, "gcc -g -O0 -w"));
	g_free(test_compile(*state, "streams", streams, "gcc -g -O0 -w"));
	assert_true(g_file_set_contents("data", "ab\ncdefghi\n", -1, NULL));
	assert_true(g_file_set_contents("given", "one\ntwo\n", -1, NULL));
	return g_file_set_contents("other", "78\n", -1, NULL) ? 0 : 1;
}

static int remove_programs(void **state)
{
	test_folder_free(*state);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(outside_of_the_program),
		cmocka_unit_test(streams_that_change),
	};

	return cmocka_run_group_tests(tests, make_programs, remove_programs);
}
