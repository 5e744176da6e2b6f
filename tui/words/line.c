/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/words/line.h"

#include <stdbool.h>
#include <string.h>

/* U+FFFD is what g_utf8_make_valid puts for stray bytes. */
static bool may_be_shown(gunichar c)
{
	return c != 0xfffd && g_unichar_isdefined(c) && !g_unichar_iscntrl(c) &&
	       g_unichar_type(c) != G_UNICODE_FORMAT;
}

static unsigned width_of_character(gunichar c)
{
	return g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
}

char *tui_clean(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text ? text : "", -1);
	GString *out = g_string_new(NULL);
	bool blank = false, in_string = false;

	for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);

		if (c == '"' && (p == valid || p[-1] != '\\' || (p > valid + 1 && p[-2] == '\\')))
			in_string = !in_string;
		if (in_string && c == ' ') {
			g_string_append_c(out, ' ');
			continue;
		}
		if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
			blank = true;
			continue;
		}
		if (blank && out->len)
			g_string_append_c(out, ' ');
		blank = false;
		g_string_append_unichar(out, may_be_shown(c) ? c : '?');
	}
	return g_string_free(out, FALSE);
}

char *tui_clean_code(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text ? text : "", -1);
	GString *out = g_string_new(NULL);
	unsigned column = 0;

	for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
		gunichar c = g_utf8_get_char(p);
		unsigned blanks = 8 - column % 8;

		if (c == '\t') {
			g_string_append_printf(out, "%*s", (int)blanks, "");
			column += blanks;
			continue;
		}
		if (c == '\r' || c == '\f')
			continue;
		c = may_be_shown(c) ? c : '?';
		g_string_append_unichar(out, c);
		column += width_of_character(c);
	}
	g_strchomp(out->str);
	return g_string_free(out, FALSE);
}

unsigned tui_width(const char *text)
{
	unsigned width = 0;

	for (const char *p = text; *p; p = g_utf8_next_char(p))
		width += width_of_character(g_utf8_get_char(p));
	return width;
}

/* End of the longest head of text that takes at most width columns. */
static const char *head_of_width(const char *text, unsigned width)
{
	const char *p = text;

	while (*p) {
		unsigned w = width_of_character(g_utf8_get_char(p));

		if (w > width)
			break;
		width -= w;
		p = g_utf8_next_char(p);
	}
	return p;
}

char *tui_elide(const char *text, unsigned width)
{
	if (tui_width(text) <= width)
		return g_strdup(text);
	if (width < 4)
		return g_strndup("...", width);

	g_autofree char *head = g_strndup(text, (gsize)(head_of_width(text, width - 3) - text));

	return g_strconcat(g_strchomp(head), "...", NULL);
}

GPtrArray *tui_wrap(const char *text, unsigned width)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	g_autoptr(GString) line = g_string_new(NULL);

	for (char **w = words; *w; w++) {
		g_autofree char *word = tui_elide(*w, width);

		if (line->len && tui_width(line->str) + 1 + tui_width(word) > width) {
			g_ptr_array_add(lines, g_strdup(line->str));
			g_string_truncate(line, 0);
		}
		if (line->len)
			g_string_append_c(line, ' ');
		g_string_append(line, word);
	}
	g_ptr_array_add(lines, g_strdup(line->str));
	return lines;
}

unsigned tui_count_lines(const char *text)
{
	unsigned n = 0;

	for (; (text = strchr(text, '\n')); text++)
		n++;
	return n;
}
