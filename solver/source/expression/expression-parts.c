/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a condition, found in its text.  Assertions often have calls, which cannot be
 * looked up as expressions, but the run shows their results. */
#include "solver/source/expression/expression.h"
#include "solver/source/source.h"

#include <string.h>

static void clear_part(void *p)
{
	struct expression_part *part = p;

	g_free(part->text);
	g_free(part->call);
}

static bool is_keyword_of_parts(const char *word)
{
	static const char *const keywords[] = { "sizeof", "struct",   "union",	"enum",	   "int",
						"char",	  "unsigned", "signed", "long",	   "short",
						"const",  "volatile", "void",	"double",  "float",
						"NULL",	  "true",     "false",	"_Alignof" };

	for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++)
		if (strcmp(word, keywords[i]) == 0)
			return true;
	return false;
}

/* The end of the name that starts at a place, with its members and elements. */
static size_t end_of_name(const struct source *s, size_t at)
{
	for (;;) {
		size_t next;

		while (source_is_word(s->code[at]))
			at++;
		next = source_skip(s, at);
		if (s->code[next] == '[' && source_closing(s, next) != SIZE_MAX)
			at = source_closing(s, next) + 1;
		else if (s->code[next] == '.')
			at = source_skip(s, next + 1);
		else if (strncmp(s->code + next, "->", 2) == 0)
			at = source_skip(s, next + 2);
		else
			return at;
		if (at >= s->length)
			return s->length;
	}
}

/* The unary stars before a name; SIZE_MAX when its address is taken. */
static size_t start_of_part(const struct source *s, size_t name)
{
	size_t start = name;

	for (size_t i = name; i > 0; i--) {
		char c = s->code[i - 1];
		bool unary = i == 1 || strchr("(!=<>&|+-,*~", s->code[i - 2]) ||
			     (i > 2 && s->code[i - 2] == ' ' &&
			      strchr("(!=<>&|+-,*~?:", s->code[i - 3]));

		if (c == '&' && unary && !(i > 1 && s->code[i - 2] == '&'))
			return SIZE_MAX;
		if (c != '*' || !unary)
			break;
		start = i - 1;
	}
	return start;
}

static bool is_behind_scope(const struct source *s, size_t at)
{
	return at > 1 && s->code[at - 1] == ':' && s->code[at - 2] == ':';
}

/* The start of a name, with the file or function that stands before it. */
static size_t start_of_scope(const struct source *s, size_t at)
{
	size_t start = at - 2;

	if (start > 0 && s->code[start - 1] == '\'') {
		do
			start--;
		while (start > 0 && s->code[start - 1] != '\'');
		return start ? start - 1 : 0;
	}
	while (start > 0 && source_is_word(s->code[start - 1]))
		start--;
	return start;
}

static void add_part(GArray *parts, char *text, char *call)
{
	struct expression_part part = { text, call };

	for (guint i = 0; !call && i < parts->len; i++)
		if (strcmp(g_array_index(parts, struct expression_part, i).text, text) == 0) {
			clear_part(&part);
			return;
		}
	g_array_append_val(parts, part);
}

/* `list.size(n)', which starts at a place, where its name ends: a call of a member function.
 * Returns where its arguments are; 0: it is none. */
static size_t take_member_call(const struct source *s, size_t at, size_t end, GArray *parts)
{
	const size_t open = source_skip(s, end);
	size_t name = end, close;

	while (name > at && source_is_word(s->code[name - 1]))
		name--;
	if (s->code[open] != '(' || name == at || name == end)
		return 0;
	close = source_closing(s, open);
	if (close == SIZE_MAX)
		return 0;
	add_part(parts, source_text(s, (struct source_span){ at, close + 1 }),
		 g_strndup(s->code + name, end - name));
	return open + 1;
}

/* Adds the part that starts with the word at a place; returns where to go on. */
static size_t take_expression_part(const struct source *s, size_t at, GArray *parts)
{
	size_t word_end = at, open, end, start, arguments;
	g_autofree char *word = NULL;

	while (source_is_word(s->code[word_end]))
		word_end++;
	word = g_strndup(s->code + at, word_end - at);
	open = source_skip(s, word_end);
	if (g_ascii_isdigit(*word) || strncmp(s->code + open, "::", 2) == 0)
		return word_end;
	if (strcmp(word, "sizeof") == 0 && s->code[open] == '(')
		return MIN(source_closing(s, open), s->length - 1) + 1;
	if (is_keyword_of_parts(word))
		return word_end;
	if (s->code[open] == '(' && source_closing(s, open) != SIZE_MAX) {
		struct source_span span = { at, source_closing(s, open) + 1 };

		add_part(parts, source_text(s, span), g_steal_pointer(&word));
		return open + 1;
	}
	end = end_of_name(s, at);
	arguments = take_member_call(s, at, end, parts);
	if (arguments)
		return arguments;
	start = is_behind_scope(s, at) ? start_of_scope(s, at) : start_of_part(s, at);
	if (start != SIZE_MAX)
		add_part(parts, source_text(s, (struct source_span){ start, end }), NULL);
	return word_end; /* the parts of an index are parts, too */
}

static bool is_member(const struct source *s, size_t at)
{
	while (at > 0 && s->code[at - 1] == ' ')
		at--;
	return at > 0 && (s->code[at - 1] == '.' ||
			  (at > 1 && s->code[at - 1] == '>' && s->code[at - 2] == '-'));
}

GArray *expression_parts(const char *condition)
{
	struct source *s = source_new(condition);
	GArray *parts = g_array_new(FALSE, FALSE, sizeof(struct expression_part));

	g_array_set_clear_func(parts, clear_part);
	for (size_t at = 0; at < s->length;)
		if (!source_is_word(s->code[at]))
			at++;
		else if (is_member(s, at))
			while (source_is_word(s->code[at]))
				at++;
		else
			at = take_expression_part(s, at, parts);
	source_free(s);
	return parts;
}
