/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The row that is selected, whole: below its list, where a row has room for its beginning only. */
#include "tui/panel/private.h"
#include "tui/words/line.h"
#include "tui/words/suspect-words.h"
#include "tui/words/words.h"

enum { LEAST_ROWS = 2 /* of the list, which stay */, INDENT = 2 };

static void add_lines_of_text(GPtrArray *lines, const char *text, unsigned width)
{
	g_autoptr(GPtrArray) wrapped = tui_wrap(text, width);

	for (guint i = 0; i < wrapped->len; i++)
		g_ptr_array_add(lines, g_strdup(wrapped->pdata[i]));
}

static void add_suspect_detail(const struct panel *p, GPtrArray *lines, unsigned width)
{
	const struct explanation_suspect *s = panel_suspect(p);
	unsigned which = p->lists[PANEL_SUSPECTS].selected;
	g_autofree char *evidence = s ? tui_words_evidence(s, p->e->failure.kind) : NULL;

	for (guint i = 0; s && i < s->statements->len; i++) {
		const struct explanation_statement *st =
			&g_array_index(s->statements, struct explanation_statement, i);
		g_autofree char *place = tui_place(&p->page, st->file, st->line, width);
		g_autofree char *text = tui_clean(st->text);
		g_autofree char *verdict = tui_words_verdict(s, i, p->e->failure.kind);
		g_autofree char *all =
			p->words.suspects
				? g_strdup_printf("%s  %s", place, p->words.suspects[which])
				: g_strdup_printf("%s%s  %s  %s", i ? "and " : "", place, text,
						  verdict);

		add_lines_of_text(lines, all, width);
	}
	if (evidence && !p->words.suspects)
		add_lines_of_text(lines, evidence, width);
}

static void add_link_detail(const struct panel *p, GPtrArray *lines, unsigned width)
{
	const struct explanation_link *l = panel_link(p, p->lists[PANEL_CHAIN].selected);
	g_autofree char *place = l ? tui_place(&p->page, l->file, l->line, width) : NULL;
	g_autofree char *text = l ? tui_clean(l->text ? l->text : l->clause) : NULL;
	g_autofree char *values = l ? tui_words_values(l->values) : NULL;
	g_autofree char *all = l ? g_strdup_printf("%s  %s  %s", place, text, values) : NULL;

	/* behind "   data " it fits */
	if (all && tui_width(all) + 8 > width + INDENT)
		add_lines_of_text(lines, all, width);
}

GPtrArray *panel_detail(const struct panel *p, enum panel_pane pane, unsigned width,
			unsigned height)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	unsigned room = height > 1 + LEAST_ROWS ? height - 1 - LEAST_ROWS : 0;

	if (!p->e || width < 10)
		return lines;
	if (pane == PANEL_SUSPECTS)
		add_suspect_detail(p, lines, width - INDENT);
	else if (pane == PANEL_CHAIN)
		add_link_detail(p, lines, width - INDENT);
	if (lines->len > room)
		g_ptr_array_set_size(lines, (gint)room);
	return lines;
}

void panel_detail_draw(const struct panel *p, enum panel_pane pane, struct canvas *c)
{
	const struct canvas_area *a = &p->areas[pane];
	g_autoptr(GPtrArray) lines = panel_detail(p, pane, a->width, a->height);

	for (guint i = 0; i < lines->len; i++)
		canvas_put(c, a, INDENT, a->height - lines->len + i, TUI_PLACE, lines->pdata[i]);
}
