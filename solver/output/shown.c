/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/shown.h"

#include <stdbool.h>
#include <string.h>

/* Bytes of a line: as many are shown, and so many of them before a difference. */
enum { MOST_SHOWN = 60, BEFORE_DIFFERENCE = 30 };

static bool is_white(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_inside_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t without_newline(const char *text, size_t length)
{
	return length && text[length - 1] == '\n' ? length - 1 : length;
}

/* Appends the character at text as it is shown, also when its bytes are no character.  Returns how
 * many bytes it has. */
static size_t append_character(GString *out, const char *text, size_t length)
{
	const gunichar c = g_utf8_get_char_validated(text, (gssize)length);

	if (*text == '\t' || *text == '\r') {
		g_string_append(out, *text == '\t' ? "\\t" : "\\r");
		return 1;
	}
	if (g_ascii_iscntrl(*text) || !*text || c > 0x10ffff) {
		g_string_append_printf(out, "\\x%02x", (unsigned char)*text);
		return 1;
	}
	g_string_append_unichar(out, c);
	return (size_t)(g_utf8_next_char(text) - text);
}

/* From that byte on; length has no newline. */
static char *quoted_from(const char *text, size_t length, size_t from)
{
	GString *out = g_string_new(from ? "\"..." : "\"");
	size_t end = MIN(length, from + MOST_SHOWN);

	while (end < length && end > from && is_inside_character(text[end]))
		end--;
	while (from < end)
		from += append_character(out, text + from, end - from);
	g_string_append(out, end < length ? "...\"" : "\"");
	return g_string_free(out, FALSE);
}

char *shown_line(const char *text, size_t length)
{
	return quoted_from(text, without_newline(text, length), 0);
}

/* ---- where they differ ---- */

static size_t same_at_begin(const char *a, size_t n, const char *b, size_t m)
{
	size_t same = 0;

	while (same < MIN(n, m) && a[same] == b[same])
		same++;
	while (same && ((same < n && is_inside_character(a[same])) ||
			(same < m && is_inside_character(b[same]))))
		same--;
	return same;
}

static size_t count_characters(const char *text, size_t length)
{
	size_t n = 0;

	for (size_t i = 0; i < length; i++)
		n += !is_inside_character(text[i]);
	return n;
}

static bool differ_in_white_only(const char *a, size_t n, const char *b, size_t m)
{
	size_t i = 0, j = 0;

	for (;; i++, j++) {
		while (i < n && is_white(a[i]))
			i++;
		while (j < m && is_white(b[j]))
			j++;
		if (i == n || j == m)
			return i == n && j == m;
		if (a[i] != b[j])
			return false;
	}
}

static char *white_at(const char *text, size_t from, size_t length)
{
	static const struct {
		char c;
		const char *one, *many;
	} kinds[] = { { ' ', "blank", "blanks" },
		      { '\t', "tab", "tabs" },
		      { '\r', "carriage return", "carriage returns" } };
	size_t end = from;
	bool alike = true;

	while (end < length && is_white(text[end]))
		end++;
	for (size_t i = from; i < end; i++)
		alike = alike && text[i] == text[from];
	if (end == from)
		return g_strdup("nothing");
	for (size_t i = 0; alike && i < G_N_ELEMENTS(kinds); i++)
		if (text[from] == kinds[i].c)
			return g_strdup_printf("%zu %s", end - from,
					       end - from == 1 ? kinds[i].one : kinds[i].many);
	return g_strdup("other white space");
}

/* What only differs in white space: the first piece of it that does. */
static char *white_words(const char *a, size_t n, const char *b, size_t m, size_t same)
{
	size_t from = same;
	g_autofree char *was = NULL;
	g_autofree char *wanted = NULL;

	while (from && is_white(a[from - 1]))
		from--;
	was = white_at(a, from, n);
	wanted = white_at(b, from, m);
	return g_strdup_printf(": %s in place of %s at column %zu", was, wanted,
			       count_characters(a, from) + 1);
}

static char *words_of_difference(const char *a, size_t n, const char *b, size_t m, size_t same,
				 bool is_cut)
{
	if (same < MAX(n, m) && differ_in_white_only(a, n, b, m))
		return white_words(a, n, b, m, same);
	return is_cut ? g_strdup_printf(" at column %zu", count_characters(a, same) + 1)
		      : g_strdup("");
}

struct shown_pair shown_pair(const char *actual, size_t n_actual, const char *expected,
			     size_t n_expected)
{
	const size_t n = without_newline(actual, n_actual),
		     m = without_newline(expected, n_expected);
	const size_t same = same_at_begin(actual, n, expected, m);
	/* the beginning is shown as long as the difference is seen with it */
	size_t from = MAX(n, m) > MOST_SHOWN && same + BEFORE_DIFFERENCE / 2 > MOST_SHOWN
			      ? same - BEFORE_DIFFERENCE
			      : 0;

	while (from && is_inside_character(actual[from]))
		from--;
	return (struct shown_pair){ quoted_from(actual, n, from), quoted_from(expected, m, from),
				    words_of_difference(actual, n, expected, m, same, from > 0) };
}

void shown_pair_clear(struct shown_pair *p)
{
	g_free(p->actual);
	g_free(p->expected);
	g_free(p->words);
	*p = (struct shown_pair){ 0 };
}
