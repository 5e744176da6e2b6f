/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/internal.h"

#include "mi/cmd.h"

#include <string.h>

static void complain_of_why(const char *sentence)
{
	fprintf(stderr, "%s\n", sentence);
}

const char *ask_behind_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(text, word, n) != 0 || (text[n] && !g_ascii_isspace(text[n])))
		return NULL;
	return text + n + strspn(text + n, " \t");
}

static bool is_about_specs(const char *arguments)
{
	return ask_behind_word(arguments, "--spec") || g_str_has_prefix(arguments, "--spec=");
}

/* Options of gdb-why explain: when the test passes, what is looked for, and how long.  about: what
 * stands behind the options of a question. */
static bool has_option_about_run(const char *about)
{
	return g_str_has_prefix(about, "--") && g_ascii_isalpha(about[2]);
}

/* "--thorough not x == 3": the question is one word, as of gdb-why ask.  NULL with an error: the
 * quotes do not match. */
static char **words_of_options(const char *arguments, bool *at_stop, GError **error)
{
	const char *denied = strstr(arguments, " not ");
	g_autofree char *options =
		denied ? g_strndup(arguments, (gsize)(denied - arguments)) : g_strdup(arguments);
	char **words = NULL;
	guint n;

	*at_stop = denied;
	if (!g_shell_parse_argv(options, NULL, &words, error) || !denied)
		return words;
	n = g_strv_length(words);
	words = g_renew(char *, words, n + 2);
	words[n] = g_strconcat("why", denied, NULL);
	words[n + 1] = NULL;
	return words;
}

/* why --spec FILE [options of gdb-why specs]: what the file says must hold, in this run;
 * why --expect FILE: why was not that printed? */
static void ask_with_options(struct session *s, const char *arguments, enum analysis_kind kind)
{
	struct context c = { 0 };
	g_autoptr(GError) error = NULL;
	g_autofree char *typed = g_strconcat("why ", arguments, NULL);
	bool ok, at_stop;
	char **words = words_of_options(arguments, &at_stop, &error);

	s->hushed = true;
	ok = words && context_gather(s, at_stop, &c, &error);
	s->hushed = false;
	if (ok)
		analysis_ask(s, kind, typed, g_steal_pointer(&words), &c);
	else
		complain_of_why(error->message);
	g_strfreev(words);
	context_clear(&c);
}

/* Does it assign nothing?  An operator that C++ overloads is a call. */
static bool only_reads(const char *expression)
{
	for (const char *c = strchr(expression, '='); c; c = strchr(c + 1, '='))
		if (c[1] == '=')
			c++;
		else if (c == expression || !strchr("<>!", c[-1]) ||
			 (c - expression > 1 && c[-1] != '!' && c[-2] == c[-1]))
			return false;
	return !strstr(expression, "++") && !strstr(expression, "--");
}

static char *evaluate_without_calls(struct session *s, const char *expression)
{
	static const char setting[] = "may-call-functions";
	g_autofree char *before = mi_cmd_show(s->gdb, setting, NULL);
	char *value;

	if (!before || !mi_cmd_set(s->gdb, setting, "off", NULL))
		return NULL;
	value = mi_cmd_evaluate(s->gdb, NULL, expression, NULL);
	mi_cmd_set(s->gdb, setting, before, NULL);
	return value;
}

/* The program of the user stands there, so GDB's value is known where a record's is not.  Asking
 * must not change the program. */
static char *value_in_gdb(struct session *s, const char *expression)
{
	enum { LONGEST = 200 };
	char *value = only_reads(expression) ? evaluate_without_calls(s, expression) : NULL;

	if (value && (strstr(value, "<error") || strstr(value, "<optimized out>")))
		g_clear_pointer(&value, g_free);
	if (value && g_utf8_strlen(value, -1) > LONGEST)
		strcpy(g_utf8_offset_to_pointer(value, LONGEST - 3), "...");
	return value;
}

/* `line 12', and not a variable of that name. */
static bool names_a_line(const char *question)
{
	const char *behind = ask_behind_word(question, "line");

	return behind && *behind;
}

/* The question's words, behind what GDB shows where it shows something.  .hushed is set. */
static char **words_of_value(struct session *s, const struct context *c, const char *question,
			     const char *expression)
{
	g_autofree char *value =
		names_a_line(expression) ? NULL : context_evaluate(s, c, expression, value_in_gdb);

	return value ? g_strdupv((char *[]){ (char *)"--shown", value, (char *)question, NULL })
		     : g_strdupv((char *[]){ (char *)question, NULL });
}

/* arguments: an expression or a line, maybe behind options. */
static void ask_value(struct session *s, const char *arguments)
{
	struct context c = { 0 };
	g_autoptr(GError) error = NULL;
	g_autofree char *question = g_strconcat("why ", arguments, NULL);
	char **words = NULL;

	s->hushed = true;
	if (context_gather(s, true, &c, &error))
		words = words_of_value(s, &c, question, row_behind_options(arguments));
	s->hushed = false;
	if (words)
		analysis_ask(s, ANALYSIS_TREE, question, words, &c);
	else
		complain_of_why(error->message);
	context_clear(&c);
}

static void ask_gdb_why(struct session *s, const char *question, bool at_stop,
			enum analysis_kind kind)
{
	struct context c = { 0 };
	g_autoptr(GError) error = NULL;
	bool ok;

	s->hushed = true;
	ok = context_gather(s, at_stop, &c, &error);
	s->hushed = false;
	if (ok && kind == ANALYSIS_SUSPECTS)
		predict_ask(s, c.program);
	if (ok)
		analysis_ask(s, kind, question, g_strdupv((char *[]){ (char *)question, NULL }),
			     &c);
	else
		complain_of_why(error->message);
	context_clear(&c);
}

/* why 4 */
static void ask_row(struct session *s, const char *number)
{
	struct context c = { 0 };
	g_autoptr(GError) error = NULL;
	g_autofree char *run = NULL, *about = NULL, *question = NULL, *last_about = NULL;
	g_autofree char *last = analysis_rows_asked(s, &last_about);
	g_autofree char *typed = g_strconcat("why ", number, NULL);
	char **words = NULL;
	bool ok;

	if (!last) {
		complain_of_why("The last answer has no rows to go on from; ask `why EXPR' first.");
		return;
	}
	s->hushed = true;
	question = row_question(last, number);
	ok = context_gather(s, true, &c, &error);
	if (ok)
		words = words_of_value(s, &c, question,
				       row_behind_options(ask_behind_word(question, "why")));
	s->hushed = false;
	run = ok ? kept_describe_run(s, &c) : NULL;
	about = ok ? row_about(c.options, run) : NULL;
	if (!ok)
		complain_of_why(error->message);
	else if (g_strcmp0(about, last_about) != 0)
		fprintf(stderr,
			"The program has gone on since the last answer; ask `%s' here again.\n",
			last);
	else
		analysis_ask(s, ANALYSIS_TREE, typed, g_steal_pointer(&words), &c);
	g_strfreev(words);
	context_clear(&c);
}

/* denied: what stands behind `not' in the question. */
static void ask_denied(struct session *s, const char *question, const char *denied)
{
	if (ask_behind_word(denied, "output"))
		ask_gdb_why(s, question, false, ANALYSIS_TREE);
	else
		ask_gdb_why(s, question, true,
			    ask_behind_word(denied, "line") ? ANALYSIS_TREE : ANALYSIS_SUSPECTS);
}

void ask_why_not(struct session *s, const char *arguments)
{
	g_autofree char *question = g_strconcat("why not ", arguments, NULL);

	ask_denied(s, question, arguments);
}

void ask_why(struct session *s, const char *arguments)
{
	const char *about = row_behind_options(arguments), *denied = ask_behind_word(about, "not");
	g_autofree char *question = g_strconcat("why ", arguments, NULL);

	if (denied)
		ask_denied(s, question, denied);
	else if (is_about_specs(arguments))
		ask_with_options(s, arguments, ANALYSIS_SPECS);
	else if (has_option_about_run(about))
		ask_with_options(s, about, ANALYSIS_SUSPECTS);
	else if (row_is_number(arguments))
		ask_row(s, arguments);
	else if (*about && !ask_behind_word(about, "output"))
		ask_value(s, arguments);
	else if (*about)
		ask_gdb_why(s, question, false, ANALYSIS_TREE);
	else
		ask_gdb_why(s, "why", false, ANALYSIS_SUSPECTS);
}
