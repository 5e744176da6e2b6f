/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/options.h"

#include "solver/formula/smt.h"

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
	OPTION_CHOICE,	/* int: index into choices */
};

struct option_row {
	const char *name;
	char letter;
	enum option_kind kind;
	size_t at;		    /* offset in struct options */
	const char *arg;	    /* how --help calls the value */
	const char *const *choices; /* when kind == OPTION_CHOICE */
	double standard;	    /* default: seconds, count, index of the choice */
	unsigned min;		    /* when kind == OPTION_COUNT */
	const char *help;
};

static const char *const formats[] = { [TUI_TEXT] = "text", [TUI_JSON] = "json", NULL };
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
static const char *const engines[] = { [OPTIONS_ENGINE_STEP] = "step", NULL };

#define AT(field) offsetof(struct options, field)

static const struct option_row rows[] = {
	{ "stdin", 0, OPTION_FILE, AT(stdin_file), "FILE",
	  .help = "the test's standard input (none: empty)" },
	{ "directory", 'C', OPTION_FILE, AT(directory), "DIR",
	  .help = "work as if started in DIR" },
	{ "timeout", 0, OPTION_SECONDS, AT(timeout), "SECONDS", .standard = 60,
	  .help = "stop the whole analysis after that long, with what was found" },
	{ "thorough", 0, OPTION_FLAG, AT(thorough),
	  .help = "look for explanations of several statements, and for difficult ones, until "
		  "--timeout is up; else, once something is proven, a quarter as long again "
		  "as single statements took" },
	{ "run-timeout", 0, OPTION_SECONDS, AT(run_timeout), "SECONDS", .standard = 10,
	  .help = "a single run of the test may take that long" },
	{ "format", 0, OPTION_CHOICE, AT(format), "FORMAT", formats, TUI_TEXT,
	  .help = "how the answer is written" },
	{ "output", 'o', OPTION_FILE, AT(output), "FILE",
	  .help = "write the answer to FILE instead of standard output" },
	{ "color", 0, OPTION_CHOICE, AT(color), "WHEN", colors, TUI_COLOR_AUTO,
	  .help = "colours; beats NO_COLOR, which beats the terminal" },
	{ "stats", 0, OPTION_FLAG, AT(stats), .help = "add time, counts and memory of each stage" },
	{ "show-output", 0, OPTION_FLAG, AT(show_output),
	  .help = "afterwards print what the failing run itself printed" },
	{ "max-suspects", 0, OPTION_COUNT, AT(max_suspects), "N", .standard = 20, .min = 0,
	  .help = "show at most N explanations, 0 = all" },
	{ "max-size", 0, OPTION_COUNT, AT(max_size), "N", .standard = 5, .min = 1,
	  .help = "an explanation changes at most N statements" },
	{ "max-runs", 0, OPTION_COUNT, AT(max_runs), "N", .standard = 64, .min = 1,
	  .help = "run the test at most N times in all" },
	{ "max-unroll", 0, OPTION_COUNT, AT(max_unroll), "N", .standard = 8, .min = 1,
	  .help = "follow a loop that a forced run goes on in for N more rounds" },
	{ "granularity", 0, OPTION_CHOICE, AT(granularity), "UNIT", granularities, OPTIONS_BY_LINE,
	  .help = "what is changed as one" },
	{ "no-hijack", 0, OPTION_FLAG, AT(no_hijack),
	  .help = "do not run branches that the failing run did not take" },
	{ "hard-addresses", 0, OPTION_FLAG, AT(hard_addresses),
	  .help = "a changed statement still reads and writes where it did" },
	{ "trace-lib", 0, OPTION_FILES, AT(trace_libs), "PATH",
	  .help = "look into this shared library too; may be repeated" },
	{ "engine", 0, OPTION_CHOICE, AT(engine), "ENGINE", engines, OPTIONS_ENGINE_STEP,
	  .help = "how the run is recorded" },
	{ "solver", 0, OPTION_CHOICE, AT(solver), "SOLVER", solvers, SMT_BITS,
	  .help = "what answers questions about the formula" },
	{ "check", 0, OPTION_FLAG, AT(check),
	  .help = "only record the run and re-compute it, to check gdb-why itself" },
	{ "gdb", 0, OPTION_FILE, AT(gdb), "PATH", .help = "the GDB to use (default: gdb)" },
};

static const struct {
	int status;
	const char *meaning;
} statuses[] = {
	{ OPTIONS_EXIT_EXPLAINED, "the failure is explained (--check: record and program agree)" },
	{ OPTIONS_EXIT_PASSED, "the test did not fail" },
	{ OPTIONS_EXIT_USAGE, "wrong usage, or the test could not be run: one line says why" },
	{ OPTIONS_EXIT_UNEXPLAINED, "the test failed; no explanation within the limits" },
	{ OPTIONS_EXIT_INTERRUPTED, "interrupted" },
};

G_GNUC_PRINTF(2, 3)
static bool wrong_usage(GError **error, const char *format, ...)
{
	va_list args;
	g_autofree char *what = NULL;

	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		    "%s; `gdb-why help explain' lists the options", g_strdelimit(what, "\n", ' '));
	return false;
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

static bool split_options_from_program(int *argc, char ***argv, union raw *raw, bool *help,
				       GError **error)
{
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) wrong = NULL;
	GOptionEntry entries[G_N_ELEMENTS(rows) + 2] = { 0 };
	gboolean wanted = FALSE;

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		entries[i].long_name = rows[i].name;
		entries[i].short_name = rows[i].letter;
		entries[i].arg = rows[i].kind == OPTION_FLAG	? G_OPTION_ARG_NONE
				 : rows[i].kind == OPTION_FILES ? G_OPTION_ARG_FILENAME_ARRAY
								: G_OPTION_ARG_FILENAME;
		entries[i].arg_data = &raw[i];
	}
	entries[G_N_ELEMENTS(rows)] =
		(GOptionEntry){ "help", 'h', 0, G_OPTION_ARG_NONE, &wanted, NULL, NULL };
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_set_strict_posix(context, TRUE);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, argc, argv, &wrong))
		return wrong_usage(error, "%s", wrong->message);
	*help = wanted;
	return true;
}

static bool parse_explain(int *argc, char ***argv, struct options *o, GError **error)
{
	union raw raw[G_N_ELEMENTS(rows)] = { 0 };
	bool help = false;
	bool ok = split_options_from_program(argc, argv, raw, &help, error);
	char **rest;

	for (size_t i = 0; ok && i < G_N_ELEMENTS(rows); i++)
		ok = read_value(&rows[i], &raw[i], o, error);
	raw_clear(raw);
	if (!ok)
		return false;
	if (help) {
		o->command = OPTIONS_HELP;
		o->help_explain = true;
		return true;
	}
	/* GOption leaves `--' in when a word follows that looks like an option. */
	rest = *argv + 1;
	if (*argc > 1 && strcmp(rest[0], "--") == 0)
		rest++;
	if (rest >= *argv + *argc)
		return wrong_usage(error, "no program to explain was given: gdb-why explain "
					  "[options] -- PROG ARGS...");
	if (!rest[0][0])
		return wrong_usage(error, "the program's name is empty");
	o->program = g_strdupv(rest);
	if (!o->gdb)
		o->gdb = g_strdup("gdb");
	return true;
}

static bool parse_help(int argc, char **argv, struct options *o, GError **error)
{
	o->command = OPTIONS_HELP;
	o->help_explain = argc > 2 && strcmp(argv[2], "explain") == 0;
	if (argc > 3 || (argc == 3 && !o->help_explain))
		return wrong_usage(error, "there is no help on `%s'", argv[argc > 3 ? 3 : 2]);
	return true;
}

bool options_parse(int *argc, char ***argv, struct options *o, GError **error)
{
	struct options parsed = { 0 };
	const char *word = *argc > 1 ? (*argv)[1] : NULL;
	bool ok = true;

	if (!word) {
		ok = wrong_usage(error, "say what to do: gdb-why explain -- PROG ARGS...");
	} else if (strcmp(word, "explain") == 0) {
		(*argv)[1] = (*argv)[0];
		(*argv)++;
		(*argc)--;
		parsed.command = OPTIONS_EXPLAIN;
		ok = parse_explain(argc, argv, &parsed, error);
	} else if (strcmp(word, "help") == 0) {
		ok = parse_help(*argc, *argv, &parsed, error);
	} else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
		parsed.command = OPTIONS_HELP;
	} else if (strcmp(word, "--version") == 0) {
		parsed.command = OPTIONS_VERSION;
	} else {
		ok = wrong_usage(error,
				 "there is no %s `%s'; to explain a failing program: "
				 "gdb-why explain -- PROG ARGS...",
				 word[0] == '-' ? "option" : "command", word);
	}
	if (!ok) {
		options_clear(&parsed);
		return false;
	}
	*o = parsed;
	return true;
}

void options_clear(struct options *o)
{
	g_strfreev(o->program);
	g_strfreev(o->trace_libs);
	g_free(o->stdin_file);
	g_free(o->directory);
	g_free(o->output);
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
	case OPTION_SECONDS:
	case OPTION_COUNT:
		return g_strdup_printf(" (default: %g)", row->standard);
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

static char *help_on_explain(void)
{
	GString *out = g_string_new(
		"Usage: gdb-why explain [options] [--] PROG ARGS...\n"
		"\n"
		"Runs PROG, a program built with -g that fails an assertion, under GDB, and\n"
		"says which statements could have been otherwise so that it would have passed.\n"
		"Everything after `--' or after the first word that is no option is PROG's.\n"
		"\n"
		"Options:\n");

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		describe_option(&rows[i], out);
	g_string_append(out, "  -h, --help                 this text\n"
			     "\n"
			     "Exit status:\n");
	for (size_t i = 0; i < G_N_ELEMENTS(statuses); i++)
		g_string_append_printf(out, "  %-3d  %s\n", statuses[i].status,
				       statuses[i].meaning);
	return g_string_free(out, FALSE);
}

char *options_help(const struct options *o)
{
	if (o->help_explain)
		return help_on_explain();
	return g_strdup("Usage: gdb-why explain [options] [--] PROG ARGS...\n"
			"       gdb-why help [explain]\n"
			"       gdb-why --help | --version\n"
			"\n"
			"gdb-why says why a native program failed: short, causal and proven.\n"
			"\n"
			"Commands:\n"
			"  explain   run a failing test and explain its failure\n"
			"  help      this text; help explain: all options\n"
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
