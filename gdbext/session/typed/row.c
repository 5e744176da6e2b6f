/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/typed/row.h"

#include <string.h>

static const char row_words[] = "why --row ";

char *row_about(const GPtrArray *stop, const char *run)
{
	GString *out = g_string_new(run);

	for (guint i = 0; i < stop->len; i++)
		g_string_append_printf(out, " %s", (const char *)stop->pdata[i]);
	return g_string_free(out, FALSE);
}

char *row_question(const char *last, const char *number)
{
	const char *rows = g_str_has_prefix(last, row_words) ? last + strlen(row_words) : NULL;
	size_t n = rows ? strcspn(rows, " ") : 0;

	if (rows)
		return g_strdup_printf("%s%.*s.%s%s", row_words, (int)n, rows, number, rows + n);
	return g_strdup_printf("%s%s %s", row_words, number,
			       g_str_has_prefix(last, "why ") ? last + strlen("why ") : last);
}

static const char *row_next_word(const char *text)
{
	text += strcspn(text, " \t");
	return text + strspn(text, " \t");
}

static bool row_begins_with(const char *text, const char *word)
{
	size_t n = strlen(word);

	return strncmp(text, word, n) == 0 && (!text[n] || text[n] == ' ' || text[n] == '\t');
}

const char *row_behind_options(const char *text)
{
	static const char *const numbered[] = { "-d", "--depth", "--row" };

	for (const char *before = NULL; before != text;) {
		before = text;
		if (row_begins_with(text, "--all"))
			text = row_next_word(text);
		for (size_t i = 0; i < G_N_ELEMENTS(numbered); i++)
			if (row_begins_with(text, numbered[i]) &&
			    g_ascii_isdigit(*row_next_word(text)))
				text = row_next_word(row_next_word(text));
	}
	return text;
}

bool row_is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}
