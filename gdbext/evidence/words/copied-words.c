/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/words/copied-words.h"

#include "solver/source/operand-text.h"

#include <glib.h>
#include <string.h>

static guint occurrences_of_name(const char *text, const char *name)
{
	g_autofree char *escaped = g_regex_escape_string(name, -1);
	g_autofree char *pattern = g_strdup_printf("(?<!\\w)%s(?!\\w)", escaped);

	return operand_text_matches(text, pattern);
}

/* The two names of a change in words; free both. */
static bool names_of_change(const char *change, const char *between, char **first, char **second)
{
	g_autofree char *middle = g_strdup_printf("' %s `", between);
	const size_t length = *change == '`' ? strcspn(change + 1, "'") : 0;
	const char *behind = length ? change + 1 + length : "";
	size_t other;

	if (!g_str_has_prefix(behind, middle))
		return false;
	behind += strlen(middle);
	other = strcspn(behind, "'");
	if (!other || !behind[other])
		return false;
	*first = g_strndup(change + 1, length);
	*second = g_strndup(behind, other);
	return true;
}

/* `c < '0' || c > '9'': a range is asked of one value, so nothing was forgotten. */
static bool asks_for_range(const char *text, const char *name)
{
	static const char number[] = "[<>=]\\s*(-?\\d|')|(\\d|')\\s*[<>=!]";
	g_autoptr(GRegex) joint = g_regex_new("&&|\\|\\|", 0, 0, NULL);
	g_auto(GStrv) parts = g_regex_split(joint, text, 0);

	for (char **part = parts; *part; part++)
		if (occurrences_of_name(*part, name) && !g_regex_match_simple(number, *part, 0, 0))
			return false;
	return true;
}

bool copied_words_forgot_name(const char *text, const char *change)
{
	g_autofree char *now = NULL, *before = NULL;

	return (strstr(text, "&&") || strstr(text, "||")) &&
	       names_of_change(change, "for", &now, &before) &&
	       occurrences_of_name(text, before) == 2 && !occurrences_of_name(text, now) &&
	       !asks_for_range(text, before);
}

/* The text with one name for another. */
static char *with_other_name(const char *text, const char *before, const char *now)
{
	g_autofree char *escaped = g_regex_escape_string(before, -1);
	g_autofree char *pattern = g_strdup_printf("(?<!\\w|\\.|>)%s(?!\\w)", escaped);
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);

	return g_regex_replace_literal(regex, text, -1, 0, now, 0, NULL);
}

char *copied_words_call(const char *text, const char *change)
{
	g_autofree char *now = NULL, *before = NULL;
	g_autoptr(GRegex) calls = NULL;
	g_autoptr(GMatchInfo) match = NULL;

	if (!strchr(text, '(') || !names_of_change(change, "for", &now, &before))
		return NULL;
	calls = g_regex_new("\\w+\\([^()]*\\)", 0, 0, NULL);
	g_regex_match(calls, text, 0, &match);
	for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
		g_autofree char *call = g_match_info_fetch(match, 0);
		g_autofree char *other = with_other_name(call, before, now);

		if (strcmp(call, other) != 0)
			return g_steal_pointer(&other);
	}
	return NULL;
}

char *copied_words_indices(const char *text, const char *change)
{
	g_autofree char *a = NULL, *b = NULL, *one = NULL, *other = NULL;

	if (!names_of_change(change, "and", &a, &b) || !g_str_has_suffix(change, "exchanged"))
		return NULL;
	one = g_strdup_printf("[%s][%s]", a, b);
	other = g_strdup_printf("[%s][%s]", b, a);
	return strstr(text, one)     ? g_steal_pointer(&one)
	       : strstr(text, other) ? g_steal_pointer(&other)
				     : NULL;
}

/* Words and signs of a line. */
static GPtrArray *words_and_signs(const char *text)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);

	while (*text) {
		size_t n = 0;

		while (g_ascii_isalnum(text[n]) || text[n] == '_')
			n++;
		n = MAX(n, 1u);
		if (!g_ascii_isspace(*text))
			g_ptr_array_add(all, g_strndup(text, n));
		text += n;
	}
	return all;
}

/* How many names are other ones in the second line; *most: how often the one that is so most often.
 * UINT_MAX: the lines differ otherwise, or a name has become two. */
static guint names_renamed(const GPtrArray *from, const GPtrArray *to, guint *most)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal),
			      times = g_hash_table_new(g_str_hash, g_str_equal);
	guint n = 0;

	*most = 0;
	for (guint i = 0; i < from->len; i++) {
		const char *a = from->pdata[i], *b = to->pdata[i],
			   *other = g_hash_table_lookup(names, a);
		const bool is_name = g_ascii_isalpha(*a) && g_ascii_isalpha(*b);
		guint seen;

		if (other ? strcmp(other, b) != 0 : !is_name && strcmp(a, b) != 0)
			return G_MAXUINT;
		g_hash_table_insert(names, (gpointer)a, (gpointer)b);
		if (strcmp(a, b) == 0)
			continue;
		seen = GPOINTER_TO_UINT(g_hash_table_lookup(times, a)) + 1;
		g_hash_table_insert(times, (gpointer)a, GUINT_TO_POINTER(seen));
		n += seen == 1;
		*most = MAX(*most, seen);
	}
	return n;
}

bool copied_words_adapt(const char *text, const char *change, const char *other)
{
	enum { LONG = 12 }; /* words and signs; shorter lines are alike by chance */
	g_autofree char *now = NULL, *before = NULL;
	g_autoptr(GPtrArray) line = words_and_signs(text), copied = words_and_signs(other);
	guint most;

	if (line->len < LONG || line->len != copied->len ||
	    !names_of_change(change, "for", &now, &before) ||
	    names_renamed(copied, line, &most) != 2)
		return false;
	for (guint i = 0; i < line->len; i++) {
		char *written = line->pdata[i];
		bool adapts;

		if (strcmp(written, before) != 0)
			continue;
		line->pdata[i] = now;
		adapts = names_renamed(copied, line, &most) == 1 && most > 1;
		line->pdata[i] = written;
		if (adapts)
			return true;
	}
	return false;
}

bool copied_words_has_both(const char *text, const char *change)
{
	g_autofree char *a = NULL, *b = NULL;

	return names_of_change(change, "and", &a, &b) && operand_text_has(text, a) &&
	       operand_text_has(text, b);
}

bool copied_words_is_no_list(const char *text, const char *change)
{
	g_autofree char *now = NULL, *before = NULL;

	return !g_regex_match_simple("=\\s*\\{", text, 0, 0) ||
	       !names_of_change(change, "for", &now, &before) || operand_text_has(text, before);
}

bool copied_words_has_name(const char *text, const char *change)
{
	g_autofree char *now = NULL, *before = NULL;

	return !change || !names_of_change(change, "for", &now, &before) ||
	       strstr(text, before) != NULL;
}

/* Without blanks. */
static char *text_without_blanks(const char *text, size_t n)
{
	GString *out = g_string_sized_new(n);

	for (size_t i = 0; i < n; i++)
		if (!g_ascii_isspace(text[i]))
			g_string_append_c(out, text[i]);
	return g_string_free(out, FALSE);
}

bool copied_words_has_element(const char *text, const char *change)
{
	const char *replaced = strstr(change, "' for `");
	const char *end = replaced ? strrchr(change, '\'') : NULL;
	g_autofree char *name = NULL, *line = NULL;

	if (!replaced || end <= replaced + strlen("' for `"))
		return true;
	replaced += strlen("' for `");
	name = text_without_blanks(replaced, (size_t)(end - replaced));
	line = text_without_blanks(text, strlen(text));
	return !strchr(name, '[') || strstr(line, name);
}
