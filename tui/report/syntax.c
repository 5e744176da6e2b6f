/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/syntax.h"

#include <string.h>

/* Sorted, for bsearch. */
static const char *const keywords[] = {
	"alignas", "auto",	"bool",	     "break",	 "case",     "catch",	 "char",
	"class",   "const",	"constexpr", "continue", "default",  "delete",	 "do",
	"double",  "else",	"enum",	     "explicit", "extern",   "false",	 "final",
	"float",   "for",	"friend",    "goto",	 "if",	     "inline",	 "int",
	"long",	   "namespace", "new",	     "noexcept", "nullptr",  "operator", "override",
	"private", "protected", "public",    "register", "restrict", "return",	 "short",
	"signed",  "sizeof",	"static",    "struct",	 "switch",   "template", "this",
	"throw",   "true",	"try",	     "typedef",	 "typename", "union",	 "unsigned",
	"using",   "virtual",	"void",	     "volatile", "while",
};

static int compare_c_words(const void *a, const void *b)
{
	return strcmp(a, *(const char *const *)b);
}

static bool is_word_of_c(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

static enum tui_role role_of_word(const char *word, size_t n)
{
	g_autofree char *copy = g_strndup(word, n);

	return bsearch(copy, keywords, G_N_ELEMENTS(keywords), sizeof(*keywords), compare_c_words)
		       ? TUI_KEYWORD
		       : TUI_PLAIN;
}

static size_t length_of_quoted(const char *p)
{
	size_t n = 1;

	while (p[n] && p[n] != p[0])
		n += p[n] == '\\' && p[n + 1] ? 2 : 1;
	return p[n] ? n + 1 : n;
}

/* From within a comment to behind its end, or to the end of the line; *open: it goes on. */
static size_t length_of_comment(const char *p, bool *open)
{
	const char *end = strstr(p, "*/");

	*open = !end;
	return end ? (size_t)(end + 2 - p) : strlen(p);
}

static size_t length_of_word(const char *p)
{
	size_t n = 1;

	while (is_word_of_c(p[n]))
		n++;
	return n;
}

size_t tui_syntax_token(const char *p, bool first, bool *inside, enum tui_role *role)
{
	size_t n;

	*role = TUI_COMMENT;
	if (*inside)
		return length_of_comment(p, inside);
	if (p[0] == '/' && p[1] == '/')
		return strlen(p);
	if (p[0] == '/' && p[1] == '*')
		return 2 + length_of_comment(p + 2, inside);
	*role = TUI_LITERAL;
	if (*p == '"' || *p == '\'')
		return length_of_quoted(p);
	if (g_ascii_isdigit(*p))
		return length_of_word(p);
	if (is_word_of_c(*p)) {
		n = length_of_word(p);
		*role = role_of_word(p, n);
		return n;
	}
	*role = TUI_KEYWORD;
	if (*p == '#' && first) {
		n = 1 + strspn(p + 1, " ");
		return is_word_of_c(p[n]) ? n + length_of_word(p + n) : n;
	}
	*role = TUI_PLAIN;
	n = 1;
	while ((p[n] & 0xc0) == 0x80) /* the rest of a character of UTF-8 */
		n++;
	return n;
}
