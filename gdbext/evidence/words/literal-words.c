/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/words/literal-words.h"

#include "solver/change/mutant/mutant-operator.h"
#include "solver/image/variable/variable.h"
#include "solver/source/operand-text.h"
#include "solver/source/source.h"

#include <inttypes.h>
#include <string.h>

/* The characters that C writes with a backslash, and by which letters. */
static const char escaped[] = "\n\t\r\v\f\a\b\\'\0", escapes[] = "ntrvfab\\'0";

/* The character that stands between quotes, '\n' too; false: none does. */
static bool quoted_character(const char *at, int64_t *value, const char **end)
{
	const bool is_escape = at[0] == '\'' && at[1] == '\\';
	const char *letter = is_escape && at[2] ? strchr(escapes, at[2]) : NULL;

	if (letter && at[3] == '\'') {
		*value = escaped[letter - escapes];
		*end = at + 4;
		return true;
	}
	if (at[0] != '\'' || !at[1] || is_escape || at[2] != '\'')
		return false;
	*value = at[1];
	*end = at + 3;
	return true;
}

/* Reads the number or character that the literal at this place stands for; *end is behind it.
 * False when no literal begins there. */
static bool literal_at(const char *at, int64_t *value, const char **end)
{
	char *behind = NULL;

	if (quoted_character(at, value, end))
		return true;
	if (!g_ascii_isdigit(*at))
		return false;
	*value = g_ascii_strtoll(at, &behind, 0);
	for (*end = behind; source_is_word(**end) || **end == '.'; (*end)++)
		;
	return true;
}

/* Does the statement end in this line?  If not, the rest of it may hold the number. */
static bool is_whole_statement(const char *code)
{
	size_t n = strlen(code);

	return n && strchr(";{})", code[n - 1]);
}

/* What a word of the line may stand for. */
enum named { NAMED_NUMBER, NAMED_OTHER, NAMED_UNKNOWN };

static bool is_called(const char *behind_name)
{
	while (*behind_name == ' ')
		behind_name++;
	return *behind_name == '(';
}

/* A capital name may be a macro, whose value nobody knows, unless it is an enumerator or a
 * variable.  The numbers of `GETARG_B(i)' stand elsewhere. */
static enum named word_names(const struct image *im, const char *word, size_t n, int64_t number)
{
	g_autofree char *name = g_strndup(word, n);
	bool capital = true;
	int64_t value;

	for (size_t i = 0; i < n; i++)
		capital &= !g_ascii_islower(word[i]);
	if (image_enumerator_named(im, name, &value))
		return value == number || value == -number ? NAMED_NUMBER : NAMED_OTHER;
	if (strcmp(name, "NULL") == 0)
		return NAMED_OTHER;
	if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
		return number == (*name == 't') ? NAMED_NUMBER : NAMED_OTHER;
	if (g_str_has_prefix(word, "sizeof"))
		return NAMED_UNKNOWN;
	return capital && !is_called(word + n) && !image_variable_named(im, name) ? NAMED_UNKNOWN
										  : NAMED_OTHER;
}

/* Behind the text in quotes that begins there. */
static const char *behind_quotes(const char *at)
{
	for (at++; *at && *at != '"'; at++)
		at += at[0] == '\\' && at[1];
	return *at ? at + 1 : at;
}

enum literal literal_in(const struct image *im, const char *text, int64_t number)
{
	g_autofree char *code = g_strndup(text, operand_text_code_length(text));
	enum named word = NAMED_OTHER;
	bool unknown = false;
	int64_t value;

	for (const char *at = code; *at;) {
		const char *from = at;

		if (literal_at(at, &value, &at)) {
			if (value == number || value == -number)
				return LITERAL_THERE;
			continue;
		}
		while (source_is_word(*at))
			at++;
		if (at == from)
			at = *at == '"' ? behind_quotes(at) : at + 1;
		else if ((word = word_names(im, from, (size_t)(at - from), number)) == NAMED_NUMBER)
			return LITERAL_THERE;
		else
			unknown |= word == NAMED_UNKNOWN;
	}
	return !unknown && is_whole_statement(code) ? LITERAL_NOT_THERE : LITERAL_UNKNOWN;
}

bool literal_has_two_forms(const char *text, int64_t number)
{
	g_autofree char *code = g_strndup(text, operand_text_code_length(text));
	bool is_quoted = false, is_plain = false;
	int64_t value;

	for (const char *at = code; *at;) {
		const char *from = at;

		if (literal_at(at, &value, &at)) {
			is_quoted |= value == number && *from == '\'';
			is_plain |= value == number && *from != '\'';
			continue;
		}
		while (source_is_word(*at))
			at++;
		if (at == from)
			at = *at == '"' ? behind_quotes(at) : at + 1;
	}
	return is_quoted && is_plain;
}

const char *literal_turned_truth(const struct image *im, const struct mutant *of, const char *text)
{
	const int64_t from = of->from, to = of->to;

	if (mutant_sum_symbol(im, of->addr))
		return NULL;
	if (from == 0 && to == 1 && g_regex_match_simple("\\bfalse\\b", text, 0, 0))
		return "`true' for `false'";
	if (from == 1 && to == 0 && g_regex_match_simple("\\btrue\\b", text, 0, 0))
		return "`false' for `true'";
	return NULL;
}

char *literal_text(int64_t value, const char *text)
{
	const char *escape =
		value >= 0 && value < 0x7f ? memchr(escaped, (int)value, sizeof escaped - 1) : NULL;
	g_autofree char *letter = NULL;

	if (escape)
		letter = g_strdup_printf("'\\%c'", escapes[escape - escaped]);
	else if (value >= ' ' && value < 0x7f)
		letter = g_strdup_printf("'%c'", (char)value);
	if (letter && text && (strstr(text, letter) || text[0] == '\''))
		return g_steal_pointer(&letter);
	return g_strdup_printf("%" PRId64, value);
}
