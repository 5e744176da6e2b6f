/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/options/options-private.h"

#include "tui/report/rank/rank.h"

#include <string.h>

G_DEFINE_QUARK(gdb - why - options, options_error)

bool options_wrong(GError **error, const char *format, ...)
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

/* Reads --follow: it names a program that the command starts, or says which process. */
static void read_follow(struct options *o)
{
	static const char *const words[] = { [OPTIONS_FOLLOW_FAILED] = "failed",
					     [OPTIONS_FOLLOW_CHILD] = "child",
					     [OPTIONS_FOLLOW_PARENT] = "parent" };

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_strcmp0(o->follow_program, words[i]) == 0) {
			o->follow = (int)i;
			g_clear_pointer(&o->follow_program, g_free);
		}
}

/* The command of that name, OPTIONS_HELP: there is none. */
static enum options_command command_named(const char *word)
{
	for (unsigned i = 0; i < (size_t)N_OPTION_NAMES; i++)
		if (strcmp(option_names[i], word) == 0)
			return (enum options_command)i;
	return OPTIONS_HELP;
}

static bool split_options_from_program(enum options_command command, int *argc, char ***argv,
				       union option_raw *raw, bool *help, GError **error)
{
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) wrong = NULL;
	GOptionEntry entries[MOST_OPTIONS + 2] = { 0 };
	gboolean wanted = FALSE;
	size_t n = 0;

	for (size_t i = 0; i < n_option_rows; i++) {
		if (!option_is_for(&option_rows[i], command))
			continue;
		entries[n].long_name = option_rows[i].name;
		entries[n].short_name = option_rows[i].letter;
		entries[n].arg = option_rows[i].kind == OPTION_FLAG    ? G_OPTION_ARG_NONE
				 : option_rows[i].kind == OPTION_FILES ? G_OPTION_ARG_FILENAME_ARRAY
								       : G_OPTION_ARG_FILENAME;
		entries[n++].arg_data = &raw[i];
	}
	entries[n] = (GOptionEntry){ "help", 'h', 0, G_OPTION_ARG_NONE, &wanted, NULL, NULL };
	g_option_context_set_help_enabled(context, FALSE);
	/* no program of the user's follows, so options may stand anywhere */
	g_option_context_set_strict_posix(context,
					  command != OPTIONS_LESSON && command != OPTIONS_EVALUATE);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, argc, argv, &wrong))
		return options_wrong(error, "%s", wrong->message);
	*help = wanted;
	return true;
}

/* The word at *text, copied, and *text behind it and the blanks that follow. */
static char *take_option_word(const char **text)
{
	size_t n = strcspn(*text, " \t\n");
	char *word = g_strndup(*text, n);

	*text += n;
	*text += strspn(*text, " \t\n");
	return word;
}

/* Takes an option and its number off the question; false: it begins with something else. */
static bool take_question_option(struct options *o, const char **text)
{
	const char *rest = *text;
	g_autofree char *name = take_option_word(&rest), *number = NULL;
	guint64 depth;

	if (strcmp(name, "--all") == 0) {
		o->all = true;
		*text = rest;
		return true;
	}
	number = take_option_word(&rest);
	if ((strcmp(name, "-d") == 0 || strcmp(name, "--depth") == 0) &&
	    g_ascii_string_to_unsigned(number, 10, 1, G_MAXUINT32, &depth, NULL)) {
		o->depth = (unsigned)depth;
	} else if (strcmp(name, "--row") == 0 && g_ascii_isdigit(*number)) {
		g_free(o->row);
		o->row = g_steal_pointer(&number);
	} else {
		return false;
	}
	*text = rest;
	return true;
}

/* "why -d 6 --row 4 x": in GDB there is no other place for them, and they are no C. */
static void take_question_options(struct options *o)
{
	const char *rest = o->question + strlen("why ");
	char *question;

	if (!g_str_has_prefix(o->question, "why "))
		return;
	rest += strspn(rest, " \t\n");
	while (take_question_option(o, &rest))
		;
	question = *rest ? g_strconcat("why ", rest, NULL) : g_strdup("why");
	g_free(o->question);
	o->question = question;
}

/* Before the `--': the question's words, as one line.  They are taken off. */
static bool read_question_words(char ***rest, struct options *o, GError **error)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	for (; **rest && strcmp(**rest, "--") != 0; (*rest)++) {
		const char *word = **rest;

		/* no expression: it would be assigned to */
		if (g_str_has_prefix(word, "--") && g_ascii_isalpha(word[2]) &&
		    strcmp(word, "--row") != 0 && strcmp(word, "--all") != 0)
			return options_wrong(error,
					     "options come before the question: gdb-why ask %s ... "
					     "QUESTION -- PROG ARGS...",
					     word);
		g_ptr_array_add(words, (char *)word);
	}
	g_ptr_array_add(words, NULL);
	o->question = g_strjoinv(" ", (char **)words->pdata);
	g_strstrip(o->question);
	take_question_options(o);
	if (!*o->question)
		return options_wrong(error,
				     "no question was asked: gdb-why ask [options] QUESTION -- "
				     "PROG ARGS..., as in gdb-why ask why x -- ./test");
	if (**rest)
		(*rest)++;
	else if (!o->record)
		return options_wrong(error, "`--' and the program are missing after the question: "
					    "gdb-why ask why x -- PROG ARGS...");
	return true;
}

/* The words after the options are the arguments of --run's program. */
static bool read_regress(char **rest, struct options *o, GError **error)
{
	g_autoptr(GPtrArray) words = NULL;

	if (!o->old_version || !o->new_version)
		return options_wrong(error,
				     "--%s is missing; name the version that %s, a folder or a "
				     "revision",
				     o->old_version ? "new" : "old",
				     o->old_version ? "fails" : "passes");
	if (!o->test == !o->run)
		return options_wrong(
			error, "say what fails, by one of --test COMMAND and --run PROG: gdb-why "
			       "regress --old v1 --new v2 --test './check.sh'");
	if (o->test && rest[0])
		return options_wrong(error, "arguments are for --run's program; write those of "
					    "--test into its command");
	if (!o->run)
		return true;
	words = g_ptr_array_new();
	g_ptr_array_add(words, o->run);
	for (; *rest; rest++)
		g_ptr_array_add(words, *rest);
	g_ptr_array_add(words, NULL);
	o->program = g_strdupv((char **)words->pdata);
	return true;
}

/* The words that are the program's. */
static bool read_program_words(char **rest, struct options *o, GError **error)
{
	if (o->record && (o->stdin_file || o->trace_libs))
		return options_wrong(error, "--%s is the record's; leave it out with --record",
				     o->stdin_file ? "stdin" : "trace-lib");
	if (o->record && o->window)
		return options_wrong(error,
				     "--window is for recording; leave it out with --record");
	if (o->save_record && (o->record || o->tests))
		return options_wrong(error,
				     "--save-record keeps one run of PROG; leave --%s out with it",
				     o->record ? "record" : "tests");
	if (o->record && rest[0] && rest[1])
		return options_wrong(error,
				     "the arguments are the record's; name the program alone: "
				     "gdb-why explain --record FILE [--] [PROG]");
	if (!rest[0] && !o->record)
		return options_wrong(
			error, "no program to %s was given: gdb-why %s [options] -- PROG%s",
			o->command == OPTIONS_SPECS ? "check" : option_names[o->command],
			option_names[o->command], o->command == OPTIONS_RANK ? "" : " ARGS...");
	if (rest[0] && !rest[0][0])
		return options_wrong(error, "the program's name is empty");
	if (o->stream && (o->format != TUI_JSON || o->output || o->check))
		return options_wrong(error,
				     "--stream writes lines of JSON to standard output; say "
				     "--format json, and neither --output nor --check, with it");
	if (o->graph != TUI_CHAIN && o->format != TUI_DOT)
		return options_wrong(error, "--graph says what is drawn; say --format dot with it");
	if (o->command == OPTIONS_TRY && (!!o->flip + !!o->set + !!o->suspect != 1 ||
					  (o->at && o->after) || !o->set != !(o->at || o->after)))
		return options_wrong(error,
				     "say what is tried: --flip FILE:LINE, --suspect FILE:N, or "
				     "--set 'LVALUE = VALUE' and --at or --after FILE:LINE");
	if (o->command == OPTIONS_RANK && !options_check_rank(rest, o, error))
		return false;
	if ((o->command == OPTIONS_EXPLAIN || o->command == OPTIONS_PANEL) &&
	    !options_check_explain(rest, o, error))
		return false;
	if (!options_check_output(o, error))
		return false;
	o->program = g_strdupv(rest);
	return true;
}

/* The options that this command takes as well as PANEL, as they were given. */
static char **options_given(const union option_raw *raw, unsigned commands)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	for (size_t i = 0; i < n_option_rows; i++) {
		const struct option_row *row = &option_rows[i];

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

/* Sets all limits for tests of how the program behaves at their ends. */
static bool read_limits_of_environment(struct options *o, GError **error)
{
	const char *which = g_getenv("GDB_WHY_LIMITS");

	o->limits = *limits_default();
	if (!which || !*which)
		return true;
	if (strcmp(which, "tiny") != 0 && strcmp(which, "huge") != 0)
		return options_wrong(error, "GDB_WHY_LIMITS is tiny or huge, not `%s'", which);
	limits_set_all(&o->limits, strcmp(which, "huge") == 0);
	return true;
}

/* After --max-runs and its like, so that --limit has the last word. */
static bool read_limits(struct options *o, GError **error)
{
	g_autoptr(GError) wrong = NULL;

	for (char **word = o->limit_words; word && *word; word++)
		if (!limits_set(&o->limits, *word, &wrong))
			return options_wrong(error, "--limit %s: %s", *word, wrong->message);
	return true;
}

static bool parse_command(int *argc, char ***argv, struct options *o, GError **error)
{
	union option_raw raw[MOST_OPTIONS] = { 0 };
	enum options_command command = o->command;
	bool help = false;
	bool ok = split_options_from_program(command, argc, argv, raw, &help, error);
	char **rest;

	if (ok && command == OPTIONS_PANEL) {
		o->given = options_given(raw, EXPLAIN);
		o->given_ask = options_given(raw, ASK);
		o->given_try = options_given(raw, TRY);
		o->given_specs = options_given(raw, SPECS);
	}
	ok = ok && read_limits_of_environment(o, error);
	/* what is not for this command has its default, for what it does on the way */
	for (size_t i = 0; ok && i < n_option_rows; i++)
		ok = option_is_for(&option_rows[i], command) ||
		     option_read(&option_rows[i], &raw[i], o, error);
	for (size_t i = 0; ok && i < n_option_rows; i++)
		ok = !option_is_for(&option_rows[i], command) ||
		     option_read(&option_rows[i], &raw[i], o, error);
	options_raw_clear(raw);
	read_follow(o);
	if (!ok || !read_limits(o, error))
		return false;
	if (help) {
		o->command = OPTIONS_HELP;
		o->help_on = command;
		return true;
	}
	/* GOption leaves `--' in when a word follows that looks like an option. */
	rest = *argv + 1;
	if (command == OPTIONS_ASK && !read_question_words(&rest, o, error))
		return false;
	if (command != OPTIONS_ASK && *argc > 1 && strcmp(rest[0], "--") == 0)
		rest++;
	if (!o->gdb)
		o->gdb = g_strdup("gdb");
	if (command == OPTIONS_LESSON) {
		o->words = g_strdupv(rest);
		return true;
	}
	if (command == OPTIONS_REGRESS)
		return read_regress(rest, o, error);
	if (command == OPTIONS_SPECS && !o->spec)
		return options_wrong(error,
				     "--spec is missing; name the C file that says what must "
				     "hold: gdb-why specs --spec list-spec.c -- ./list 1 2");
	if (command == OPTIONS_EVALUATE)
		return (o->program = g_strdupv(rest));
	return read_program_words(rest, o, error);
}

static bool parse_help(int argc, char **argv, struct options *o, GError **error)
{
	o->command = o->help_on = OPTIONS_HELP;
	if (argc > 2 && strcmp(argv[2], "limits") == 0) {
		o->topic = OPTIONS_ON_LIMITS;
		o->as_page = argc == 4 && strcmp(argv[3], "--format=markdown") == 0;
		return argc == 3 || o->as_page ||
		       options_wrong(error, "help limits takes --format=markdown or nothing");
	}
	if (argc > 2)
		o->help_on = command_named(argv[2]);
	if (argc > 3 || (argc == 3 && o->help_on == OPTIONS_HELP))
		return options_wrong(error, "there is no help on `%s'", argv[argc > 3 ? 3 : 2]);
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
			option_names[command < (size_t)N_OPTION_NAMES ? command : OPTIONS_EXPLAIN]);
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
		ok = options_wrong(
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
	char **const lists[] = { o->words,	 o->given,	 o->given_ask,	o->given_try,
				 o->given_specs, o->program,	 o->trace_libs, o->keep_env,
				 o->where,	 o->limit_words, o->fail_calls };

	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
		g_strfreev(lists[i]);
	g_free(o->row);
	g_free(o->flip);
	g_free(o->set);
	g_free(o->suspect);
	g_free(o->after);
	g_free(o->record);
	g_free(o->save_record);
	g_free(o->shown);
	g_free(o->trace_search);
	g_free(o->tests);
	g_free(o->golden);
	g_free(o->expect);
	g_free(o->require);
	g_free(o->fail_table);
	g_free(o->one_test);
	g_free(o->follow_program);
	g_free(o->expect_stderr);
	g_free(o->output_file);
	g_free(o->expected);
	g_free(o->technique);
	g_free(o->failing);
	g_free(o->stdin_file);
	g_free(o->directory);
	g_free(o->output);
	g_free(o->question);
	g_free(o->spec);
	g_free(o->said);
	g_free(o->save_tests);
	g_free(o->at);
	g_free(o->gdb);
	g_free(o->old_version);
	g_free(o->new_version);
	g_free(o->build);
	g_free(o->run);
	g_free(o->test);
	g_free(o->keep);
	g_free(o->seed);
	g_free(o->because);
	g_free(o->lesson);
	g_free(o->cflags);
	g_free(o->sizes);
	g_free(o->shard);
	g_free(o->which);
	g_free(o->accuracy_graph);
	g_free(o->page);
	memset(o, 0, sizeof *o);
}
