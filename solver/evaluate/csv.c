/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/evaluate/csv.h"

#include <string.h>

void csv_field(GString *line, const char *text)
{
	if (line->len && line->str[line->len - 1] != '\n')
		g_string_append_c(line, ',');
	if (!strpbrk(text, ",\"\r\n")) {
		g_string_append(line, text);
		return;
	}
	g_string_append_c(line, '"');
	for (; *text; text++) {
		if (*text == '"')
			g_string_append_c(line, '"');
		g_string_append_c(line, *text);
	}
	g_string_append_c(line, '"');
}

static char *read_quoted(const char **at)
{
	GString *field = g_string_new(NULL);
	const char *p = *at + 1;

	for (; *p && (*p != '"' || p[1] == '"'); p++) {
		p += *p == '"';
		g_string_append_c(field, *p);
	}
	*at = p + (*p == '"');
	return g_string_free(field, FALSE);
}

static char *read_plain(const char **at)
{
	size_t n = strcspn(*at, ",\r\n");
	char *field = g_strndup(*at, n);

	*at += n;
	return field;
}

char **csv_record(const char **at)
{
	GPtrArray *fields;

	if (!**at)
		return NULL;
	fields = g_ptr_array_new();
	for (;;) {
		g_ptr_array_add(fields, **at == '"' ? read_quoted(at) : read_plain(at));
		if (**at != ',')
			break;
		(*at)++;
	}
	*at += strcspn(*at, "\n"); /* what follows a closing quote, and a carriage return */
	*at += **at == '\n';
	g_ptr_array_add(fields, NULL);
	return (char **)g_ptr_array_free(fields, FALSE);
}
