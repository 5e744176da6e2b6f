/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/regress/split.h"

#include <string.h>

/* A reader of the text of some lines, token by token. */
struct reader {
	const char *text;
	gsize at, length;
	unsigned line; /* of at, from 0 */
};

static char peek_in_text(const struct reader *r, gsize ahead)
{
	return r->at + ahead < r->length ? r->text[r->at + ahead] : '\0';
}

static void advance_in_text(struct reader *r)
{
	if (peek_in_text(r, 0) == '\n')
		r->line++;
	r->at++;
}

/* Behind a comment; false when it does not end. */
static bool skip_comment(struct reader *r)
{
	if (peek_in_text(r, 1) == '/') {
		while (r->at < r->length && peek_in_text(r, 0) != '\n')
			advance_in_text(r);
		return true;
	}
	r->at += 2;
	while (r->at < r->length && !(peek_in_text(r, 0) == '*' && peek_in_text(r, 1) == '/'))
		advance_in_text(r);
	if (r->at >= r->length)
		return false;
	r->at += 2;
	return true;
}

static bool skip_quoted(struct reader *r)
{
	char quote = peek_in_text(r, 0);

	for (advance_in_text(r); r->at < r->length && peek_in_text(r, 0) != '\n';
	     advance_in_text(r)) {
		if (peek_in_text(r, 0) == '\\')
			advance_in_text(r);
		else if (peek_in_text(r, 0) == quote) {
			advance_in_text(r);
			return true;
		}
	}
	return false;
}

/* To the next thing that is no blank and no comment.  False: a comment does not end. */
static bool skip_blank(struct reader *r)
{
	while (r->at < r->length) {
		if (g_ascii_isspace(peek_in_text(r, 0)))
			advance_in_text(r);
		else if (peek_in_text(r, 0) == '/' &&
			 (peek_in_text(r, 1) == '/' || peek_in_text(r, 1) == '*')) {
			if (!skip_comment(r))
				return false;
		} else {
			break;
		}
	}
	return true;
}

static bool is_word_of_statement(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

static bool at_word(const struct reader *r, const char *word)
{
	gsize n = strlen(word);

	return r->length - r->at >= n && memcmp(r->text + r->at, word, n) == 0 &&
	       !is_word_of_statement(peek_in_text(r, n));
}

/* A line with `#' first; one that decides what is compiled is never cut from its end. */
static bool skip_directive(struct reader *r)
{
	static const char *const conditional[] = {
		"if", "ifdef", "ifndef", "elif", "else", "endif"
	};

	for (r->at++; peek_in_text(r, 0) == ' ' || peek_in_text(r, 0) == '\t'; r->at++)
		;
	for (size_t i = 0; i < G_N_ELEMENTS(conditional); i++)
		if (at_word(r, conditional[i]))
			return false;
	while (r->at < r->length && peek_in_text(r, 0) != '\n') {
		if (peek_in_text(r, 0) == '\\')
			advance_in_text(r);
		advance_in_text(r);
	}
	return true;
}

/* One token of a statement; *depth counts brackets.  False when no statement has it. */
static bool skip_token(struct reader *r, int *depth)
{
	char c = peek_in_text(r, 0);

	if (c == '"' || c == '\'')
		return skip_quoted(r);
	if (c == '#')
		return false;
	if (is_word_of_statement(c)) {
		while (is_word_of_statement(peek_in_text(r, 0)))
			advance_in_text(r);
		return true;
	}
	if (c == '(' || c == '[' || c == '{')
		++*depth;
	else if (c == ')' || c == ']' || c == '}')
		--*depth;
	advance_in_text(r);
	return *depth >= 0;
}

/* Does the statement go on, although a `;' or `}' ended a part of it? */
static bool statement_goes_on(struct reader *r, bool is_do, bool was_brace)
{
	struct reader next = *r;

	if (!skip_blank(&next))
		return true;
	if (at_word(&next, "else"))
		return true;
	if (!was_brace)
		return false;
	return peek_in_text(&next, 0) == ';' || peek_in_text(&next, 0) == ',' ||
	       peek_in_text(&next, 0) == '=' || peek_in_text(&next, 0) == ')' ||
	       (is_do && at_word(&next, "while")) ||
	       /* struct s { ... } name; */
	       (next.line == r->line && next.at < next.length &&
		is_word_of_statement(peek_in_text(&next, 0)));
}

static bool skip_statement(struct reader *r)
{
	bool is_do = at_word(r, "do");
	int depth = 0;

	if (peek_in_text(r, 0) == '#')
		return skip_directive(r);
	if (at_word(r, "else"))
		return false;
	while (r->at < r->length) {
		char c = peek_in_text(r, 0);

		if (!skip_token(r, &depth))
			return false;
		if (depth == 0 && (c == ';' || c == '}') && !statement_goes_on(r, is_do, c == '}'))
			return true;
		if (!skip_blank(r))
			return false;
	}
	return false;
}

/* Is nothing but blanks and comments left on this line?  Goes behind it. */
static bool finish_line(struct reader *r)
{
	while (r->at < r->length && peek_in_text(r, 0) != '\n') {
		if (peek_in_text(r, 0) == '/' &&
		    (peek_in_text(r, 1) == '/' || peek_in_text(r, 1) == '*')) {
			unsigned line = r->line;

			if (!skip_comment(r) || r->line != line)
				return false;
		} else if (g_ascii_isspace(peek_in_text(r, 0))) {
			r->at++;
		} else {
			return false;
		}
	}
	if (r->at < r->length)
		advance_in_text(r);
	return true;
}

static GString *join_lines(GBytes *const *lines, guint n)
{
	GString *all = g_string_new(NULL);

	for (guint i = 0; i < n; i++) {
		gsize size;
		const char *text = g_bytes_get_data(lines[i], &size);

		g_string_append_len(all, text, (gssize)size);
	}
	return all;
}

GArray *regress_split_statements(GBytes *const *lines, guint n)
{
	GString *all = join_lines(lines, n);
	struct reader r = { .text = all->str, .length = all->len };
	GArray *pieces = g_array_new(FALSE, FALSE, sizeof(unsigned));
	bool ok = !n || (all->len && all->str[all->len - 1] == '\n');
	unsigned from = 0;

	while (ok) {
		unsigned count;

		ok = skip_blank(&r);
		if (!ok || r.at >= r.length)
			break;
		ok = skip_statement(&r) && finish_line(&r);
		count = r.line - from;
		from = r.line;
		if (ok)
			g_array_append_val(pieces, count);
	}
	if (ok && pieces->len) /* a blank end goes with the last piece */
		g_array_index(pieces, unsigned, pieces->len - 1) += n - from;
	else if (ok && n)
		g_array_append_val(pieces, n);
	g_string_free(all, TRUE);
	if (ok)
		return pieces;
	g_array_unref(pieces);
	return NULL;
}
