/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/command.h"

#include <string.h>

static const char shell[] = "/bin/sh";

/* Bytes that mean themselves to a shell wherever they stand. */
static bool is_plain_in_shell(char c)
{
	return g_ascii_isalnum(c) || (c & 0x80) || (c && strchr("_-+=./,:@%^", c));
}

/* A line taken apart: words, and what is to be read. */
struct scanner {
	const char *at;
	GPtrArray *words; /* char *, owned */
	char *input;
	GString *word;
};

static bool scan_quoted(struct scanner *s)
{
	char quote = *s->at++;
	const char *end = strchr(s->at, quote);

	if (!end)
		return false;
	for (const char *p = s->at; quote == '"' && p < end; p++)
		if (strchr("$`\\", *p))
			return false;
	g_string_append_len(s->word, s->at, end - s->at);
	s->at = end + 1;
	return true;
}

/* Reads one word; false: only a shell can. */
static bool scan_word(struct scanner *s)
{
	const char *start = s->at;

	g_string_truncate(s->word, 0);
	while (*s->at) {
		if (is_plain_in_shell(*s->at))
			g_string_append_c(s->word, *s->at++);
		else if (*s->at == '\'' || *s->at == '"') {
			if (!scan_quoted(s))
				return false;
		} else if (g_ascii_isspace(*s->at) || *s->at == '<')
			break;
		else
			return false;
	}
	/* 3<file is not standard input. */
	if (*s->at == '<' && s->at > start &&
	    strspn(start, "0123456789") == (size_t)(s->at - start))
		return false;
	return s->at > start;
}

static bool scan_input(struct scanner *s)
{
	s->at++;
	s->at += strspn(s->at, " \t");
	if (s->input || *s->at == '<' || !scan_word(s))
		return false;
	s->input = g_strdup(s->word->str);
	return true;
}

static bool scan_rest(struct scanner *s)
{
	for (;;) {
		s->at += strspn(s->at, " \t");
		if (!*s->at)
			return true;
		if (*s->at == '<') {
			if (!scan_input(s))
				return false;
		} else {
			if (!scan_word(s))
				return false;
			g_ptr_array_add(s->words, g_strdup(s->word->str));
		}
	}
}

static bool start_directly(struct suite_command *c, const char *command, const char *shown,
			   const char *directory)
{
	struct scanner s = { .at = command + 2,
			     .words = g_ptr_array_new_with_free_func(g_free),
			     .word = g_string_new(NULL) };
	bool ok = strncmp(command, "{}", 2) == 0 && (!command[2] || strchr(" \t<", command[2])) &&
		  !strstr(command + 2, "{}");

	g_ptr_array_add(s.words, g_strdup(shown));
	ok = ok && scan_rest(&s);
	if (ok) {
		g_ptr_array_add(s.words, NULL);
		c->argv = (char **)g_ptr_array_steal(s.words, NULL);
		c->stdin_file = s.input ? g_canonicalize_filename(s.input, directory) : NULL;
		c->direct = true;
	}
	g_ptr_array_unref(s.words);
	g_string_free(s.word, TRUE);
	g_free(s.input);
	return ok;
}

/* The program in place of each {}.  A path of plain bytes can stand inside
 * quotes too. */
static char *put_program(const char *command, const char *program)
{
	g_auto(GStrv) parts = g_strsplit(command, "{}", -1);
	g_autofree char *quoted = NULL;
	const char *p = program;

	while (is_plain_in_shell(*p))
		p++;
	quoted = *p ? g_shell_quote(program) : g_strdup(program);
	return g_strjoinv(quoted, parts);
}

static char **words_in_argv(const char *first, ...)
{
	GPtrArray *words = g_ptr_array_new();
	va_list args;

	va_start(args, first);
	for (const char *w = first; w; w = va_arg(args, const char *))
		g_ptr_array_add(words, g_strdup(w));
	va_end(args);
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

void suite_command_init(struct suite_command *c, const struct suite_test *t, const char *program,
			const char *shown, const char *directory)
{
	*c = (struct suite_command){ 0 };
	if (t->script) {
		c->path = g_strdup(t->sh ? shell : t->script);
		c->argv = t->sh ? words_in_argv("sh", t->script, program, NULL)
				: words_in_argv(t->script, program, NULL);
	} else if (start_directly(c, t->command, shown, directory)) {
		c->path = g_strdup(program);
	} else {
		g_autofree char *line = put_program(t->command, program);

		c->path = g_strdup(shell);
		c->argv = words_in_argv("sh", "-c", line, NULL);
	}
}

void suite_command_clear(struct suite_command *c)
{
	g_free(c->path);
	g_strfreev(c->argv);
	g_free(c->stdin_file);
	*c = (struct suite_command){ 0 };
}

char *suite_command_text(const struct suite_test *t)
{
	g_autofree char *quoted = NULL;

	if (t->command)
		return g_strdup(t->command);
	quoted = g_shell_quote(t->script);
	return g_strconcat(t->sh ? "sh " : "", quoted, " {}", NULL);
}

GPtrArray *suite_command_files(const struct suite_test *t, const char *directory)
{
	GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) words = t->command ? g_strsplit_set(t->command, " \t'\"<>|;&()=`", -1) : NULL;

	if (t->script)
		g_ptr_array_add(files, g_strdup(t->script));
	for (char **w = words; w && *w; w++) {
		g_autofree char *path = **w ? g_canonicalize_filename(*w, directory) : NULL;

		if (path && g_file_test(path, G_FILE_TEST_IS_REGULAR))
			g_ptr_array_add(files, g_steal_pointer(&path));
	}
	return files;
}
