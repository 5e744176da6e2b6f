/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/operand-text.h"

#include "solver/source/source.h"

#include <glib.h>
#include <string.h>

const char *operand_text_last_word(const char *text)
{
	const char *last = text;

	for (; *text; text++)
		if (!source_is_word(*text))
			last = text + 1;
	return last;
}

/* Does the variable or member stand there, in a text that begins at start? */
bool operand_text_stands(const char *start, const char *at, const char *operand)
{
	size_t n = strlen(operand);

	return strncmp(at, operand, n) == 0 && !source_is_word(at[n]) &&
	       (at == start || (!source_is_word(at[-1]) && !strchr(".>", at[-1])));
}

bool operand_text_begins(const char *text, const char *word)
{
	while (g_ascii_isspace(*text))
		text++;
	return g_str_has_prefix(text, word) && !source_is_word(text[strlen(word)]);
}

bool operand_text_has(const char *text, const char *operand)
{
	const char *at = strstr(text, operand);

	for (; at && *at; at = strstr(at + 1, operand))
		if (operand_text_stands(text, at, operand))
			return true;
	return false;
}

char *operand_text_with(const char *text, const char *a, const char *b, bool exchanged)
{
	GString *out = g_string_new(NULL);

	for (const char *at = text; *at;) {
		if (operand_text_stands(text, at, a)) {
			g_string_append(out, b);
			at += strlen(a);
		} else if (exchanged && operand_text_stands(text, at, b)) {
			g_string_append(out, a);
			at += strlen(b);
		} else {
			g_string_append_c(out, *at++);
		}
	}
	return g_string_free(out, FALSE);
}

/* The length of the word that begins there; 0 = none does. */
static size_t operand_word_length(const char *start, const char *at)
{
	size_t n = 0;

	if (at > start && source_is_word(at[-1]))
		return 0;
	while (at[n] && source_is_word(at[n]))
		n++;
	return n;
}

char *operand_text_mirrored(const char *text, const char *a, const char *b)
{
	GString *out = g_string_new(NULL);

	for (const char *at = text; *at;) {
		size_t n = operand_word_length(text, at);
		bool is_a = n && n == strlen(a) && strncmp(at, a, n) == 0;
		bool is_b = n && n == strlen(b) && strncmp(at, b, n) == 0;

		if (is_a || is_b)
			g_string_append(out, is_a ? b : a);
		else
			g_string_append_len(out, at, (gssize)MAX(n, 1));
		at += MAX(n, 1);
	}
	return g_string_free(out, FALSE);
}

bool operand_text_is_of_one_object(const char *a, const char *b)
{
	size_t n = (size_t)(operand_text_last_word(a) - a);

	return n && n == (size_t)(operand_text_last_word(b) - b) && strncmp(a, b, n) == 0;
}

bool operand_text_is_character_asked(const char *text)
{
	return g_regex_match_simple("[=!]=\\s*('(\\\\.|[^\\\\])'|EOF\\b)", text, 0, 0);
}

bool operand_text_has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at++)
		if ((at == text || !source_is_word(at[-1])) && !source_is_word(at[n]))
			return true;
	return false;
}

bool operand_text_is_counted(const char *text, const char *name)
{
	g_autofree char *pattern = NULL;

	if (!operand_text_has_word(text, name))
		return false;
	pattern = g_strdup_printf(
		"\\b%1$s\\s*(?:\\[[^]]*\\]\\s*)?(?:\\+\\+|--|(?:[-+*/%%&|^]|<<|>>)=)|"
		"(?:\\+\\+|--|(?<!&)&)\\s*(?:\\w+\\s*(?:\\.|->)\\s*)*%1$s\\b",
		name);

	return g_regex_match_simple(pattern, text, 0, 0);
}

unsigned operand_text_matches(const char *text, const char *pattern)
{
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	unsigned n = 0;

	for (g_regex_match(regex, text, 0, &match); g_match_info_matches(match);
	     g_match_info_next(match, NULL))
		n++;
	return n;
}

size_t operand_text_code_length(const char *text)
{
	const char *comment = strstr(text, "//");
	size_t n = comment ? (size_t)(comment - text) : strlen(text);

	for (;;) {
		while (n && g_ascii_isspace(text[n - 1]))
			n--;
		if (n < 4 || strncmp(text + n - 2, "*/", 2) != 0)
			return n;
		for (n -= 2; n >= 2 && strncmp(text + n - 2, "/*", 2) != 0;)
			n--;
		n = n >= 2 ? n - 2 : 0;
	}
}
