/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/options/options.h"

#include "solver/rank/order.h"
#include "tui/report/rank/rank.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* Splits line at blanks and parses it; the words live until the next call. */
static bool parse(const char *line, struct options *o, GError **error)
{
	static char *words[64];
	static char buffer[512];
	char **argv = words;
	int argc = 0;

	g_strlcpy(buffer, line, sizeof buffer);
	for (char *w = strtok(buffer, " "); w; w = strtok(NULL, " "))
		words[argc++] = strcmp(w, "''") == 0 ? w + 2 : w;
	words[argc] = NULL;
	return options_parse(&argc, &argv, o, error);
}

static void check_program(const char *line, const char *expected)
{
	struct options o;
	g_autoptr(GError) error = NULL;
	g_autofree char *got = NULL;

	if (!parse(line, &o, &error))
		fail_msg("%s: %s", line, error->message);
	assert_int_equal(o.command, OPTIONS_EXPLAIN);
	got = g_strjoinv(" ", o.program);
	assert_string_equal(got, expected);
	options_clear(&o);
}

static void program_stays_untouched(void **state)
{
	(void)state;
	check_program("gdb-why explain -- ./p 0 0", "./p 0 0");
	check_program("gdb-why explain ./p 0 0", "./p 0 0");
	check_program("gdb-why explain -- ./p --stats -o x", "./p --stats -o x");
	check_program("gdb-why explain ./p --stats -o x", "./p --stats -o x");
	check_program("gdb-why explain --stats ./p -- x -- y", "./p -- x -- y");
	check_program("gdb-why explain -- ./p -- x", "./p -- x");
	check_program("gdb-why explain -- -odd --name", "-odd --name");
	check_program("gdb-why explain --stats -- -odd", "-odd");
	check_program("gdb-why explain -- --help", "--help");
	check_program("gdb-why explain -- ./p --help", "./p --help");
	check_program("gdb-why explain -- ./p ''", "./p ");
	check_program("gdb-why explain -- ./p \xff\xfe", "./p \xff\xfe");
}

/* What is evaluated is no program that has options of its own. */
static void options_behind_subjects(void **state)
{
	struct options o;
	g_autofree char *subjects = NULL;

	(void)state;
	assert_true(parse("gdb-why evaluate --merge part1 part2 -o all", &o, NULL));
	subjects = g_strjoinv(" ", o.program);
	assert_string_equal(subjects, "part1 part2");
	assert_string_equal(o.output, "all");
	options_clear(&o);
}

static void defaults(void **state)
{
	struct options o;

	(void)state;
	assert_true(parse("gdb-why explain ./p", &o, NULL));
	assert_null(o.stdin_file);
	assert_null(o.directory);
	assert_null(o.output);
	assert_null(o.trace_libs);
	assert_string_equal(o.gdb, "gdb");
	assert_true(o.timeout == 60 && o.run_timeout == 10);
	assert_int_equal(o.limits.runs, 64);
	assert_int_equal(o.limits.size, 5);
	assert_int_equal(o.max_suspects, 20);
	assert_int_equal(o.limits.unroll, 8);
	assert_int_equal(o.format, TUI_TEXT);
	assert_int_equal(o.color, TUI_COLOR_AUTO);
	assert_int_equal(o.granularity, OPTIONS_BY_LINE);
	assert_int_equal(o.engine, OPTIONS_ENGINE_JIT);
	assert_false(o.stats || o.thorough || o.check || o.no_hijack || o.hard_addresses ||
		     o.show_output);
	options_clear(&o);
}

static void all_options(void **state)
{
	struct options o;
	g_autoptr(GError) error = NULL;

	(void)state;
	if (!parse("gdb-why explain --stdin in -C dir --timeout 2.5 --run-timeout=1 --format json "
		   "-o out --color never --stats --thorough --show-output --max-suspects 0 "
		   "--max-size 2 "
		   "--max-runs 9 --max-unroll 3 --granularity row --no-hijack --hard-addresses "
		   "--trace-lib a.so --trace-lib b.so --engine step --check --gdb /opt/gdb ./p",
		   &o, &error))
		fail_msg("%s", error->message);
	assert_string_equal(o.stdin_file, "in");
	assert_string_equal(o.directory, "dir");
	assert_true(o.timeout == 2.5 && o.run_timeout == 1);
	assert_int_equal(o.format, TUI_JSON);
	assert_string_equal(o.output, "out");
	assert_int_equal(o.color, TUI_COLOR_NEVER);
	assert_int_equal(o.max_suspects, 0);
	assert_int_equal(o.limits.size, 2);
	assert_int_equal(o.limits.runs, 9);
	assert_int_equal(o.limits.unroll, 3);
	assert_int_equal(o.granularity, OPTIONS_BY_ROW);
	assert_true(o.stats && o.thorough && o.check && o.no_hijack && o.hard_addresses &&
		    o.show_output);
	assert_string_equal(o.trace_libs[0], "a.so");
	assert_string_equal(o.trace_libs[1], "b.so");
	assert_null(o.trace_libs[2]);
	assert_string_equal(o.gdb, "/opt/gdb");
	options_clear(&o);
}

static void options_of_rank(void **state)
{
	struct options o;
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(parse("gdb-why rank --tests s ./p", &o, NULL));
	assert_int_equal(o.command, OPTIONS_RANK);
	assert_string_equal(o.tests, "s");
	assert_string_equal(o.technique, "ochiai");
	assert_string_equal(o.program[0], "./p");
	assert_null(o.golden);
	assert_null(o.expected);
	assert_int_equal(o.jobs, 0);
	assert_int_equal(o.max_lines, 20);
	assert_int_equal(o.scheme, RANK_AVERAGE);
	assert_int_equal(o.format, TUI_RANK_TEXT);
	assert_true(o.run_timeout == 10);
	assert_false(o.annotate || o.no_cache);
	options_clear(&o);
	if (!parse("gdb-why rank --tests s --golden g --technique all --scheme worst -j 3 "
		   "--no-cache --max-lines 0 --format csv -C d --run-timeout 2 -o f --color never "
		   "-- -p",
		   &o, &error))
		fail_msg("%s", error->message);
	assert_string_equal(o.golden, "g");
	assert_string_equal(o.technique, "all");
	assert_string_equal(o.directory, "d");
	assert_string_equal(o.program[0], "-p");
	assert_int_equal(o.scheme, RANK_WORST);
	assert_int_equal(o.jobs, 3);
	assert_int_equal(o.max_lines, 0);
	assert_int_equal(o.format, TUI_RANK_CSV);
	assert_true(o.no_cache);
	options_clear(&o);
}

static void the_last_of_two_counts(void **state)
{
	struct options o;

	(void)state;
	assert_true(parse("gdb-why explain --max-size 2 --max-size 3 -o a -o b ./p", &o, NULL));
	assert_int_equal(o.limits.size, 3);
	assert_string_equal(o.output, "b");
	options_clear(&o);
}

static void else_a_session(void **state)
{
	struct options o;

	(void)state;
	assert_true(parse("gdb-why -q --args /bin/sh -c explain", &o, NULL));
	assert_int_equal(o.command, OPTIONS_SESSION);
	assert_int_equal(g_strv_length(o.words), 5);
	assert_string_equal(o.words[4], "explain");
	options_clear(&o);
	assert_true(parse("gdb-why /bin/sh", &o, NULL));
	assert_int_equal(o.command, OPTIONS_SESSION);
	options_clear(&o);
	assert_true(parse("gdb-why", &o, NULL));
	assert_int_equal(o.command, OPTIONS_SESSION);
	options_clear(&o);
}

static const struct {
	const char *line, *says;
} wrong[] = {
	{ "gdb-why explain", "no program" },
	{ "gdb-why explain --", "no program" },
	{ "gdb-why explain --stats --", "no program" },
	{ "gdb-why explain -- ''", "name is empty" },
	{ "gdb-why explain --nonsense ./p", "--nonsense" },
	{ "gdb-why explain --timeout 0 ./p", "above 0" },
	{ "gdb-why explain --timeout nan ./p", "above 0" },
	{ "gdb-why explain --timeout 1e999 ./p", "above 0" },
	{ "gdb-why explain --timeout 5s ./p", "not `5s'" },
	{ "gdb-why explain --timeout", "--timeout" },
	{ "gdb-why explain --max-size 0 ./p", "from 1 to" },
	{ "gdb-why explain --max-size -1 ./p", "not `-1'" },
	{ "gdb-why explain --max-runs 99999999999999999999 ./p", "--max-runs" },
	{ "gdb-why explain --limit rums=3 ./p", "the nearest name is `runs'" },
	{ "gdb-why explain --limit runs=3 --limit runs=0 ./p", "from 1 to" },
	{ "gdb-why explain --limit runs ./p", "NAME=N" },
	{ "gdb-why record --limit runs=3 ./p", "--limit" },
	{ "gdb-why help limits now", "--format=markdown" },
	{ "gdb-why explain --format xml ./p", "text, json" },
	{ "gdb-why explain --color= ./p", "auto, always, never" },
	{ "gdb-why explain --granularity word ./p", "instance, row, line, function" },
	{ "gdb-why explain --engine fast ./p", "step" },
	{ "gdb-why explain --stdin= ./p", "--stdin" },
	{ "gdb-why explan ./p", "no command or program `explan'" },
	{ "gdb-why rank ./p", "--tests SUITE -- PROG; `gdb-why help rank'" },
	{ "gdb-why rank --tests s", "no program to rank" },
	{ "gdb-why rank --tests s ./p 1", "arguments are the suite's" },
	{ "gdb-why rank --tests s -j 0 ./p", "from 1 on" },
	{ "gdb-why rank --tests s --golden g --expected e ./p", "--golden and --expected" },
	{ "gdb-why rank --tests s --annotate --format csv ./p", "--annotate" },
	{ "gdb-why rank --tests s --stdin f ./p", "--stdin" },
	{ "gdb-why explain --tests s --record r", "--tests runs the program" },
	{ "gdb-why explain --expected e ./p", "--expected is about --tests" },
	{ "gdb-why explain --golden g --expect f ./p", "leave --expect out" },
	{ "gdb-why explain --golden g --record r", "leave --record out" },
	{ "gdb-why explain --expect f --tests s ./p", "leave --tests out" },
	{ "gdb-why explain --expect-status x ./p", "--expect-status takes a whole number" },
	{ "gdb-why explain --failing all ./p", "--failing is about --tests" },
	{ "gdb-why explain --tests s --failing all ./p 1", "--failing is about tests" },
	{ "gdb-why explain --tests s --window 10K ./p", "--window keeps" },
	{ "gdb-why explain --tests s --check ./p 1", "--check" },
	{ "gdb-why record --tests s ./p", "--tests" },
	{ "gdb-why explain --events 2 ./p", "from 3 on" },
	{ "gdb-why panel --events 3 ./p", "--events" },
	{ "gdb-why help me", "no help on `me'" },
	{ "gdb-why record", "no program to record" },
	{ "gdb-why specs --spec s.c", "no program to check was given: gdb-why specs" },
	{ "gdb-why record --stats ./p", "--stats" },
	{ "gdb-why record --max-record 1X ./p", "500M or 2G" },
	{ "gdb-why record --max-record 0 ./p", "500M or 2G" },
	{ "gdb-why record --max-record 99999999999G ./p", "500M or 2G" },
	{ "gdb-why record --max-record 1MB ./p", "500M or 2G" },
	{ "gdb-why explain --window 0 ./p", "--window takes a number such as" },
	{ "gdb-why explain --record f --window 10K", "--window is for recording" },
	{ "gdb-why explain --keep-env X ./p", "--keep-env" },
	{ "gdb-why explain --record r ./p 0", "arguments are the record's" },
	{ "gdb-why explain --record r --stdin f", "stdin is the record's" },
	{ "gdb-why explain --record r --trace-lib f", "trace-lib is the record's" },
	{ "gdb-why explain --expect f --tests s ./p", "leave --tests out with it" },
	{ "gdb-why explain --expect f --record r", "leave --record out with it" },
	{ "gdb-why explain --output-file f --check ./p", "leave --check out with it" },
	{ "gdb-why explain --output-file f ./p", "takes the place of standard output" },
	{ "gdb-why explain --expect-stderr - ./p", "name one, or a file" },
	{ "gdb-why explain --require p.c:3 --expect f ./p", "leave --expect out" },
	{ "gdb-why explain --golden g --expect f ./p", "leave --expect out" },
	{ "gdb-why explain --graph regions ./p", "say --format dot with it" },
	{ "gdb-why explain --stream ./p", "say --format json" },
	{ "gdb-why ask why x ./p", "`--' and the program are missing" },
	{ "gdb-why ask why x --depth 3 -- ./p", "options come before the question" },
	{ "gdb-why regress --new n --test t", "--old is missing" },
	{ "gdb-why regress --old o --new n", "by one of --test COMMAND and --run PROG" },
	{ "gdb-why specs ./p", "--spec is missing" },
	{ "gdb-why try ./p", "say what is tried" },
};

/* In GDB, options of a question stand in it. */
static void questions_have_options(void **state)
{
	struct options o = { 0 };

	(void)state;
	assert_true(parse("gdb-why ask why -d 6 --row 4 --all x + 1 -- ./p", &o, NULL));
	assert_int_equal(o.depth, 6);
	assert_string_equal(o.row, "4");
	assert_true(o.all);
	assert_string_equal(o.question, "why x + 1");
	options_clear(&o);
}

/* Tests run with all limits at their least or most. */
static void limits_of_the_environment(void **state)
{
	struct options o = { 0 };
	g_autoptr(GError) error = NULL;

	(void)state;
	g_setenv("GDB_WHY_LIMITS", "tiny", TRUE);
	assert_true(parse("gdb-why explain --limit runs=3 ./p", &o, NULL));
	assert_int_equal(o.limits.runs, 3);
	assert_true(o.limits.mutant_runs < limits_default()->mutant_runs);
	options_clear(&o);
	g_setenv("GDB_WHY_LIMITS", "small", TRUE);
	assert_false(parse("gdb-why explain ./p", &o, &error));
	assert_non_null(strstr(error->message, "tiny or huge, not `small'"));
	g_unsetenv("GDB_WHY_LIMITS");
}

static void wrong_usage_is_one_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		struct options o = { 0 };
		g_autoptr(GError) error = NULL;

		if (parse(wrong[i].line, &o, &error))
			fail_msg("%s: was accepted", wrong[i].line);
		assert_int_equal(error->domain, OPTIONS_ERROR);
		assert_int_equal(error->code, OPTIONS_ERROR_USAGE);
		if (!strstr(error->message, wrong[i].says))
			fail_msg("%s: %s", wrong[i].line, error->message);
		assert_null(strchr(error->message, '\n'));
	}
}

static void help_and_version(void **state)
{
	static const struct {
		const char *line;
		enum options_command command;
		enum options_command on;
	} asked[] = {
		{ "gdb-why --help", OPTIONS_HELP, OPTIONS_HELP },
		{ "gdb-why -h", OPTIONS_HELP, OPTIONS_HELP },
		{ "gdb-why help", OPTIONS_HELP, OPTIONS_HELP },
		{ "gdb-why help explain", OPTIONS_HELP, OPTIONS_EXPLAIN },
		{ "gdb-why help rank", OPTIONS_HELP, OPTIONS_RANK },
		{ "gdb-why rank --help", OPTIONS_HELP, OPTIONS_RANK },
		{ "gdb-why explain --help", OPTIONS_HELP, OPTIONS_EXPLAIN },
		{ "gdb-why explain --stats -h ./p", OPTIONS_HELP, OPTIONS_EXPLAIN },
		{ "gdb-why explain --record r -h", OPTIONS_HELP, OPTIONS_EXPLAIN },
		{ "gdb-why help record", OPTIONS_HELP, OPTIONS_RECORD },
		{ "gdb-why record --help", OPTIONS_HELP, OPTIONS_RECORD },
		{ "gdb-why help evaluate", OPTIONS_HELP, OPTIONS_EVALUATE },
		{ "gdb-why --version", OPTIONS_VERSION, OPTIONS_HELP },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(asked); i++) {
		struct options o;
		g_autofree char *help = NULL;

		assert_true(parse(asked[i].line, &o, NULL));
		assert_int_equal(o.command, asked[i].command);
		assert_int_equal(o.help_on, asked[i].on);
		help = options_help(&o);
		assert_int_equal(strstr(help, "--max-unroll N") != NULL,
				 o.command == OPTIONS_HELP && o.help_on == OPTIONS_EXPLAIN);
		assert_int_equal(strstr(help, "--keep-env NAME") != NULL,
				 o.command == OPTIONS_HELP && o.help_on == OPTIONS_RECORD);
		options_clear(&o);
	}
}

static void check_width(const char *line)
{
	struct options o;
	g_autofree char *help = NULL;
	g_auto(GStrv) lines = NULL;

	assert_true(parse(line, &o, NULL));
	help = options_help(&o);
	lines = g_strsplit(help, "\n", -1);
	for (char **l = lines; *l; l++) {
		if (strlen(*l) > 80)
			fail_msg("wider than 80 columns: %s", *l);
	}
	options_clear(&o);
}

static void help_fits_the_screen(void **state)
{
	(void)state;
	check_width("gdb-why help");
	check_width("gdb-why help explain");
	check_width("gdb-why help rank");
	check_width("gdb-why help record");
}

static void records(void **state)
{
	struct options o;

	(void)state;
	assert_true(parse("gdb-why record -o f --no-program --keep-env A --keep-env B "
			  "--max-record 500M -- ./p 0",
			  &o, NULL));
	assert_int_equal(o.command, OPTIONS_RECORD);
	assert_string_equal(o.output, "f");
	assert_string_equal(o.program[0], "./p");
	assert_string_equal(o.keep_env[1], "B");
	assert_true(o.no_program && o.max_record == 500ull << 20 && o.window == 0);
	options_clear(&o);
	assert_true(parse("gdb-why explain --record f --max-record 77", &o, NULL));
	assert_string_equal(o.record, "f");
	assert_null(o.program[0]);
	assert_true(o.max_record == 77);
	options_clear(&o);
	assert_true(parse("gdb-why explain --record f -C d -- ./p", &o, NULL));
	assert_string_equal(o.program[0], "./p");
	assert_true(o.max_record == 2ull << 30);
	options_clear(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(program_stays_untouched),
		cmocka_unit_test(options_behind_subjects),
		cmocka_unit_test(defaults),
		cmocka_unit_test(all_options),
		cmocka_unit_test(options_of_rank),
		cmocka_unit_test(the_last_of_two_counts),
		cmocka_unit_test(else_a_session),
		cmocka_unit_test(wrong_usage_is_one_line),
		cmocka_unit_test(questions_have_options),
		cmocka_unit_test(limits_of_the_environment),
		cmocka_unit_test(help_and_version),
		cmocka_unit_test(help_fits_the_screen),
		cmocka_unit_test(records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
