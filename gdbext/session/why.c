/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/internal.h"

#include "tui/report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct own {
	const char *name;
	unsigned least; /* letters that tell it from GDB's commands */
	void (*execute)(struct session *s, const char *arguments, GPtrArray *go);
	const char *help;
};

static void complain_of_command(const char *sentence)
{
	fprintf(stderr, "%s\n", sentence);
}

static void execute_why(struct session *s, const char *arguments, GPtrArray *go)
{
	(void)go;
	ask_why(s, arguments);
}

static void execute_why_not(struct session *s, const char *arguments, GPtrArray *go)
{
	(void)go;
	ask_why_not(s, arguments);
}

/* --- the answer again --- */

static void show_explanation(const struct explanation *e, enum tui_format format, FILE *out)
{
	struct tui_options o = { .format = format,
				 .max_suspects = SHOWN_SUSPECTS,
				 .go_to = WHAT_NEXT };

	tui_print(out, e, &o);
}

/* The suspects of the answer; or of one (n) its way to the failure. */
static void show_part(struct session *s, const struct explanation *e, unsigned n)
{
	g_autoptr(GPtrArray) suspects = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(guint));
	struct explanation part = *e;
	const struct tui_options o = { .max_suspects = SHOWN_SUSPECTS,
				       .part = n ? TUI_WAYS : TUI_WHOLE,
				       .go_to = WHAT_NEXT };

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *from = e->suspects->pdata[i];
		struct explanation_suspect *to;

		if (n && from->rank != n)
			continue;
		to = g_memdup2(from, sizeof *from);
		if (!n)
			to->chain = none;
		g_ptr_array_add(suspects, to);
	}
	part.suspects = suspects;
	part.complete = true; /* what is missing is said of the whole */
	log_show(s, &part, &o);
}

/* The last one, or what is known so far of the one that is being searched for; NULL
 * with a sentence when there is none. */
static const struct explanation *answer_of(const struct session *s)
{
	const struct explanation *found = NULL;
	const char *question = analysis_of_suspects(s, &found);

	if (question && found && found->suspects->len)
		return found;
	if (question)
		fprintf(stderr, "Nothing is found yet; `%s' is still being answered.\n", question);
	else if (!s->answer)
		complain_of_command("There is no answer yet; ask `why' or `why not COND' first.");
	return question ? NULL : s->answer;
}

static void execute_suspects(struct session *s, const char *arguments, GPtrArray *go)
{
	const struct explanation *found, *e = answer_of(s);
	const char *question = analysis_of_suspects(s, &found);

	(void)go;
	(void)arguments;
	if (e && question)
		printf("Found so far, for `%s':\n", question);
	if (e)
		show_part(s, e, 0);
}

/* NULL with a sentence when there is none of that number. */
static const struct explanation_suspect *suspect_numbered(const struct session *s,
							  const char *number)
{
	const struct explanation *e = answer_of(s);
	guint64 n;

	if (!e)
		return NULL;
	if (g_ascii_string_to_unsigned(number, 10, 1, G_MAXUINT32, &n, NULL))
		for (guint i = 0; i < e->suspects->len; i++) {
			const struct explanation_suspect *a = e->suspects->pdata[i];

			if (a->rank == n)
				return a;
		}
	complain_of_command(e->suspects->len
				    ? "Which suspect?  Say its number in the list that `suspects' "
				      "shows."
				    : "The last answer has no suspects.");
	return NULL;
}

static void execute_chain(struct session *s, const char *arguments, GPtrArray *go)
{
	const struct explanation_suspect *a = suspect_numbered(s, arguments);

	(void)go;
	if (a)
		show_part(s, answer_of(s), a->rank);
}

static void execute_goto(struct session *s, const char *arguments, GPtrArray *go)
{
	const struct explanation_suspect *a = suspect_numbered(s, arguments);

	if (a && !goto_suspect(s, answer_of(s), a, go))
		complain_of_command("It is not known where that suspect stands in the source.");
}

/* --- changes --- */

static const struct explanation_statement *first_branch(const struct explanation_suspect *a)
{
	for (guint i = 0; i < a->statements->len; i++) {
		const struct explanation_statement *st =
			&g_array_index(a->statements, struct explanation_statement, i);

		if (g_strcmp0(st->kind, "condition") == 0 && st->file && st->line)
			return st;
	}
	return NULL;
}

static void execute_flip(struct session *s, const char *arguments, GPtrArray *go)
{
	g_auto(GStrv) words = g_strsplit(arguments, " ", 2);
	const struct explanation_suspect *a = suspect_numbered(s, words[0] ? words[0] : "");
	const struct explanation_statement *branch = a ? first_branch(a) : NULL;
	const char *which = words[0] && words[1] ? g_strstrip(words[1]) : "";
	g_autofree char *place =
		branch && *which ? g_strdup_printf("%s:%u:%s", branch->file, branch->line, which)
				 : NULL;
	g_autofree char *typed = g_strconcat("flip ", arguments, NULL);

	(void)go;
	if (place)
		try_change(s, typed, (const char *const[]){ "--flip", place, NULL });
	else if (branch)
		try_exactly(s, typed, answer_of(s), a);
	else if (a)
		complain_of_command("That suspect is not a branch that goes the other way; `try N' "
				    "runs it, and `what-if LVALUE = "
				    "VALUE at N' tries another value.");
}

static void execute_try(struct session *s, const char *arguments, GPtrArray *go)
{
	const struct explanation_suspect *a = suspect_numbered(s, arguments);
	g_autofree char *typed = g_strconcat("try ", arguments, NULL);

	(void)go;
	if (a)
		try_exactly(s, typed, answer_of(s), a);
}

/* Does the suspect say what a function returns?  Behind that, its variables are gone. */
static const struct explanation_statement *says_return_value(const struct explanation_suspect *a)
{
	const struct explanation_instance *last = try_instance(a);
	const struct explanation_statement *st = &g_array_index(
		a->statements, struct explanation_statement, last ? last->statement : 0);

	return g_strcmp0(st->kind, "return") == 0 && st->file ? st : NULL;
}

/* "--after" or "--at", and *place: the execution that the suspect names. */
static const char *what_if_option(const struct explanation_suspect *a, char **place)
{
	const struct explanation_statement *st = says_return_value(a);
	const struct explanation_instance *last = try_instance(a);
	g_autofree char *file = st ? g_path_get_basename(st->file) : NULL;

	if (!st)
		*place = try_place(a);
	else if (last)
		*place = g_strdup_printf("%s:%u:%" G_GUINT64_FORMAT, file, st->line,
					 last->execution);
	else
		*place = g_strdup_printf("%s:%u", file, st->line);
	return st ? "--at" : "--after";
}

/* "x = 3 at 2" */
static void execute_what_if(struct session *s, const char *arguments, GPtrArray *go)
{
	const char *at = g_strrstr(arguments, " at ");
	const struct explanation_suspect *a;
	g_autofree char *assignment = NULL;
	g_autofree char *place = NULL;
	g_autofree char *typed = NULL;
	const char *option;

	(void)go;
	if (!at || !strchr(arguments, '=')) {
		complain_of_command(
			"What if what?  Say `what-if LVALUE = VALUE at N', N being a suspect: the "
			"variable has that value after the suspect's statement.");
		return;
	}
	a = suspect_numbered(s, at + strlen(" at "));
	if (!a || !a->statements->len)
		return;
	if (try_executions(a) > 1)
		printf("The suspect changes %u executions; this is about the last of them that the "
		       "failing run comes to.\n",
		       try_executions(a));
	assignment = g_strndup(arguments, (gsize)(at - arguments));
	option = what_if_option(a, &place);
	typed = g_strconcat("what-if ", arguments, NULL);
	try_change(s, typed, (const char *const[]){ "--set", assignment, option, place, NULL });
}

static void execute_panel(struct session *s, const char *arguments, GPtrArray *go)
{
	(void)arguments;
	if (prompt_is_terminal(s->prompt))
		try_panel(s, go);
	else
		complain_of_command("The panel needs a terminal.");
}

static void execute_lesson(struct session *s, const char *arguments, GPtrArray *go)
{
	(void)go;
	try_lesson(s, arguments);
}

/* --- export --- */

static const struct {
	const char *suffix;
	enum tui_format format;
} exports[] = {
	{ ".txt", TUI_TEXT },
	{ ".json", TUI_JSON },
	{ ".html", TUI_HTML },
	{ ".dot", TUI_DOT },
};

static void write_export(struct session *s, const char *name, enum tui_format format)
{
	FILE *out;

	if (s->tree && format != TUI_TEXT) {
		complain_of_command(
			"The assignments and decisions behind a value or a line are exported "
			"as .txt.");
		return;
	}
	out = fopen(name, "we");
	if (!out) {
		fprintf(stderr, "%s cannot be written: %s.\n", name, g_strerror(errno));
		return;
	}
	if (s->tree)
		fputs(s->tree, out);
	else
		show_explanation(s->answer, format, out);
	if (ferror(out) | fclose(out))
		fprintf(stderr, "%s cannot be written: %s.\n", name, g_strerror(errno));
	else
		printf("Wrote %s.\n", name);
}

static void execute_export(struct session *s, const char *arguments, GPtrArray *go)
{
	(void)go;
	if (analysis_is_busy(s)) {
		complain_of_command("The answer is not complete yet; export it when it is there.");
		return;
	}
	if (!s->tree && !answer_of(s))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(exports); i++)
		if (g_str_has_suffix(arguments, exports[i].suffix)) {
			write_export(s, arguments, exports[i].format);
			return;
		}
	complain_of_command(
		"Export where?  Say a file whose name ends in .txt, .json, .html or .dot.");
}

static void execute_say(struct session *s, const char *arguments, GPtrArray *go)
{
	(void)go;
	analysis_say(s, arguments);
}

/* --- the commands --- */

static const struct own owns[] = {
	{ "why", 3, execute_why,
	  "why: why did this fail?  Suspects whose change makes the test pass, each proven by a "
	  "run.\n"
	  "why --expect FILE, why --golden PROG, why --memory: why did it not print what is in "
	  "FILE, or\n"
	  "what PROG prints; or which access to memory is invalid?  As with gdb-why explain;\n"
	  "why --thorough, why --timeout N and others of its options, also before `not COND'.\n"
	  "why EXPR: why has EXPR, in C, its value here?  -d N EXPR goes N hops back, --all EXPR "
	  "shows all.\n"
	  "why N: what lies behind row N of that answer?\n"
	  "why not COND: why does COND not hold here?  Suspects whose change would make it hold.\n"
	  "why line N, why not line N: why did the run come to line N, or not?\n"
	  "why output, why output N, why not output TEXT: what was printed where, and why?\n"
	  "why --spec FILE [OPTIONS]: what of the C file FILE does not hold, and what breaks it?  "
	  "As\n"
	  "gdb-why specs; with --check only the first violation, with --interactive as it is\n"
	  "asked: see say.\n"
	  "\n"
	  "The program is run again, as it was started here, to the same stop; the one under\n"
	  "GDB is left alone.  The prompt takes commands meanwhile; Ctrl-C cancels the\n"
	  "analysis, a second question waits for the first.\n"
	  "Then: suspects, chain N, try N, goto N, flip N, what-if, export FILE; and panel.\n" },
	{ "explain", 5, execute_why, "explain: the same as `why'.\n" },
	{ "say", 3, execute_say,
	  "say WORDS: answers `why --spec FILE --interactive', which asks after each round:\n"
	  "say continue, say stop, say right LINE, say pass, say fail, say help.\n" },
	{ "why-not", 5, execute_why_not, "why-not COND: the same as `why not COND'.\n" },
	{ "suspects", 3, execute_suspects, "suspects: the suspects of the last answer again.\n" },
	{ "chain", 3, execute_chain,
	  "chain N: how suspect N leads to the failure, step by step.\n" },
	{ "goto", 3, execute_goto,
	  "goto N: starts the program again and stops it where suspect N is executed.\n" },
	{ "try", 3, execute_try,
	  "try N: runs the program with exactly what suspect N changes, and says how that ends "
	  "and\n"
	  "what it prints.\n" },
	{ "flip", 3, execute_flip,
	  "flip N [COUNT | all]: runs the program with suspect N's branch going the other way, in "
	  "the\n"
	  "executions that the suspect names, the COUNT-th, or each, and says what changes.\n" },
	{ "what-if", 6, execute_what_if,
	  "what-if LVALUE = VALUE at N: runs the program with another value of a variable after "
	  "suspect N's\n"
	  "statement (before it, where that returns), the execution that the suspect names, and "
	  "says what\n"
	  "changes.\n" },
	{ "panel", 3, execute_panel,
	  "panel: the explanations on a whole screen; `b' and `s' there set breakpoints.\n" },
	{ "lesson", 6, execute_lesson,
	  "lesson: what there is to do, where the program is one of a lesson.\n"
	  "lesson hint, lesson answer program.c:LINE, lesson check, lesson report: as `gdb-why "
	  "lesson'.\n" },
	{ "export", 4, execute_export,
	  "export FILE: writes the last answer to FILE, whose name ends in .txt, .json, .html or "
	  ".dot.\n" },
};

static size_t command_word_length(const char *line)
{
	return strspn(line, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-");
}

static const struct own *find_own_command(const char *word, size_t n)
{
	for (size_t i = 0; i < G_N_ELEMENTS(owns); i++)
		if (n >= owns[i].least && strncmp(owns[i].name, word, n) == 0)
			return &owns[i];
	return NULL;
}

/* What `help' is asked about; NULL: it is not asked, or about GDB's. */
static const struct own *command_helped_about(const char *line)
{
	size_t n = command_word_length(line);
	const char *topic = line + n + strspn(line + n, " \t");

	if (!n || strncmp("help", line, n) != 0 || topic == line + n ||
	    topic[command_word_length(topic)])
		return NULL;
	return find_own_command(topic, command_word_length(topic));
}

const char *why_name(size_t i)
{
	return i < G_N_ELEMENTS(owns) ? owns[i].name : NULL;
}

bool why_is_own(const char *line)
{
	return find_own_command(line, command_word_length(line)) || command_helped_about(line);
}

bool why_execute(struct session *s, const char *line, char ***go)
{
	const struct own *help = command_helped_about(line);
	const struct own *own = find_own_command(line, command_word_length(line));
	const char *arguments = line + command_word_length(line);
	GPtrArray *commands;

	*go = NULL;
	if (help)
		fputs(help->help, stdout);
	if (help || !own)
		return help;
	commands = g_ptr_array_new();
	own->execute(s, arguments + strspn(arguments, " \t"), commands);
	g_ptr_array_add(commands, NULL);
	*go = (char **)g_ptr_array_free(commands, FALSE);
	return true;
}

void why_complete(const char *line, GPtrArray *lines)
{
	size_t n = strlen(line);
	const char *topic = ask_behind_word(line, "help");

	for (size_t i = 0; i < G_N_ELEMENTS(owns); i++) {
		if (n && strncmp(owns[i].name, line, n) == 0)
			g_ptr_array_add(lines, g_strdup(owns[i].name));
		else if (topic && topic > line + 4 && *topic &&
			 g_str_has_prefix(owns[i].name, topic))
			g_ptr_array_add(lines, g_strconcat("help ", owns[i].name, NULL));
	}
}

const char *why_expression(const char *line)
{
	static const char *const heads[] = { "why not ", "why-not ", "why " };

	for (size_t i = 0; i < G_N_ELEMENTS(heads); i++)
		if (g_str_has_prefix(line, heads[i]))
			return line + strlen(heads[i]);
	return NULL;
}
