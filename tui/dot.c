/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/dot.h"
#include "tui/line.h"
#include "tui/page.h"
#include "tui/words.h"

static char *escaped(const char *text)
{
	GString *out = g_string_new(NULL);

	for (const char *p = text; *p; p++) {
		if (*p == '"' || *p == '\\')
			g_string_append_c(out, '\\');
		g_string_append_c(out, *p);
	}
	return g_string_free(out, FALSE);
}

/* "3 ": the suspects that start there. */
static char *ranks_at(const struct explanation *e, guint link)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		if (s->chain->len && g_array_index(s->chain, guint, 0) == link)
			g_string_append_printf(out, "%s%u", out->len ? ", " : "", s->rank);
	}
	return g_string_free(out, FALSE);
}

static void put_node(GString *out, const struct tui_page *page, const struct explanation *e,
		     guint i)
{
	const struct explanation_link *l = &g_array_index(e->chain, struct explanation_link, i);
	g_autofree char *place = tui_place(page, l->file, l->line, G_MAXUINT);
	g_autofree char *clean = tui_clean(l->text ? l->text : l->clause);
	g_autofree char *values = tui_words_values(l->values);
	g_autofree char *name = escaped(place);
	g_autofree char *code = escaped(clean);
	g_autofree char *changes = escaped(values);
	g_autofree char *ranks = ranks_at(e, i);

	g_string_append_printf(out, "\tn%u [label=\"%s%s%s\\l%s\\l%s%s\"%s];\n", i, ranks,
			       *ranks ? "   " : "", name, code, changes, *changes ? "\\l" : "",
			       i + 1 == e->chain->len ? ", peripheries=2"
			       : *ranks		      ? ", penwidth=2"
						      : "");
}

static void put_edges(GString *out, const struct explanation *e, guint to)
{
	const GArray *because = g_array_index(e->chain, struct explanation_link, to).because;

	for (guint k = 0; because && k < because->len; k++) {
		guint from = g_array_index(because, guint, k);

		if (from < e->chain->len)
			g_string_append_printf(
				out, "\tn%u -> n%u%s;\n", from, to,
				g_array_index(e->chain, struct explanation_link, from).edge ==
						EDGE_CONTROL
					? " [style=dashed]"
					: "");
	}
}

char *tui_dot(FILE *file, const struct explanation *e, const struct tui_options *o)
{
	GString *out = g_string_new("digraph why {\n"
				    "\tnode [shape=box, fontname=monospace];\n");
	struct tui_page page;
	g_autofree char *failure = NULL;
	g_autofree char *title = NULL;
	g_autofree char *place = NULL;

	tui_page_init(&page, file, o);
	place = tui_place(&page, e->failure.file, e->failure.line, G_MAXUINT);
	failure = tui_words_failure(&e->failure, place);
	title = escaped(failure);
	g_string_append_printf(out, "\tlabel=\"%s\";\n\tlabelloc=t;\n", title);
	for (guint i = 0; i < e->chain->len; i++)
		put_node(out, &page, e, i);
	for (guint i = 0; i < e->chain->len; i++)
		put_edges(out, e, i);
	g_string_append(out, "}\n");
	tui_page_deinit(&page);
	return g_string_free(out, FALSE);
}
