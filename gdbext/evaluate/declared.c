/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evaluate/declared.h"

#include <string.h>

static size_t line_start(const struct source *s, unsigned line)
{
	return line <= s->lines->len ? g_array_index(s->lines, size_t, line - 1) : s->length;
}

/* ---- macros ---- */

static bool goes_on_in_next_line(const struct source *s, unsigned line)
{
	size_t end = line_start(s, line + 1);

	while (end > line_start(s, line) && strchr("\r\n", s->text[end - 1]))
		end--;
	return end > line_start(s, line) && s->text[end - 1] == '\\';
}

/* The macro that the line is part of; NULL = none. */
static char *macro_of(const struct source *s, unsigned line)
{
	g_autoptr(GRegex) define = g_regex_new("^\\s*#\\s*define\\s+(\\w+)", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	size_t from;

	while (line > 1 && goes_on_in_next_line(s, line - 1))
		line--;
	from = line_start(s, line);
	return g_regex_match_full(define, s->text + from, (gssize)(line_start(s, line + 1) - from),
				  0, 0, &match, NULL)
		       ? g_match_info_fetch(match, 1)
		       : NULL;
}

/* ---- the declaration ---- */

/* The last character before a place that is no blank; 0 = there is none. */
static char character_before(const struct source *s, size_t at)
{
	while (at && g_ascii_isspace(s->code[at - 1]))
		at--;
	return at ? s->code[at - 1] : '\0';
}

/* Does the brace at a place open a part of an initialiser? */
static bool is_initialiser(const struct source *s, size_t open)
{
	char c = character_before(s, open);

	return c && strchr("=,{(", c);
}

static size_t beginning_of_statement(const struct source *s, size_t at)
{
	while (at) {
		char c = s->code[at - 1];

		if (c == ';' || (c == '{' && !is_initialiser(s, at - 1)))
			break;
		if (c == '}') {
			size_t open = source_opening(s, at - 1);

			if (open == SIZE_MAX || !is_initialiser(s, open))
				break;
			at = open;
			continue;
		}
		at--;
	}
	return source_skip(s, at);
}

unsigned declared_begin(const struct source *s, unsigned line)
{
	size_t from = beginning_of_statement(s, line_start(s, line));
	unsigned first = line;

	while (first > 1 && line_start(s, first) > from)
		first--;
	return first;
}

struct naming {
	GPtrArray *on, *earlier; /* char *: on the line, or before it */
	size_t line;		 /* where it starts */
};

static void note_name(const struct source *s, size_t from, size_t to, struct naming *n)
{
	if (!g_ascii_isdigit(s->code[from]))
		g_ptr_array_add(from >= n->line ? n->on : n->earlier,
				g_strndup(s->code + from, to - from));
}

/* Skips brackets with what is in them; false when they end behind the line. */
static bool skip_brackets(const struct source *s, size_t *at, size_t end)
{
	size_t close = source_closing(s, *at);

	if (close == SIZE_MAX || close >= end)
		return false;
	*at = close + 1;
	return true;
}

/* A bracket, but not that of a structure's or an enumeration's members. */
static bool is_skipped(const struct source *s, size_t at)
{
	char c = s->code[at];

	return c == '(' || c == '[' || (c == '{' && is_initialiser(s, at));
}

/* A name is the word in front of a bracket, a comma, an `=' or the end; not in a value. */
static void read_declaration(const struct source *s, size_t from, size_t end, struct naming *n)
{
	bool in_value = false;

	for (size_t at = from; at < end;) {
		char c = s->code[at];
		size_t word = at;

		if (source_is_word(c)) {
			while (at < end && source_is_word(s->code[at]))
				at++;
			if (!in_value && strchr("=,[;:}(", s->code[source_skip(s, at)]))
				note_name(s, word, at, n);
			continue;
		}
		in_value = c == '=' || (in_value && c != ',' && c != ';');
		if (is_skipped(s, at)) {
			if (!skip_brackets(s, &at, end))
				break;
		} else {
			at++;
		}
	}
}

GPtrArray *declared_names(const struct source *s, unsigned line)
{
	struct naming n = { .on = g_ptr_array_new_with_free_func(g_free),
			    .earlier = g_ptr_array_new_with_free_func(g_free),
			    .line = line_start(s, line) };
	char *macro = macro_of(s, line);

	if (macro)
		g_ptr_array_add(n.on, macro);
	else
		read_declaration(s, beginning_of_statement(s, n.line), line_start(s, line + 1), &n);
	if (!n.on->len && n.earlier->len)
		g_ptr_array_add(n.on, g_ptr_array_steal_index(n.earlier, n.earlier->len - 1));
	g_ptr_array_unref(n.earlier);
	return n.on;
}

static bool has_word_at(const char *text, size_t at, size_t end, const char *word)
{
	size_t n = strlen(word);

	return at + n <= end && strncmp(text + at, word, n) == 0 && !source_is_word(text[at + n]);
}

bool declared_is_used(const struct source *s, unsigned line, const GPtrArray *names)
{
	size_t from = line_start(s, line), end = line_start(s, line + 1);
	g_autofree char *macro = macro_of(s, line);
	const char *text = macro ? s->text : s->code;

	for (size_t at = from; at < end; at++) {
		if (!source_is_word(text[at]) || (at > from && source_is_word(text[at - 1])))
			continue;
		for (guint i = 0; i < names->len; i++)
			if (has_word_at(text, at, end, names->pdata[i]))
				return true;
	}
	return false;
}
