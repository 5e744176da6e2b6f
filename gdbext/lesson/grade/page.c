/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/grade/page.h"

#include <gio/gio.h>
#include <string.h>

struct lesson_page {
	GString *text;
};

/* What XML cannot hold is left out. */
static char *escaped_for_page(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	for (char *c = valid; *c; c++)
		if (g_ascii_iscntrl(*c) && *c != '\n' && *c != '\t')
			*c = '?';
	return g_markup_escape_text(valid, -1);
}

struct lesson_page *lesson_page_new(const char *title)
{
	struct lesson_page *p = g_new(struct lesson_page, 1);
	g_autofree char *safe = escaped_for_page(title);

	p->text = g_string_new(NULL);
	g_string_append_printf(
		p->text,
		"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
		"<title>%s</title>\n<style>\n"
		"body { font-family: sans-serif; max-width: 50em; margin: 2em auto; }\n"
		"pre { font-size: 85%%; border: 1px solid #888; padding: 1em; }\n"
		"p { white-space: pre-line; }\n"
		"td { padding: 0 1em 0 0; vertical-align: top; }\n"
		"</style></head>\n<body>\n<h1>%s</h1>\n",
		safe, safe);
	return p;
}

void lesson_page_put(struct lesson_page *p, const char *element, const char *text)
{
	g_autofree char *safe = escaped_for_page(text);

	g_string_append_printf(p->text, "<%s>%s</%s>\n", element, safe, element);
}

void lesson_page_begin(struct lesson_page *p, const char *element)
{
	g_string_append_printf(p->text, "<%s>\n", element);
}

void lesson_page_end(struct lesson_page *p, const char *element)
{
	g_string_append_printf(p->text, "</%s>\n", element);
}

static char *dot_of(const GPtrArray *way)
{
	GString *out = g_string_new("digraph way {\nnode [shape=box, fontname=\"monospace\"];\n");

	for (guint i = 0; i < way->len; i++) {
		g_autofree char *label = g_strescape(way->pdata[i], NULL);

		g_string_append_printf(out, "n%u [label=\"%s\"];\n", i, label);
		if (i)
			g_string_append_printf(out, "n%u -> n%u;\n", i - 1, i);
	}
	g_string_append(out, "}\n");
	return g_string_free(out, FALSE);
}

/* dot's drawing; NULL where there is no dot. */
static char *drawn_by_dot(const char *dot)
{
	g_autoptr(GSubprocess) child =
		g_subprocess_new(G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
					 G_SUBPROCESS_FLAGS_STDERR_SILENCE,
				 NULL, "dot", "-Tsvg", NULL);
	char *svg = NULL, *begin;

	if (!child || !g_subprocess_communicate_utf8(child, dot, NULL, &svg, NULL, NULL) || !svg)
		return NULL;
	/* its head names a DTD elsewhere */
	begin = strstr(svg, "<svg");
	if (begin)
		memmove(svg, begin, strlen(begin) + 1);
	else
		g_clear_pointer(&svg, g_free);
	return svg;
}

void lesson_page_way(struct lesson_page *p, const GPtrArray *way)
{
	g_autofree char *dot = dot_of(way), *svg = drawn_by_dot(dot);

	if (svg)
		g_string_append(p->text, svg);
	lesson_page_begin(p, "ol");
	for (guint i = 0; i < way->len; i++)
		lesson_page_put(p, "li", way->pdata[i]);
	lesson_page_end(p, "ol");
}

char *lesson_page_finish(struct lesson_page *p)
{
	char *text = g_string_free(g_string_append(p->text, "</body></html>\n"), FALSE);

	g_free(p);
	return text;
}
