/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/options.h"

#include "solver/formula/smt.h"
#include "solver/ranking.h"
#include "tui/panel.h"
#include "tui/rank.h"

#include <stddef.h>
#include <string.h>

#ifndef GDB_WHY_VERSION
#error "GDB_WHY_VERSION comes from the Makefile"
#endif

G_DEFINE_QUARK(gdb - why - options, options_error)

enum option_kind {
	OPTION_FLAG,	/* bool */
	OPTION_FILE,	/* char * */
	OPTION_FILES,	/* char **, repeatable */
	OPTION_SECONDS, /* double */
	OPTION_COUNT,	/* unsigned, min to G_MAXINT32 */
	OPTION_SIZE,	/* guint64, bytes: a number and K, M, G or nothing */
	OPTION_CHOICE,	/* int: index into choices */
};

/* The commands that take an option. */
enum {
	EXPLAIN = 1 << OPTIONS_EXPLAIN,
	RECORD = 1 << OPTIONS_RECORD,
	ASK = 1 << OPTIONS_ASK,
	RANK = 1 << OPTIONS_RANK,
	PANEL = 1 << OPTIONS_PANEL,
	TRY = 1 << OPTIONS_TRY,
	PRINT = EXPLAIN | ASK,
	SEARCH = EXPLAIN | ASK | PANEL,
	TEST = EXPLAIN | RECORD | ASK | PANEL,
	ALL = TEST | RANK | TRY,
	SUITE = EXPLAIN | RANK,
};

static const char *const names[] = {
	[OPTIONS_EXPLAIN] = "explain", [OPTIONS_RECORD] = "record", [OPTIONS_ASK] = "ask",
	[OPTIONS_RANK] = "rank",       [OPTIONS_PANEL] = "panel",   [OPTIONS_TRY] = "try",
};

struct option_row {
	unsigned commands;
	const char *name;
	char letter;
	enum option_kind kind;
	size_t at;		    /* offset in struct options */
	const char *arg;	    /* how --help calls the value */
	const char *const *choices; /* when kind == OPTION_CHOICE */
	double standard;	    /* default: seconds, count (below min: see help), index of
				     * the choice */
	unsigned min;		    /* when kind == OPTION_COUNT */
	const char *help;
};

static const char *const formats[] = {
	[TUI_TEXT] = "text", [TUI_JSON] = "json", [TUI_HTML] = "html", [TUI_DOT] = "dot", NULL
};
static const char *const rank_formats[] = {
	[TUI_RANK_TEXT] = "text", [TUI_RANK_JSON] = "json", [TUI_RANK_CSV] = "csv", NULL
};
static const char *const schemes[] = {
	[RANK_BEST] = "best", [RANK_AVERAGE] = "average", [RANK_WORST] = "worst", NULL
};
static const char *const colors[] = {
	[TUI_COLOR_AUTO] = "auto",
	[TUI_COLOR_ALWAYS] = "always",
	[TUI_COLOR_NEVER] = "never",
	NULL,
};
static const char *const granularities[] = {
	[OPTIONS_BY_INSTANCE] = "instance",
	[OPTIONS_BY_ROW] = "row",
	[OPTIONS_BY_LINE] = "line",
	[OPTIONS_BY_FUNCTION] = "function",
	NULL,
};
static const char *const solvers[] = { [SMT_BITS] = "sat", [SMT_Z3] = "z3", NULL };
static const char *const engines[] = {
	[OPTIONS_ENGINE_STEP] = "step", [OPTIONS_ENGINE_JIT] = "jit", NULL
};

#define AT(field) offsetof(struct options, field)

static const struct option_row rows[] = {
	{ TEST | TRY, "stdin", 0, OPTION_FILE, AT(stdin_file), "FILE",
	  .help = "the test's standard input (none: empty)" },
	{ SUITE, "tests", 0, OPTION_FILE, AT(tests), "SUITE",
	  .help = "the tests: a file with one test a line, a shell command in which {} is PROG, "
		  "or PROG's arguments alone; or a folder of scripts, given PROG as $1" },
	{ SUITE, "golden", 0, OPTION_FILE, AT(golden), "PROGRAM",
	  .help = "a test passes that writes and exits as with this program instead of PROG "
		  "(without: that exits with status 0)" },
	{ SUITE, "expected", 0, OPTION_FILE, AT(expected), "DIR",
	  .help = "a test passes that writes what is in DIR/NAME.out, NAME being the test's" },
	{ RANK, "technique", 0, OPTION_FILE, AT(technique), "NAME",
	  .help = "what ranks: a formula's name, sbi, cbi, sober, des-cbi, des-sober, cp, "
		  "blockrank, all of these, several with commas; ofc, ofc+cw or joint, which "
		  "explain "
		  "failing tests (default: " RANKING_TECHNIQUE ")" },
	{ EXPLAIN, "technique", 0, OPTION_FILE, AT(technique), "NAME",
	  .help = "with --tests, the technique that says how suspicious a statement is: what is "
		  "more suspicious costs less to change, and comes first "
		  "(default: " RANKING_TECHNIQUE ")" },
	{ SUITE, "failing", 0, OPTION_FILE, AT(failing), "WHICH",
	  .help = "without ARGS, or for ofc, the failing tests to explain in one answer: all, so "
		  "many of them, or the name of one (default: " OPTIONS_FAILING ")" },
	{ EXPLAIN, "joint", 0, OPTION_FLAG, AT(joint),
	  .help = "of these, only what explains every one: sets that hold an explanation of each, "
		  "of programs with several faults, too" },
	{ RANK, "scheme", 0, OPTION_CHOICE, AT(scheme), "SCHEME", schemes, RANK_AVERAGE,
	  .help = "the rank of lines that tie" },
	{ SUITE, "jobs", 'j', OPTION_COUNT, AT(jobs), "N", .min = 1,
	  .help = "run N tests at once (default: one a processor)" },
	{ SUITE, "no-cache", 0, OPTION_FLAG, AT(no_cache),
	  .help = "run all tests, those too whose outcome is known from before" },
	{ RANK, "max-lines", 0, OPTION_COUNT, AT(max_lines), "N", .standard = 20, .min = 0,
	  .help = "show at most N lines, 0 = all" },
	{ RANK, "annotate", 0, OPTION_FLAG, AT(annotate),
	  .help = "show the source with scores at its margin" },
	{ ALL, "directory", 'C', OPTION_FILE, AT(directory), "DIR",
	  .help = "work as if started in DIR" },
	{ SEARCH, "timeout", 0, OPTION_SECONDS, AT(timeout), "SECONDS", .standard = 60,
	  .help = "stop the whole analysis after that long, with what was found" },
	{ SEARCH, "thorough", 0, OPTION_FLAG, AT(thorough),
	  .help = "look for explanations of several statements, and for difficult ones, until "
		  "--timeout is up; else, once something is proven, a quarter as long again "
		  "as single statements took" },
	{ ALL, "run-timeout", 0, OPTION_SECONDS, AT(run_timeout), "SECONDS", .standard = 10,
	  .help = "a single run of the test may take that long" },
	{ PRINT, "format", 0, OPTION_CHOICE, AT(format), "FORMAT", formats, TUI_TEXT,
	  .help = "how the answer is written" },
	{ RANK, "format", 0, OPTION_CHOICE, AT(format), "FORMAT", rank_formats, TUI_RANK_TEXT,
	  .help = "how the ranking is written" },
	{ PRINT | RANK, "output", 'o', OPTION_FILE, AT(output), "FILE",
	  .help = "write the answer to FILE instead of standard output" },
	{ SEARCH | RANK, "color", 0, OPTION_CHOICE, AT(color), "WHEN", colors, TUI_COLOR_AUTO,
	  .help = "colours; beats NO_COLOR, which beats the terminal" },
	{ PRINT, "stats", 0, OPTION_FLAG, AT(stats),
	  .help = "add time, counts and memory of each stage" },
	{ EXPLAIN, "stream", 0, OPTION_FLAG, AT(stream),
	  .help = "with --format json: write what is known on one line at each new explanation; "
		  "the last line is the answer" },
	{ EXPLAIN, "show-output", 0, OPTION_FLAG, AT(show_output),
	  .help = "afterwards print on standard error what the failing run itself printed" },
	{ SEARCH, "max-suspects", 0, OPTION_COUNT, AT(max_suspects), "N", .standard = 20, .min = 0,
	  .help = "show at most N explanations, 0 = all" },
	{ SEARCH, "max-size", 0, OPTION_COUNT, AT(max_size), "N", .standard = 5, .min = 1,
	  .help = "an explanation changes at most N statements" },
	{ SEARCH, "max-runs", 0, OPTION_COUNT, AT(max_runs), "N", .standard = 64, .min = 1,
	  .help = "run the test at most N times in all" },
	{ SEARCH, "max-unroll", 0, OPTION_COUNT, AT(max_unroll), "N", .standard = 8, .min = 1,
	  .help = "follow a loop that a forced run goes on in for N more rounds" },
	{ SEARCH, "granularity", 0, OPTION_CHOICE, AT(granularity), "UNIT", granularities,
	  OPTIONS_BY_LINE, .help = "what is changed as one" },
	{ SEARCH, "no-hijack", 0, OPTION_FLAG, AT(no_hijack),
	  .help = "do not run branches that the failing run did not take" },
	{ SEARCH, "hard-addresses", 0, OPTION_FLAG, AT(hard_addresses),
	  .help = "a changed statement still reads and writes where it did" },
	{ TEST | TRY, "trace-lib", 0, OPTION_FILES, AT(trace_libs), "PATH",
	  .help = "look into this shared library too; may be repeated" },
	{ TEST | TRY, "engine", 0, OPTION_CHOICE, AT(engine), "ENGINE", engines, OPTIONS_ENGINE_JIT,
	  .help = "how the run is recorded" },
	{ SEARCH, "solver", 0, OPTION_CHOICE, AT(solver), "SOLVER", solvers, SMT_BITS,
	  .help = "what answers questions about the formula" },
	{ TEST | TRY, "max-record", 0, OPTION_SIZE, AT(max_record), "SIZE",
	  .standard = 2.0 * (1u << 30),
	  .help = "record at most SIZE bytes (K, M, G) of what a thread did; the test runs on" },
	{ TEST, "window", 0, OPTION_SIZE, AT(window), "N",
	  .help = "keep only the last N (K, M, G) instructions of each thread, or some more; what "
		  "was "
		  "before counts as input" },
	{ SEARCH | TRY, "record", 0, OPTION_FILE, AT(record), "FILE",
	  .help = "answer from the record in FILE; PROG is then the program that was recorded, "
		  "where it is not in its place, and its arguments are the record's" },
	{ ASK, "at", 0, OPTION_FILE, AT(at), "STOP",
	  .help = "where the question is asked: FILE:LINE, FUNCTION, either with :COUNT for the "
		  "COUNT-th time, or failure (default: failure)" },
	{ ASK, "where", 0, OPTION_FILES, AT(where), "COND",
	  .help = "the stop is the first time, from the COUNT-th on, at which EXPR == VALUE holds "
		  "there; may be repeated" },
	{ ASK, "depth", 0, OPTION_COUNT, AT(depth), "N", .standard = 4, .min = 1,
	  .help = "follow causes N hops back" },
	{ RECORD, "output", 'o', OPTION_FILE, AT(output), "FILE",
	  .help = "write the record to FILE (default: PROG.why, here)" },
	{ RECORD, "no-program", 0, OPTION_FLAG, AT(no_program),
	  .help = "leave the program and its sources out of the record" },
	{ RECORD, "keep-env", 0, OPTION_FILES, AT(keep_env), "NAME",
	  .help = "record this environment variable's value too; may be repeated" },
	{ TRY, "flip", 0, OPTION_FILE, AT(flip), "STOP",
	  .help = "the first branch of FILE:LINE goes the other way, the COUNT-th time with "
		  ":COUNT" },
	{ TRY, "set", 0, OPTION_FILE, AT(set), "ASSIGNMENT",
	  .help = "LVALUE = VALUE, in C: a variable has that value at --at or --after" },
	{ TRY, "at", 0, OPTION_FILE, AT(at), "STOP",
	  .help = "with --set: FILE:LINE or FUNCTION, either with :COUNT for the COUNT-th time" },
	{ TRY, "after", 0, OPTION_FILE, AT(after), "STOP",
	  .help = "the same, when that line has been executed" },
	{ PANEL, "output", 'o', OPTION_FILE, AT(output), "FILE",
	  .help = "write the place chosen with `s', FILE:LINE, to FILE instead of standard "
		  "output" },
	{ EXPLAIN, "check", 0, OPTION_FLAG, AT(check),
	  .help = "only record the run and re-compute it, to check gdb-why itself" },
	{ TEST | TRY, "gdb", 0, OPTION_FILE, AT(gdb), "PATH",
	  .help = "the GDB to use (default: gdb)" },
};

static const struct {
	unsigned commands;
	int status;
	const char *meaning;
} statuses[] = {
	{ EXPLAIN, OPTIONS_EXIT_EXPLAINED,
	  "the failure is explained (--check: record and program agree)" },
	{ RECORD, OPTIONS_EXIT_EXPLAINED, "the failure is recorded" },
	{ ASK, OPTIONS_EXIT_EXPLAINED, "the question is answered" },
	{ RANK, OPTIONS_EXIT_EXPLAINED, "the lines are ranked" },
	{ PANEL, OPTIONS_EXIT_EXPLAINED, "the panel was left" },
	{ EXPLAIN | RECORD, OPTIONS_EXIT_PASSED, "the test did not fail" },
	{ ASK, OPTIONS_EXIT_PASSED,
	  "the test did not fail and no place was named, or the condition holds" },
	{ RANK, OPTIONS_EXIT_PASSED, "no test failed" },
	{ TRY, OPTIONS_EXIT_EXPLAINED, "it was run, and what changed was said" },
	{ TEST | TRY, OPTIONS_EXIT_USAGE,
	  "wrong usage, or the test could not be run: one line says why" },
	{ EXPLAIN, OPTIONS_EXIT_UNEXPLAINED, "the test failed; no explanation within the limits" },
	{ ASK, OPTIONS_EXIT_UNEXPLAINED, "there is no answer within the limits" },
	{ RECORD, OPTIONS_EXIT_UNEXPLAINED,
	  "the test failed, but by no assertion or not within the limits" },
	{ RANK, OPTIONS_EXIT_USAGE, "wrong usage, or no test could be run: one line says why" },
	{ RANK, OPTIONS_EXIT_NONE_PASSED, "no test passed: there is nothing to compare with" },
	{ TEST | TRY, OPTIONS_EXIT_INTERRUPTED, "interrupted" },
	{ RANK, OPTIONS_EXIT_INTERRUPTED,
	  "interrupted; the lines are ranked by the tests run so far" },
};

G_GNUC_PRINTF(2, 3)
static bool wrong_usage(GError **error, const char *format, ...)
{
	va_list args;
	g_autofree char *what = NULL;

	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error_literal(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    g_strdelimit(what, "\n", ' '));
	return false;
}

static bool read_size(const struct option_row *row, const char *text, guint64 *out, GError **error)
{
	static const char units[] = "KMG";
	size_t digits = strspn(text, "0123456789");
	const char *unit = text[digits] ? strchr(units, text[digits]) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	g_autofree char *number = g_strndup(text, digits);
	guint64 n = 0;

	if ((text[digits] && (!unit || text[digits + 1])) ||
	    !g_ascii_string_to_unsigned(number, 10, 1, G_MAXINT64 >> shift, &n, NULL))
		return wrong_usage(error, "--%s takes a number %ssuch as 500M or 2G, not `%s'",
				   row->name, row->standard > 0 ? "of bytes " : "", text);
	*out = n << shift;
	return true;
}

static void *field_of(struct options *o, const struct option_row *row)
{
	return (char *)o + row->at;
}

static bool read_seconds(const struct option_row *row, const char *text, double *out,
			 GError **error)
{
	char *end;
	double seconds = g_ascii_strtod(text, &end);

	if (end == text || *end || !(seconds > 0 && seconds <= 1e9))
		return wrong_usage(error, "--%s takes a number of seconds above 0, not `%s'",
				   row->name, text);
	*out = seconds;
	return true;
}

static bool read_count(const struct option_row *row, const char *text, unsigned *out,
		       GError **error)
{
	guint64 n;

	if (!g_ascii_string_to_unsigned(text, 10, row->min, G_MAXINT32, &n, NULL))
		return wrong_usage(error, "--%s takes a whole number from %u on, not `%s'",
				   row->name, row->min, text);
	*out = (unsigned)n;
	return true;
}

static bool read_choice(const struct option_row *row, const char *text, int *out, GError **error)
{
	g_autofree char *all = NULL;

	for (int i = 0; row->choices[i]; i++) {
		if (strcmp(row->choices[i], text) == 0) {
			*out = i;
			return true;
		}
	}
	all = g_strjoinv(", ", (char **)row->choices);
	return wrong_usage(error, "--%s is one of %s, not `%s'", row->name, all, text);
}

/* What GOption has put down, as text: values are read by us, so that every
 * mistake is told in the same words. */
union raw {
	gboolean flag;
	char *text;
	char **texts;
};

static bool read_value(const struct option_row *row, union raw *raw, struct options *o,
		       GError **error)
{
	void *field = field_of(o, row);

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)field = raw->flag;
		return true;
	case OPTION_FILE:
		if (raw->text && !*raw->text)
			return wrong_usage(error, "--%s needs a name, not an empty word",
					   row->name);
		*(char **)field = g_steal_pointer(&raw->text);
		return true;
	case OPTION_FILES:
		*(char ***)field = g_steal_pointer(&raw->texts);
		return true;
	case OPTION_SECONDS:
		*(double *)field = row->standard;
		return !raw->text || read_seconds(row, raw->text, field, error);
	case OPTION_COUNT:
		*(unsigned *)field = (unsigned)row->standard;
		return !raw->text || read_count(row, raw->text, field, error);
	case OPTION_SIZE:
		*(guint64 *)field = (guint64)row->standard;
		return !raw->text || read_size(row, raw->text, field, error);
	case OPTION_CHOICE:
		*(int *)field = (int)row->standard;
		return !raw->text || read_choice(row, raw->text, field, error);
	}
	g_assert_not_reached();
}

static void raw_clear(union raw *raw)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (rows[i].kind == OPTION_FILES)
			g_strfreev(raw[i].texts);
		else if (rows[i].kind != OPTION_FLAG)
			g_free(raw[i].text);
	}
}

/* The command of that name, OPTIONS_HELP: there is none. */
static enum options_command command_named(const char *word)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(names[i], word) == 0)
			return (enum options_command)i;
	return OPTIONS_HELP;
}

static bool takes(enum options_command command, const struct option_row *row)
{
	return row->commands & 1u << command;
}

static bool split_options_from_program(enum options_command command, int *argc, char ***argv,
				       union raw *raw, bool *help, GError **error)
{
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) wrong = NULL;
	GOptionEntry entries[G_N_ELEMENTS(rows) + 2] = { 0 };
	gboolean wanted = FALSE;
	size_t n = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (!takes(command, &rows[i]))
			continue;
		entries[n].long_name = rows[i].name;
		entries[n].short_name = rows[i].letter;
		entries[n].arg = rows[i].kind == OPTION_FLAG	? G_OPTION_ARG_NONE
				 : rows[i].kind == OPTION_FILES ? G_OPTION_ARG_FILENAME_ARRAY
								: G_OPTION_ARG_FILENAME;
		entries[n++].arg_data = &raw[i];
	}
	entries[n] = (GOptionEntry){ "help", 'h', 0, G_OPTION_ARG_NONE, &wanted, NULL, NULL };
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_set_strict_posix(context, TRUE);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, argc, argv, &wrong))
		return wrong_usage(error, "%s", wrong->message);
	*help = wanted;
	return true;
}

/* Before the `--': the question's words, as one line.  They are taken off. */
static bool read_question(char ***rest, struct options *o, GError **error)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	while (**rest && strcmp(**rest, "--") != 0)
		g_ptr_array_add(words, *(*rest)++);
	g_ptr_array_add(words, NULL);
	o->question = g_strjoinv(" ", (char **)words->pdata);
	g_strstrip(o->question);
	if (!*o->question)
		return wrong_usage(error,
				   "no question was asked: gdb-why ask [options] QUESTION -- "
				   "PROG ARGS..., as in gdb-why ask why x -- ./test");
	if (**rest)
		(*rest)++;
	else if (!o->record)
		return wrong_usage(error, "`--' and the program are missing after the question: "
					  "gdb-why ask why x -- PROG ARGS...");
	return true;
}

static bool check_rank(char **rest, struct options *o, GError **error)
{
	if (!o->tests)
		return wrong_usage(error, "there are no tests; name a file with one test a line: "
					  "gdb-why rank --tests SUITE -- PROG");
	if (o->golden && o->expected)
		return wrong_usage(error, "--golden and --expected both say what passes; leave one "
					  "of them out");
	if (o->annotate && o->format != TUI_RANK_TEXT)
		return wrong_usage(error, "--annotate is for people; leave --format out with it");
	if (rest[0] && rest[1])
		return wrong_usage(error, "arguments are the suite's; name the program alone: "
					  "gdb-why rank --tests SUITE -- PROG");
	if (!o->technique)
		o->technique = g_strdup(RANKING_TECHNIQUE);
	return true;
}

static bool check_explain(char **rest, const struct options *o, GError **error)
{
	bool own = (rest[0] && rest[1]) || o->stdin_file;
	const char *needs = o->golden	   ? "golden"
			    : o->expected  ? "expected"
			    : o->technique ? "technique"
			    : o->jobs	   ? "jobs"
			    : o->no_cache  ? "no-cache"
			    : o->failing   ? "failing"
			    : o->joint	   ? "joint"
					   : NULL;

	if (!o->tests && needs)
		return wrong_usage(error, "--%s is about --tests SUITE; name one, or leave it out",
				   needs);
	if (o->tests && o->record)
		return wrong_usage(error, "--tests runs the program; leave it out with --record");
	if (o->tests && o->check)
		return wrong_usage(error, "--check is about one run; leave --tests out with it");
	if (o->tests && (o->failing || o->joint) && own)
		return wrong_usage(error,
				   "--%s is about tests of the suite; leave PROG's "
				   "arguments and --stdin out with it",
				   o->failing ? "failing" : "joint");
	if (o->tests && o->window && !own)
		return wrong_usage(error, "--window keeps the end of one run; give PROG the "
					  "arguments of the test to explain");
	if (o->golden && o->expected)
		return wrong_usage(error, "--golden and --expected both say what passes; leave one "
					  "of them out");
	return true;
}

/* The words that are the program's. */
static bool read_program(char **rest, struct options *o, GError **error)
{
	if (o->record && (o->stdin_file || o->trace_libs))
		return wrong_usage(error, "--%s is the record's; leave it out with --record",
				   o->stdin_file ? "stdin" : "trace-lib");
	if (o->record && o->window)
		return wrong_usage(error, "--window is for recording; leave it out with --record");
	if (o->record && rest[0] && rest[1])
		return wrong_usage(error, "the arguments are the record's; name the program alone: "
					  "gdb-why explain --record FILE [--] [PROG]");
	if (!rest[0] && !o->record)
		return wrong_usage(error,
				   "no program to %s was given: gdb-why %s [options] -- PROG%s",
				   names[o->command], names[o->command],
				   o->command == OPTIONS_RANK ? "" : " ARGS...");
	if (rest[0] && !rest[0][0])
		return wrong_usage(error, "the program's name is empty");
	if (o->stream && (o->format != TUI_JSON || o->output || o->check))
		return wrong_usage(error,
				   "--stream writes lines of JSON to standard output; say "
				   "--format json, and neither --output nor --check, with it");
	if (o->command == OPTIONS_TRY &&
	    (!o->flip == !o->set || (o->at && o->after) || !o->set != !(o->at || o->after)))
		return wrong_usage(error, "say what is tried: --flip FILE:LINE, or --set 'LVALUE = "
					  "VALUE' and --at or --after FILE:LINE");
	if (o->command == OPTIONS_RANK && !check_rank(rest, o, error))
		return false;
	if (o->command == OPTIONS_EXPLAIN && !check_explain(rest, o, error))
		return false;
	o->program = g_strdupv(rest);
	return true;
}

/* The options that these commands take as well as PANEL, as they were given. */
static char **options_given(const union raw *raw, unsigned commands)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const struct option_row *row = &rows[i];

		if (~row->commands & (PANEL | commands))
			continue;
		if (row->kind == OPTION_FLAG && raw[i].flag)
			g_ptr_array_add(words, g_strconcat("--", row->name, NULL));
		for (char **text = raw[i].texts; row->kind == OPTION_FILES && text && *text; text++)
			g_ptr_array_add(words, g_strconcat("--", row->name, "=", *text, NULL));
		if (row->kind != OPTION_FLAG && row->kind != OPTION_FILES && raw[i].text)
			g_ptr_array_add(words,
					g_strconcat("--", row->name, "=", raw[i].text, NULL));
	}
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&words), FALSE);
}

static bool parse_command(int *argc, char ***argv, struct options *o, GError **error)
{
	union raw raw[G_N_ELEMENTS(rows)] = { 0 };
	enum options_command command = o->command;
	bool help = false;
	bool ok = split_options_from_program(command, argc, argv, raw, &help, error);
	char **rest;

	if (ok && command == OPTIONS_PANEL) {
		o->given = options_given(raw, PRINT);
		o->given_try = options_given(raw, TRY);
	}
	/* what is not for this command has its default, for what it does on the way */
	for (size_t i = 0; ok && i < G_N_ELEMENTS(rows); i++)
		ok = takes(command, &rows[i]) || read_value(&rows[i], &raw[i], o, error);
	for (size_t i = 0; ok && i < G_N_ELEMENTS(rows); i++)
		ok = !takes(command, &rows[i]) || read_value(&rows[i], &raw[i], o, error);
	raw_clear(raw);
	if (!ok)
		return false;
	if (help) {
		o->command = OPTIONS_HELP;
		o->help_on = command;
		return true;
	}
	/* GOption leaves `--' in when a word follows that looks like an option. */
	rest = *argv + 1;
	if (command == OPTIONS_ASK && !read_question(&rest, o, error))
		return false;
	if (command != OPTIONS_ASK && *argc > 1 && strcmp(rest[0], "--") == 0)
		rest++;
	if (!o->gdb)
		o->gdb = g_strdup("gdb");
	return read_program(rest, o, error);
}

static bool parse_help(int argc, char **argv, struct options *o, GError **error)
{
	o->command = o->help_on = OPTIONS_HELP;
	if (argc > 2)
		o->help_on = command_named(argv[2]);
	if (argc > 3 || (argc == 3 && o->help_on == OPTIONS_HELP))
		return wrong_usage(error, "there is no help on `%s'", argv[argc > 3 ? 3 : 2]);
	return true;
}

static void begin_session(char ***argv, struct options *o)
{
	o->command = OPTIONS_SESSION;
	o->words = g_strdupv(*argv + 1);
}

static void say_where_help_is(enum options_command command, GError **error)
{
	g_autofree char *said = error ? (*error)->message : NULL;

	if (error)
		(*error)->message = g_strdup_printf(
			"%s; `gdb-why help %s' lists the options", said,
			names[command < G_N_ELEMENTS(names) ? command : OPTIONS_EXPLAIN]);
}

bool options_parse(int *argc, char ***argv, struct options *o, GError **error)
{
	struct options parsed = { 0 };
	const char *word = *argc > 1 ? (*argv)[1] : NULL;
	bool ok = true;

	if (!word) {
		begin_session(argv, &parsed);
	} else if (command_named(word) != OPTIONS_HELP) {
		parsed.command = command_named(word);
		(*argv)[1] = (*argv)[0];
		(*argv)++;
		(*argc)--;
		ok = parse_command(argc, argv, &parsed, error);
	} else if (strcmp(word, "help") == 0) {
		ok = parse_help(*argc, *argv, &parsed, error);
	} else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
		parsed.command = parsed.help_on = OPTIONS_HELP;
	} else if (strcmp(word, "--version") == 0) {
		parsed.command = OPTIONS_VERSION;
		parsed.help_on = OPTIONS_HELP;
	} else if (word[0] == '-' || g_file_test(word, G_FILE_TEST_EXISTS)) {
		begin_session(argv, &parsed);
	} else {
		ok = wrong_usage(
			error,
			"there is no command or program `%s'; to explain a failing program: "
			"gdb-why explain -- PROG ARGS...",
			word);
	}
	if (!ok) {
		say_where_help_is(parsed.command, error);
		options_clear(&parsed);
		return false;
	}
	*o = parsed;
	return true;
}

void options_clear(struct options *o)
{
	g_strfreev(o->words);
	g_strfreev(o->given);
	g_strfreev(o->given_try);
	g_free(o->flip);
	g_free(o->set);
	g_free(o->after);
	g_strfreev(o->program);
	g_strfreev(o->trace_libs);
	g_strfreev(o->keep_env);
	g_strfreev(o->where);
	g_free(o->record);
	g_free(o->tests);
	g_free(o->golden);
	g_free(o->expected);
	g_free(o->technique);
	g_free(o->failing);
	g_free(o->stdin_file);
	g_free(o->directory);
	g_free(o->output);
	g_free(o->question);
	g_free(o->at);
	g_free(o->gdb);
	memset(o, 0, sizeof *o);
}

enum { HELP_COLUMN = 29, HELP_WIDTH = 79 };

static void append_wrapped(GString *out, const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	size_t column = HELP_COLUMN;

	for (char **w = words; *w; w++) {
		if (column + 1 + strlen(*w) > HELP_WIDTH) {
			g_string_append_printf(out, "\n%*s", HELP_COLUMN - 1, "");
			column = HELP_COLUMN;
		}
		g_string_append_printf(out, " %s", *w);
		column += 1 + strlen(*w);
	}
	g_string_append_c(out, '\n');
}

static char *describe_default(const struct option_row *row)
{
	g_autofree char *all = NULL;

	switch (row->kind) {
	case OPTION_CHOICE:
		all = g_strjoinv("|", (char **)row->choices);
		return g_strdup_printf(": %s (default: %s)", all, row->choices[(int)row->standard]);
	case OPTION_SIZE:
		return row->standard > 0
			       ? g_strdup_printf(" (default: %gG)", row->standard / (1u << 30))
			       : g_strdup(" (default: all)");
	case OPTION_SECONDS:
		return g_strdup_printf(" (default: %g)", row->standard);
	case OPTION_COUNT:
		if (row->standard >= row->min)
			return g_strdup_printf(" (default: %g)", row->standard);
		return g_strdup("");
	default:
		return g_strdup("");
	}
}

static void describe_option(const struct option_row *row, GString *out)
{
	char letter[] = { row->letter ? '-' : ' ', row->letter ? row->letter : ' ',
			  row->letter ? ',' : ' ', '\0' };
	g_autofree char *left = g_strdup_printf("  %s --%s%s%s", letter, row->name,
						row->arg ? " " : "", row->arg ? row->arg : "");
	g_autofree char *standard = describe_default(row);
	g_autofree char *right = g_strconcat(row->help, standard, NULL);

	g_string_append_printf(out, "%-*s", HELP_COLUMN - 1, left);
	append_wrapped(out, right);
}

static void append_keys(GString *out)
{
	g_autofree char *keys = panel_keys_help();
	g_auto(GStrv) lines = g_strsplit(keys, "\n", -1);

	g_string_append(out, "\nKeys:\n");
	for (char **line = lines; **line; line++)
		g_string_append_printf(out, "  %s\n", *line);
}

static char *help_on(enum options_command command)
{
	static const char explain[] =
		"Usage: gdb-why explain [options] [--] PROG ARGS...\n"
		"       gdb-why explain [options] --record FILE [--] [PROG]\n"
		"       gdb-why explain [options] --tests SUITE [--] PROG [ARGS...]\n"
		"\n"
		"Runs PROG, a program built with -g that fails an assertion, under GDB, and\n"
		"says which statements could have been otherwise so that it would have passed.\n"
		"With --record, answers from what `gdb-why record' wrote.\n"
		"With --tests, weighs statements by what the tests of SUITE did, the likely ones\n"
		"first; without ARGS the failing test is one of SUITE, too.\n"
		"Everything after `--' or after the first word that is no option is PROG's.\n";
	static const char record[] =
		"Usage: gdb-why record [options] [--] PROG ARGS...\n"
		"\n"
		"Runs PROG, a program built with -g that fails an assertion, once under GDB, and\n"
		"writes what happened to a file that `gdb-why explain --record FILE' explains,\n"
		"later or elsewhere.  The file holds PROG, its sources, arguments and input, and\n"
		"the data that it worked on.\n"
		"Everything after `--' or after the first word that is no option is PROG's.\n";
	static const char ask[] =
		"Usage: gdb-why ask [options] QUESTION -- PROG ARGS...\n"
		"       gdb-why ask [options] --record FILE QUESTION [-- PROG]\n"
		"\n"
		"Runs PROG, a program built with -g, under GDB, and answers a question about that\n"
		"run where it failed, or at the stop that --at names:\n"
		"\n"
		"  why                  as gdb-why explain\n"
		"  why EXPR             why EXPR, in C, has its value: the assignments and\n"
		"                       decisions that made it so, back to inputs and constants\n"
		"  why not COND         which statements could have been otherwise so that COND, "
		"in\n"
		"                       C, would hold there\n"
		"  why line N           which decisions led to line N of the file, or FILE:N\n"
		"  why not line N       which decisions led away from it\n"
		"\n"
		"The question ends at `--'.  Quote what the shell would take for itself.\n";
	static const char rank[] =
		"Usage: gdb-why rank --tests SUITE [options] [--] PROG\n"
		"\n"
		"Runs PROG, built with -g, with all tests of SUITE, and ranks its lines by what\n"
		"the failing and the passing tests executed: the most suspicious first.\n";
	static const char panel[] =
		"Usage: gdb-why panel [options] [--] PROG ARGS...\n"
		"       gdb-why panel [options] --record FILE [--] [PROG]\n"
		"\n"
		"As gdb-why explain, on a screen of its own: the source, the explanations as they\n"
		"are found, the way from each to the failure, and answers to further questions.\n"
		"Where there is no terminal that this could run on, the answer is printed.\n";
	static const char try[] =
		"Usage: gdb-why try [options] --flip FILE:LINE[:COUNT] [--] PROG ARGS...\n"
		"       gdb-why try [options] --set 'LVALUE = VALUE' --at STOP [--] PROG ARGS...\n"
		"\n"
		"Runs PROG, built with -g, once more with one branch turned or one variable\n"
		"changed, in the cage, and says what that changes: how it ends, what it prints.\n";
	static const char *const texts[] = {
		[OPTIONS_EXPLAIN] = explain, [OPTIONS_RECORD] = record, [OPTIONS_ASK] = ask,
		[OPTIONS_RANK] = rank,	     [OPTIONS_PANEL] = panel,	[OPTIONS_TRY] = try,
	};
	GString *out = g_string_new(texts[command]);

	g_string_append(out, "\nOptions:\n");
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		if (takes(command, &rows[i]))
			describe_option(&rows[i], out);
	g_string_append(out, "  -h, --help                 this text\n");
	if (command == OPTIONS_PANEL)
		append_keys(out);
	g_string_append(out, "\nExit status:\n");
	for (size_t i = 0; i < G_N_ELEMENTS(statuses); i++)
		if (statuses[i].commands & 1u << command)
			g_string_append_printf(out, "  %-3d  %s\n", statuses[i].status,
					       statuses[i].meaning);
	return g_string_free(out, FALSE);
}

char *options_help(const struct options *o)
{
	if (o->help_on < OPTIONS_HELP)
		return help_on(o->help_on);
	return g_strdup(
		"Usage: gdb-why [GDB's options] [--args] PROG ARGS...\n"
		"       gdb-why explain [options] [--] PROG ARGS...\n"
		"       gdb-why explain [options] --record FILE [--] [PROG]\n"
		"       gdb-why explain [options] --tests SUITE [--] PROG [ARGS...]\n"
		"       gdb-why record [options] [--] PROG ARGS...\n"
		"       gdb-why ask [options] QUESTION -- PROG ARGS...\n"
		"       gdb-why panel [options] [--] PROG ARGS...\n"
		"       gdb-why rank --tests SUITE [options] [--] PROG\n"
		"       gdb-why try --flip FILE:LINE [options] [--] PROG ARGS...\n"
		"       gdb-why help [explain|record|ask|rank|panel|try]\n"
		"       gdb-why --help | --version\n"
		"\n"
		"gdb-why says why a native program failed: short, causal and proven.\n"
		"\n"
		"Without a command: GDB's prompt, with all of its commands, and at each stop\n"
		"`why', `why EXPR', `why not COND' and others (`help why' there lists them).\n"
		"\n"
		"Commands:\n"
		"  explain   run a failing test and explain its failure\n"
		"  record    run a failing test and write a record, to be explained later\n"
		"  ask       answer a question about a run: why x, why not x > 3, why line 40\n"
		"  panel     explain on a screen of its own, to look around in\n"
		"  rank      run a test suite and rank the program's lines by suspicion\n"
		"  try       run a test with a branch turned or a variable changed\n"
		"  help      this text; help explain, help record, ...: all options\n"
		"\n"
		"Try: gdb-why explain -- ./test-of-mine 0 0\n");
}

char *options_version(void)
{
	return g_strdup("gdb-why " GDB_WHY_VERSION "\n"
			"License GPLv3+: GNU GPL version 3 or later "
			"<https://gnu.org/licenses/gpl.html>.\n"
			"This is free software: you are free to change and redistribute it.\n"
			"There is NO WARRANTY, to the extent permitted by law.\n");
}
