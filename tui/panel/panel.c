/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/words/line.h"
#include "tui/panel/private.h"

#include <limits.h>
#include <string.h>

struct panel *panel_new(const char *directory, bool ascii)
{
	struct panel *p = g_new0(struct panel, 1);
	const struct tui_options o = { .directory = directory, .width = 80 };

	tui_page_init(&p->page, stdout, &o);
	p->ascii = ascii;
	p->focus = PANEL_SUSPECTS;
	p->lower = PANEL_SUSPECTS;
	p->output = g_ptr_array_new_with_free_func(g_free);
	p->typed = g_string_new(NULL);
	panel_marks_init(p);
	return p;
}

void panel_free(struct panel *p)
{
	if (!p)
		return;
	tui_page_deinit(&p->page);
	panel_marks_deinit(p);
	panel_task_free(p->task);
	g_ptr_array_unref(p->output);
	g_string_free(p->typed, TRUE);
	g_free(p->busy);
	g_free(p->message);
	g_free(p->output_title);
	g_free(p->search);
	g_free(p->suggestion);
	g_free(p);
}

/* --- what is selected --- */

const struct explanation_suspect *panel_suspect(const struct panel *p)
{
	unsigned i = p->lists[PANEL_SUSPECTS].selected;

	return p->e && i < p->e->suspects->len ? p->e->suspects->pdata[i] : NULL;
}

const struct explanation_source *panel_source(const struct panel *p)
{
	return p->e && p->source < p->e->sources->len ? p->e->sources->pdata[p->source] : NULL;
}

bool panel_tells_opening(const struct panel *p)
{
	return p->e && p->e->suspects->len == 0;
}

unsigned panel_n_links(const struct panel *p)
{
	const struct explanation_suspect *s = panel_suspect(p);
	unsigned n = s ? s->chain->len : panel_tells_opening(p) ? p->e->opening->len : 0;

	return p->folded ? MIN(n, 2) : n;
}

unsigned panel_chain_at(const struct panel *p, unsigned row)
{
	const struct explanation_suspect *s = panel_suspect(p);

	return p->folded && row == 1 ? (s ? s->chain->len : p->e->opening->len) - 1 : row;
}

const struct explanation_link *panel_link(const struct panel *p, unsigned row)
{
	const struct explanation_suspect *s = panel_suspect(p);
	unsigned index;

	if (row >= panel_n_links(p))
		return NULL;
	if (!s)
		return &g_array_index(p->e->opening, struct explanation_link,
				      panel_chain_at(p, row));
	index = g_array_index(s->chain, unsigned, panel_chain_at(p, row));
	return index < p->e->chain->len
		       ? &g_array_index(p->e->chain, struct explanation_link, index)
		       : NULL;
}

/* --- selecting --- */

void panel_scroll_into_view(struct panel_list *l)
{
	unsigned height = MAX(l->height, 1);

	l->selected = MIN(l->selected, l->n ? l->n - 1 : 0);
	if (l->selected < l->top)
		l->top = l->selected;
	else if (l->selected >= l->top + height)
		l->top = l->selected - height + 1;
	l->top = MIN(l->top, l->n > height ? l->n - height : 0);
}

void panel_centre(struct panel_list *l)
{
	unsigned half = l->height / 2;

	if (l->height == 0 || l->selected < l->top || l->selected >= l->top + l->height)
		l->top = l->selected > half ? l->selected - half : 0;
	panel_scroll_into_view(l);
}

void panel_show_place(struct panel *p, const char *file, unsigned line)
{
	struct panel_list *l = &p->lists[PANEL_SOURCE];

	for (unsigned i = 0; p->e && file && i < p->e->sources->len; i++) {
		const struct explanation_source *s = p->e->sources->pdata[i];

		if (g_strcmp0(s->file, file) != 0)
			continue;
		if (p->source != i) {
			l->top = UINT_MAX; /* to the middle */
			panel_marks_change(p);
		}
		p->source = i;
		l->n = s->lines->len;
		l->selected = line ? line - 1 : 0;
		panel_centre(l);
	}
}

static void show_suspect(struct panel *p)
{
	const struct explanation_suspect *s = panel_suspect(p);
	struct panel_list *chain = &p->lists[PANEL_CHAIN];
	const struct explanation_statement *st;

	panel_marks_change(p);
	chain->n = panel_n_links(p);
	chain->selected = chain->top = 0;
	if (!s || s->statements->len == 0)
		return;
	st = &g_array_index(s->statements, struct explanation_statement, 0);
	panel_show_place(p, st->file, st->line);
}

/* The source's lines lead to the suspect that stands there, if one does. */
static void follow_source(struct panel *p)
{
	const struct explanation_source *source = panel_source(p);
	unsigned line = p->lists[PANEL_SOURCE].selected + 1;

	for (unsigned i = 0; source && i < p->e->suspects->len; i++) {
		const struct explanation_suspect *s = p->e->suspects->pdata[i];

		for (unsigned k = 0; k < s->statements->len; k++) {
			const struct explanation_statement *st =
				&g_array_index(s->statements, struct explanation_statement, k);

			if (st->line != line || g_strcmp0(st->file, source->file) != 0)
				continue;
			p->lists[PANEL_SUSPECTS].selected = i;
			panel_marks_change(p);
			panel_scroll_into_view(&p->lists[PANEL_SUSPECTS]);
			p->lists[PANEL_CHAIN].n = panel_n_links(p);
			p->lists[PANEL_CHAIN].selected = p->lists[PANEL_CHAIN].top = 0;
			return;
		}
	}
}

void panel_select(struct panel *p, enum panel_pane pane, unsigned row)
{
	struct panel_list *l = &p->lists[pane];
	const struct explanation_link *link;

	l->selected = row;
	p->chosen = true;
	panel_scroll_into_view(l);
	if (pane == PANEL_SUSPECTS) {
		show_suspect(p);
	} else if (pane == PANEL_CHAIN) {
		link = panel_link(p, l->selected);
		if (link)
			panel_show_place(p, link->file, link->line);
	} else if (pane == PANEL_SOURCE) {
		follow_source(p);
	}
}

/* --- what is shown --- */

/* The place of what was selected, in the new answer. */
static unsigned find_again(const struct explanation_suspect *old, const struct explanation *e)
{
	const struct explanation_statement *a, *b;

	if (!old || !old->statements->len)
		return 0;
	a = &g_array_index(old->statements, struct explanation_statement, 0);
	for (unsigned i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		if (s->statements->len != old->statements->len)
			continue;
		b = &g_array_index(s->statements, struct explanation_statement, 0);
		if (a->line == b->line && a->column == b->column &&
		    g_strcmp0(a->file, b->file) == 0)
			return i;
	}
	return 0;
}

void panel_set(struct panel *p, const struct explanation *e, const char *busy)
{
	unsigned again = p->chosen ? find_again(panel_suspect(p), e) : 0;
	bool first = !p->e || p->e->suspects->len == 0;

	p->e = e;
	tui_shorten_names(&p->page, e);
	panel_marks_change(p);
	g_free(p->busy);
	p->busy = g_strdup(busy);
	p->source = MIN(p->source, e->sources->len ? e->sources->len - 1 : 0);
	p->lists[PANEL_SOURCE].n = panel_source(p) ? panel_source(p)->lines->len : 0;
	p->lists[PANEL_SUSPECTS].n = e->suspects->len;
	p->lists[PANEL_SUSPECTS].selected = again;
	panel_scroll_into_view(&p->lists[PANEL_SUSPECTS]);
	p->lists[PANEL_CHAIN].n = panel_n_links(p);
	/* to the middle, whatever answers were seen before */
	if (first || !p->chosen)
		p->lists[PANEL_SOURCE].top = UINT_MAX;
	/* there is nothing else to read below a source on a narrow screen */
	if (!p->chosen && p->lower <= PANEL_CHAIN)
		p->lower = !busy && panel_n_links(p) && panel_tells_opening(p) ? PANEL_CHAIN
									       : PANEL_SUSPECTS;
	if (e->suspects->len == 0)
		panel_show_place(p, e->failure.file, e->failure.line);
	else if (first || !p->chosen)
		show_suspect(p);
}

void panel_output(struct panel *p, const char *text)
{
	struct panel_list *l = &p->lists[PANEL_OUTPUT];
	bool at_end = l->selected + 1 >= l->n;
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++)
		if (**line || line[1])
			g_ptr_array_add(p->output, tui_clean_code(*line));
	l->n = p->output->len;
	if (at_end && l->n) {
		l->selected = l->n - 1;
		panel_scroll_into_view(l);
	}
}

void panel_test_output(struct panel *p, const char *text)
{
	p->printed_from = p->output->len;
	panel_output(p, text);
	p->n_printed = p->output->len - p->printed_from;
}

void panel_show_line(struct panel *p, const char *file, unsigned line)
{
	for (unsigned i = 0; p->e && i < p->e->sources->len; i++) {
		const struct explanation_source *s = p->e->sources->pdata[i];
		g_autofree char *name = g_path_get_basename(s->file);

		if (g_strcmp0(s->file, file) == 0 || g_strcmp0(name, file) == 0) {
			panel_show_place(p, s->file, line);
			return;
		}
	}
}

void panel_answer(struct panel *p, const char *text, bool focus)
{
	struct panel_list *l = &p->lists[PANEL_OUTPUT];
	unsigned first = l->n;

	panel_output(p, text);
	g_clear_pointer(&p->message, g_free);
	if (focus)
		p->focus = p->lower = PANEL_OUTPUT;
	l->selected = l->top = first;
	panel_scroll_into_view(l);
}

void panel_entitle_output(struct panel *p, const char *title)
{
	g_free(p->output_title);
	p->output_title = g_strdup(title);
}

void panel_say_as(struct panel *p, const struct panel_words *words)
{
	p->words = *words;
}

void panel_say(struct panel *p, const char *text)
{
	g_free(p->message);
	p->message = tui_clean(text);
}

void panel_serve(struct panel *p, unsigned actions)
{
	p->served = actions;
}
