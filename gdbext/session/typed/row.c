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

bool row_is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}
