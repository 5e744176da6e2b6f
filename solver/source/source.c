/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/source.h"

#include <string.h>

struct sources {
	const struct image *im;
	GHashTable *files; /* name → struct source *, NULL for those that are not there */
};

static void blank_out(char *code, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (code[i] != '\n')
			code[i] = ' ';
}

static size_t end_of_literal(const char *text, size_t at)
{
	char quote = text[at++];

	while (text[at] && text[at] != quote && text[at] != '\n')
		at += text[at] == '\\' && text[at + 1] ? 2 : 1;
	return at;
}

static size_t end_of_comment(const char *text, size_t at)
{
	const char *end;

	if (text[at + 1] == '/')
		return at + strcspn(text + at, "\n");
	end = strstr(text + at + 2, "*/");
	return end ? (size_t)(end - text) + 2 : strlen(text);
}

static size_t end_of_directive(const char *text, size_t at)
{
	while (text[at] && text[at] != '\n')
		at += text[at] == '\\' && text[at + 1] ? 2 : 1;
	return at;
}

static bool starts_line(const char *text, size_t at)
{
	while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
		at--;
	return at == 0 || text[at - 1] == '\n';
}

static void blank_what_is_no_code(struct source *s)
{
	for (size_t at = 0; at < s->length;) {
		char c = s->text[at];
		size_t end = at + 1;

		if (c == '"' || c == '\'') {
			end = end_of_literal(s->text, at);
			blank_out(s->code, at + 1, end);
			end += end < s->length;
		} else if (c == '/' && (s->text[at + 1] == '/' || s->text[at + 1] == '*')) {
			end = end_of_comment(s->text, at);
			blank_out(s->code, at, end);
		} else if (c == '#' && starts_line(s->text, at)) {
			end = end_of_directive(s->text, at);
			blank_out(s->code, at, end);
		}
		at = end;
	}
}

struct source *source_new(const char *text)
{
	struct source *s = g_new0(struct source, 1);
	size_t start = 0;

	s->text = g_strdup(text);
	s->code = g_strdup(text);
	s->length = strlen(text);
	s->lines = g_array_new(FALSE, FALSE, sizeof(size_t));
	while (start < s->length) {
		g_array_append_val(s->lines, start);
		start += strcspn(text + start, "\n") + 1;
	}
	blank_what_is_no_code(s);
	return s;
}

void source_free(struct source *s)
{
	if (!s)
		return;
	g_array_free(s->lines, TRUE);
	g_free(s->text);
	g_free(s->code);
	g_free(s);
}

struct sources *sources_new(const struct image *im)
{
	struct sources *s = g_new0(struct sources, 1);

	s->im = im;
	s->files =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)source_free);
	return s;
}

void sources_free(struct sources *s)
{
	if (!s)
		return;
	g_hash_table_destroy(s->files);
	g_free(s);
}

const struct source *sources_get(struct sources *s, const char *file)
{
	g_autoptr(GString) text = NULL;
	struct source *made = NULL;
	const char *line;
	gpointer known;

	if (!file)
		return NULL;
	if (g_hash_table_lookup_extended(s->files, file, NULL, &known))
		return known;
	text = g_string_new(NULL);
	for (unsigned n = 1; (line = image_source_line(s->im, file, n)); n++)
		g_string_append_printf(text, "%s\n", line);
	if (text->len)
		made = source_new(text->str);
	g_hash_table_insert(s->files, g_strdup(file), made);
	return made;
}

bool source_place(const struct source *s, unsigned line, unsigned column, size_t *at)
{
	size_t start, length;

	if (line == 0 || line > s->lines->len)
		return false;
	start = g_array_index(s->lines, size_t, line - 1);
	length = strcspn(s->text + start, "\n");
	if (column == 0)
		column = 1 + (unsigned)strspn(s->text + start, " \t");
	if (column > length)
		return false;
	*at = start + column - 1;
	return true;
}

bool source_is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

static bool is_blank_in_source(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

size_t source_skip(const struct source *s, size_t at)
{
	while (at < s->length && is_blank_in_source(s->code[at]))
		at++;
	return at;
}

size_t source_end_before(const struct source *s, size_t at)
{
	while (at && is_blank_in_source(s->code[at - 1]))
		at--;
	return at;
}

struct source_span source_trim(const struct source *s, size_t from, size_t to)
{
	while (from < to && is_blank_in_source(s->code[from]))
		from++;
	while (from < to && is_blank_in_source(s->code[to - 1]))
		to--;
	return (struct source_span){ from, to };
}

char *source_function_body(const struct source *s, unsigned line)
{
	size_t at, open, close;

	if (!source_place(s, line, 0, &at))
		return NULL;
	open = at + strcspn(s->code + at, "{;");
	close = open < s->length && s->code[open] == '{' ? source_closing(s, open) : SIZE_MAX;
	return close != SIZE_MAX ? g_strndup(s->code + open, close - open) : NULL;
}

size_t source_brace_around(const struct source *s, size_t at)
{
	while (at-- > 0) {
		if (s->code[at] == '{')
			return at;
		if (s->code[at] != '}')
			continue;
		at = source_opening(s, at);
		if (at == SIZE_MAX)
			return at;
	}
	return SIZE_MAX;
}

bool source_has_word(const struct source *s, size_t at, const char *word)
{
	size_t n = strlen(word);

	return at + n <= s->length && strncmp(s->code + at, word, n) == 0 &&
	       !source_is_word(s->code[at + n]) && (at == 0 || !source_is_word(s->code[at - 1]));
}

static bool opens_bracket(char c)
{
	return c == '(' || c == '[' || c == '{';
}

static bool is_closing_bracket(char c)
{
	return c == ')' || c == ']' || c == '}';
}

size_t source_closing(const struct source *s, size_t open)
{
	unsigned depth = 0;

	for (size_t i = open; i < s->length; i++) {
		depth += opens_bracket(s->code[i]);
		if (is_closing_bracket(s->code[i]) && --depth == 0)
			return i;
	}
	return SIZE_MAX;
}

size_t source_opening(const struct source *s, size_t close)
{
	unsigned depth = 0;

	for (size_t i = close + 1; i > 0; i--) {
		depth += is_closing_bracket(s->code[i - 1]);
		if (opens_bracket(s->code[i - 1]) && --depth == 0)
			return i - 1;
	}
	return SIZE_MAX;
}

/* The word before a place. */
static bool word_before(const struct source *s, size_t at, const char *word)
{
	size_t n = strlen(word);

	while (at > 0 && is_blank_in_source(s->code[at - 1]))
		at--;
	return at >= n && source_has_word(s, at - n, word);
}

/* A statement starts after a `;', after a brace that does not belong to an initializer, or
 * after the bracket that ends the head of an if, for or while. */
static size_t start_of_statement(const struct source *s, size_t at)
{
	while (at > 0) {
		char c = s->code[at - 1];

		if (c == ';' || c == '{' || c == '}')
			return at;
		if (c == '(' && word_before(s, at - 1, "for"))
			return at;
		if (c == ')') {
			size_t open = source_opening(s, at - 1);

			if (open == SIZE_MAX)
				return at;
			if (word_before(s, open, "if") || word_before(s, open, "for") ||
			    word_before(s, open, "while") || word_before(s, open, "switch"))
				return at;
			at = open;
			continue;
		}
		if (word_before(s, at, "else") || word_before(s, at, "do"))
			return at;
		at--;
	}
	return 0;
}

static size_t end_of_statement(const struct source *s, size_t from)
{
	unsigned depth = 0;

	for (size_t i = from; i < s->length; i++) {
		char c = s->code[i];

		if (depth == 0 && (c == ';' || c == '}' || c == ')'))
			return i;
		depth += opens_bracket(c);
		depth -= is_closing_bracket(c);
	}
	return s->length;
}

/* Words of a head that stand before the statement proper. */
static bool is_head(const struct source *s, size_t at)
{
	static const char *const heads[] = { "if", "for", "while", "switch" };

	for (size_t i = 0; i < G_N_ELEMENTS(heads); i++)
		if (source_has_word(s, at, heads[i]))
			return true;
	return false;
}

/* Goes past `case 3:', `default:' and `out:'. */
static size_t skip_labels(const struct source *s, size_t at)
{
	for (;;) {
		bool is_case = source_has_word(s, at, "case");
		size_t end = at;

		while (end < s->length && (source_is_word(s->code[end]) ||
					   (is_case && !strchr(":;{}?", s->code[end]))))
			end++;
		end = source_skip(s, end);
		if (end == at || end >= s->length || s->code[end] != ':')
			return at;
		at = source_skip(s, end + 1);
	}
}

struct source_span source_statement(const struct source *s, size_t at)
{
	size_t from = skip_labels(s, source_skip(s, start_of_statement(s, at))), to;

	if (is_head(s, from)) {
		size_t open = from + strcspn(s->code + from, "(");
		size_t close = open < s->length ? source_closing(s, open) : SIZE_MAX;

		return source_trim(s, from, close == SIZE_MAX ? from : close + 1);
	}
	to = end_of_statement(s, from);
	return source_trim(s, from, to);
}

char *source_text(const struct source *s, struct source_span span)
{
	GString *out;
	bool gap = false;
	char quote = 0;

	if (span.from >= span.to || span.to > s->length)
		return NULL;
	out = g_string_new(NULL);
	for (size_t i = span.from; i < span.to; i++) {
		char c = s->code[i];

		if (!quote && is_blank_in_source(c)) {
			gap = true;
			continue;
		}
		if (quote ? c == quote : c == '"' || c == '\'')
			quote = quote ? 0 : c;
		if (gap && out->len)
			g_string_append_c(out, ' ');
		gap = false;
		g_string_append_c(out, s->text[i]);
	}
	return g_string_free(out, FALSE);
}

/* ---- initializers ---- */

/* Behind the `{' of the initializer; 0 = there is none. */
static size_t find_initializer(const struct source *s, size_t at, const char *name)
{
	/* not in the members of a type that is declared there, too */
	while (at < s->length && s->code[at] != ';' && !source_has_word(s, at, name)) {
		size_t members = s->code[at] == '{' ? source_closing(s, at) : at;

		at = members == SIZE_MAX ? s->length : members + 1;
	}
	if (at >= s->length || !source_has_word(s, at, name))
		return 0;
	while (at < s->length && s->code[at] != ';' && s->code[at] != '=')
		at++;
	if (at >= s->length || s->code[at] != '=')
		return 0;
	at = source_skip(s, at + 1);
	return at < s->length && s->code[at] == '{' ? at + 1 : 0;
}

static unsigned line_of_place(const struct source *s, size_t at)
{
	unsigned line = 0;

	while (line < s->lines->len && g_array_index(s->lines, size_t, line) <= at)
		line++;
	return line;
}

unsigned source_element_line(const struct source *s, unsigned line, const char *name, uint64_t n)
{
	size_t at, end;

	if (!source_place(s, line, 0, &at) || !(at = find_initializer(s, at, name)))
		return 0;
	end = source_closing(s, at - 1);
	for (; at < end && end != SIZE_MAX; at++) {
		at = source_skip(s, at);
		/* a designator */
		if (s->code[at] == '[' || s->code[at] == '.')
			return 0;
		if (!n--)
			return at < end ? line_of_place(s, at) : 0;
		while (at < end && s->code[at] != ',')
			at = strchr("{([", s->code[at]) ? source_closing(s, at) + 1 : at + 1;
	}
	return 0;
}
