/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/mutation/copied-words.h"

#include <glib.h>
#include <string.h>

static guint occurrences_of_name(const char *text, const char *name)
{
	g_autofree char *escaped = g_regex_escape_string(name, -1);
	g_autofree char *pattern = g_strdup_printf("(?<!\\w)%s(?!\\w)", escaped);
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	guint n = 0;

	g_regex_match(regex, text, 0, &match);
	for (; g_match_info_matches(match); n++)
		g_match_info_next(match, NULL);
	return n;
}

/* The two names of a change in words; free both. */
static bool names_of_change(const char *change, const char *between, char **first, char **second)
{
	g_autofree char *pattern = g_strdup_printf("^`([^']+)' %s `([^']+)'", between);
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	if (!g_regex_match(regex, change, 0, &match))
		return false;
	*first = g_match_info_fetch(match, 1);
	*second = g_match_info_fetch(match, 2);
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
	g_autoptr(GRegex) calls = g_regex_new("\\w+\\([^()]*\\)", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	if (!names_of_change(change, "for", &now, &before))
		return NULL;
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
