/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/text.h"

#include <string.h>

static const char escapes[] = "a\ab\be\033f\fn\nr\rt\tv\v";

static char escaped_byte(char c)
{
	for (const char *e = escapes; *e; e += 2) {
		if (*e == c)
			return e[1];
	}
	return c;
}

/* What follows a backslash at p < end; returns behind it. */
static const char *read_escape(const char *p, const char *end, GString *to)
{
	unsigned byte = 0;
	int digits = 0;

	while (digits < 3 && p < end && *p >= '0' && *p <= '7') {
		byte = byte * 8 + (unsigned)(*p++ - '0');
		digits++;
	}
	if (digits) {
		g_string_append_c(to, (char)byte);
		return p;
	}
	g_string_append_c(to, escaped_byte(*p));
	return p + 1;
}

bool mi_text_read(const char **at, const char *end, GString *to)
{
	const char *p = *at;

	if (p == end || *p++ != '"')
		return false;
	while (p < end && *p != '"') {
		const char *plain = p;

		while (p < end && *p != '"' && *p != '\\')
			p++;
		g_string_append_len(to, plain, p - plain);
		if (p < end && *p == '\\') {
			if (++p == end)
				return false;
			p = read_escape(p, end, to);
		}
	}
	if (p == end)
		return false;
	*at = p + 1;
	return true;
}

static void print_byte(unsigned char c, bool keep_utf8, GString *to)
{
	switch (c) {
	case '\n':
		g_string_append(to, "\\n");
		break;
	case '\t':
		g_string_append(to, "\\t");
		break;
	case '\r':
		g_string_append(to, "\\r");
		break;
	case '"':
	case '\\':
		g_string_append_c(to, '\\');
		g_string_append_c(to, (char)c);
		break;
	default:
		if ((c >= 0x20 && c < 0x7f) || (keep_utf8 && c >= 0x80))
			g_string_append_c(to, (char)c);
		else
			g_string_append_printf(to, "\\%03o", c);
	}
}

void mi_text_print(const char *text, size_t length, GString *to)
{
	g_string_append_c(to, '"');
	for (size_t i = 0; i < length; i++)
		print_byte((unsigned char)text[i], false, to);
	g_string_append_c(to, '"');
}

char *mi_quote(const char *text)
{
	GString *to = g_string_new("\"");

	for (; *text; text++)
		print_byte((unsigned char)*text, true, to);
	g_string_append_c(to, '"');
	return g_string_free(to, FALSE);
}

char *mi_quote_word(const char *text)
{
	GString *to = g_string_new(NULL);

	if (!*text)
		g_string_append(to, "''");
	for (; *text; text++) {
		if (g_ascii_isspace(*text) || strchr("\\'\"", *text))
			g_string_append_c(to, '\\');
		g_string_append_c(to, *text);
	}
	return g_string_free(to, FALSE);
}
