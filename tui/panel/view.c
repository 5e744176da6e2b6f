/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/words/line.h"
#include "tui/panel/private.h"
#include "tui/panel/syntax.h"
#include "tui/words/suspect-words.h"
#include "tui/words/words.h"

#include <string.h>

enum { WIDE = 100, TALL = 30, LEAST_WIDTH = 40, LEAST_HEIGHT = 8 };

static const char *const names[] = {
	[PANEL_SOURCE] = "source",
	[PANEL_SUSPECTS] = "explanations",
	[PANEL_CHAIN] = "way to the failure",
	[PANEL_OUTPUT] = "output",
	[PANEL_TASK] = "task",
};

/* --- where everything is --- */

static unsigned rows_of_detail(const struct panel *p, enum panel_pane pane, unsigned width,
			       unsigned height)
{
	g_autoptr(GPtrArray) lines = panel_detail(p, pane, width, height);

	return lines->len;
}

static void place_pane(struct panel *p, enum panel_pane pane, unsigned x, unsigned y,
		       unsigned width, unsigned height)
{
	struct panel_list *l = &p->lists[pane];
	bool first = l->height == 0;

	p->areas[pane] = (struct canvas_area){ x, y, width, height };
	l->height = height > 1 ? height - 1 - rows_of_detail(p, pane, width, height) : 0;
	/* what was selected before there was such a screen comes to the middle */
	if (first) {
		l->top = l->selected + 1;
		panel_centre(l);
	} else {
		panel_scroll_into_view(l);
	}
}

/* The task, in a lesson, stands above the explanations. */
static void lay_out_right(struct panel *p, unsigned x, unsigned width, unsigned height)
{
	unsigned task = !p->task ? 0 : p->focus == PANEL_TASK ? height / 2 : height / 3;
	unsigned half = (height - task) / 2;

	if (task) {
		panel_task_wrap(p, width);
		place_pane(p, PANEL_TASK, x, 1, width, task);
	}
	place_pane(p, PANEL_SUSPECTS, x, 1 + task, width, half);
	place_pane(p, PANEL_CHAIN, x, 1 + task + half, width, height - task - half);
}

/* The first row is the failure's, the last one for messages. */
static void lay_out(struct panel *p, const struct canvas *c)
{
	unsigned body = c->height - 2, half = body / 2;
	unsigned left = c->width * 3 / 5, right = c->width - left - 1;
	bool output = p->output->len && c->height >= TALL;
	unsigned source = output ? body - body / 4 : body;

	memset(p->areas, 0, sizeof p->areas);
	if (c->width < WIDE) {
		if (p->lower == PANEL_TASK)
			panel_task_wrap(p, c->width);
		place_pane(p, PANEL_SOURCE, 0, 1, c->width, half);
		place_pane(p, p->lower, 0, 1 + half, c->width, body - half);
		return;
	}
	if (p->focus == PANEL_OUTPUT || output) {
		source = p->focus == PANEL_OUTPUT ? half : source;
		place_pane(p, PANEL_OUTPUT, 0, 1 + source, c->width, body - source);
	}
	place_pane(p, PANEL_SOURCE, 0, 1, left, source);
	lay_out_right(p, left + 1, right, source);
}

static const struct canvas_area *whole_canvas(const struct canvas *c, struct canvas_area *out)
{
	*out = (struct canvas_area){ 0, 0, c->width, c->height };
	return out;
}

/* --- the source --- */

static enum tui_role role_of_line(const struct panel_mark *m)
{
	return m->failed ? TUI_BAD : m->rank ? TUI_CODE : m->not_executed ? TUI_FAINT : TUI_PLAIN;
}

static int number_width(const struct panel *p)
{
	return p->lists[PANEL_SOURCE].n < 100000 ? 5 : 8;
}

/* Number, breakpoint, rank, who executed it, way. */
static unsigned draw_margin(struct panel *p, struct canvas *c, const struct canvas_area *a,
			    unsigned row, unsigned line, const struct panel_mark *m)
{
	g_autofree char *number = g_strdup_printf("%*u", number_width(p), line);
	g_autofree char *rank = m->rank ? g_strdup_printf("%2u", m->rank) : g_strdup("  ");
	const char *way = m->failed   ? (p->ascii ? "x" : "✗")
			  : m->on_way ? (p->ascii ? "|" : "│")
				      : " ";
	unsigned x = canvas_put(c, a, 0, row, TUI_FAINT, number);

	x = canvas_put(c, a, x, row, TUI_BAD, !m->breakpoint ? " " : p->ascii ? "B" : "●");
	x = canvas_put(c, a, x, row, TUI_GOOD, rank);
	x = canvas_put(c, a, x, row, TUI_FAINT, m->passed ? "+" : m->not_executed ? "-" : " ");
	x = canvas_put(c, a, x, row, m->failed ? TUI_BAD : TUI_FAINT, way);
	return canvas_put(c, a, x, row, TUI_PLAIN, " ");
}

/* The failing line is red, and what was not executed is dim; other lines have colours of C. */
static unsigned put_line_code(const struct panel *p, struct canvas *c, const struct canvas_area *a,
			      unsigned x, unsigned row, unsigned line, const char *code,
			      enum tui_role role)
{
	unsigned end;

	if ((role != TUI_PLAIN && role != TUI_CODE) || !p->comments)
		return canvas_put(c, a, x, row, role, code);
	end = syntax_put(c, a, x, row, code, p->comments->data[line - 1]);
	if (role == TUI_CODE)
		canvas_embolden(c, a, x, end, row);
	return end;
}

static void draw_line(struct panel *p, struct canvas *c, const struct canvas_area *a, unsigned row,
		      const struct explanation_source *source)
{
	struct panel_list *l = &p->lists[PANEL_SOURCE];
	unsigned line = l->top + row; /* from 1: the area's first row is its name */
	const struct panel_mark *m = panel_mark_at(p, line);
	g_autofree char *code = tui_clean_code(source->lines->pdata[line - 1]);
	unsigned x = draw_margin(p, c, a, row, line, m);

	x = put_line_code(p, c, a, x, row, line, code, role_of_line(m));
	if (m->remarks) {
		x = canvas_put(c, a, x, row, TUI_PLAIN, "   ");
		x = canvas_put(c, a, x, row, TUI_HEADING, m->remarks);
	}
	if (m->values && *m->values) {
		x = canvas_put(c, a, x, row, TUI_PLAIN, "   ");
		canvas_put(c, a, x, row, TUI_PLACE, m->values);
	}
	if (line == l->selected + 1)
		canvas_reverse(c, a, row);
}

static void draw_source(struct panel *p, struct canvas *c, const struct canvas_area *a)
{
	const struct explanation_source *source = panel_source(p);

	if (!source || source->lines->len == 0) {
		canvas_put(c, a, 1, 1, TUI_FAINT, "(the source is not there)");
		return;
	}
	for (unsigned row = 1; row < a->height; row++)
		if (p->lists[PANEL_SOURCE].top + row <= source->lines->len)
			draw_line(p, c, a, row, source);
}

/* --- the other panes --- */

static enum tui_role role_of_suspect(const struct explanation_suspect *s)
{
	return s->replay == REPLAY_PASSES  ? TUI_GOOD
	       : s->replay == REPLAY_FAILS ? TUI_BAD
					   : TUI_PLAIN;
}

static void draw_suspect(struct panel *p, struct canvas *c, const struct canvas_area *a,
			 unsigned row, unsigned i)
{
	const struct explanation_suspect *s = p->e->suspects->pdata[i];
	g_autofree char *rank = g_strdup_printf("%3u ", s->rank);
	unsigned x = canvas_put(c, a, 0, row, role_of_suspect(s), rank);

	x = canvas_put(c, a, x, row, role_of_suspect(s),
		       s->replay == REPLAY_PASSES  ? (p->ascii ? "+ " : "✓ ")
		       : s->replay == REPLAY_FAILS ? "- "
						   : "? ");
	for (unsigned k = 0; k < s->statements->len; k++) {
		const struct explanation_statement *st =
			&g_array_index(s->statements, struct explanation_statement, k);
		g_autofree char *name = tui_place(&p->page, st->file, st->line, 24);
		g_autofree char *change = tui_words_change(s, k);

		x = canvas_put(c, a, x, row, TUI_FAINT, k ? ", and " : "");
		x = canvas_put(c, a, x, row, TUI_PLACE, name);
		x = canvas_put(c, a, x, row, TUI_PLAIN, " ");
		x = canvas_put(c, a, x, row, TUI_PLAIN,
			       p->words.suspects ? p->words.suspects[i] : change);
	}
}

static void draw_link_row(struct panel *p, struct canvas *c, const struct canvas_area *a,
			  unsigned row, unsigned i)
{
	const struct explanation_link *l = panel_link(p, i);
	const struct explanation_link *before = i ? panel_link(p, i - 1) : NULL;
	g_autofree char *name = l ? tui_place(&p->page, l->file, l->line, 24) : NULL;
	g_autofree char *text = l ? tui_clean(l->text ? l->text : l->clause) : NULL;
	g_autofree char *values = l ? tui_words_values(l->values) : NULL;
	unsigned x;

	if (!l)
		return;
	x = canvas_put(c, a, 0, row, TUI_FAINT,
		       panel_tells_opening(p) ? (l->edge == EDGE_CONTROL ? "  since " : "   from ")
		       : !before	      ? "        "
		       : p->folded && i	      ? "    ... "
		       : before->edge == EDGE_CONTROL ? "control "
						      : "   data ");
	x = canvas_put(c, a, x, row, TUI_PLACE, name);
	x = canvas_put(c, a, x, row, TUI_PLAIN, "  ");
	x = canvas_put(c, a, x, row, TUI_CODE, text);
	x = canvas_put(c, a, x, row, TUI_PLAIN, "  ");
	canvas_put(c, a, x, row, TUI_PLAIN, *values || l->text ? values : l->clause);
}

static void draw_row(struct panel *p, struct canvas *c, enum panel_pane pane, unsigned row,
		     unsigned i)
{
	const struct canvas_area *a = &p->areas[pane];

	if (pane == PANEL_SUSPECTS)
		draw_suspect(p, c, a, row, i);
	else if (pane == PANEL_CHAIN)
		draw_link_row(p, c, a, row, i);
	else
		canvas_put(c, a, 1, row, TUI_PLAIN,
			   pane == PANEL_TASK ? panel_task_row(p, i) : p->output->pdata[i]);
	if (i == p->lists[pane].selected)
		canvas_reverse(c, a, row);
}

static char *heading_of_pane(const struct panel *p, enum panel_pane pane)
{
	const struct explanation_source *source = panel_source(p);
	const struct panel_list *l = &p->lists[pane];
	g_autofree char *name = source ? tui_place(&p->page, source->file, 0, 60) : NULL;
	const char *title = pane == PANEL_OUTPUT && p->output_title ? p->output_title : names[pane];

	if (pane == PANEL_SOURCE)
		return g_strdup(name ? name : names[pane]);
	if (pane == PANEL_SUSPECTS && p->e && p->e->failure.kind) {
		g_autofree char *count =
			p->words.count ? g_strdup(p->words.count) : tui_words_count(p->e);

		/* nothing is found only when all was looked for */
		if (p->busy && !l->n)
			return g_strdup(p->busy);
		return p->busy ? g_strdup_printf("%s, %s", count, p->busy)
			       : g_steal_pointer(&count);
	}
	if (pane == PANEL_TASK && p->task)
		return g_strdup_printf("%s: %s", names[pane], panel_lesson_of(p)->progress);
	return l->n ? g_strdup_printf("%s (%u of %u)", title, l->selected + 1, l->n)
		    : g_strdup(title);
}

static void draw_pane(struct panel *p, struct canvas *c, enum panel_pane pane)
{
	const struct canvas_area *a = &p->areas[pane];
	const struct panel_list *l = &p->lists[pane];
	g_autofree char *text = heading_of_pane(p, pane);
	unsigned x;

	if (a->width == 0 || a->height == 0)
		return;
	x = canvas_put(c, a, 0, 0, TUI_FAINT, p->ascii ? "- " : "─ ");
	x = canvas_put(c, a, x, 0, p->focus == pane ? TUI_HEADING : TUI_FAINT, text);
	x = canvas_put(c, a, x, 0, TUI_FAINT, " ");
	while (x < a->width)
		x = canvas_put(c, a, x, 0, TUI_FAINT, p->ascii ? "-" : "─");
	if (p->focus == pane)
		canvas_reverse(c, &(struct canvas_area){ a->x + 2, a->y, tui_width(text), 1 }, 0);
	if (!p->e)
		return;
	if (pane == PANEL_SOURCE)
		draw_source(p, c, a);
	for (unsigned row = 1; pane != PANEL_SOURCE && row <= l->height; row++)
		if (l->top + row - 1 < l->n)
			draw_row(p, c, pane, row, l->top + row - 1);
	panel_detail_draw(p, pane, c);
}

/* --- around them --- */

static void draw_title(struct panel *p, struct canvas *c, const struct canvas_area *all)
{
	g_autofree char *name = NULL;
	g_autofree char *failure = NULL;
	g_autofree char *values = NULL;
	unsigned x;

	if (!p->e || !p->e->failure.kind) {
		canvas_put(c, all, 0, 0, TUI_FAINT, p->busy ? p->busy : "nothing to explain");
		return;
	}
	name = tui_place(&p->page, p->e->failure.file, p->e->failure.line, c->width / 2);
	failure = tui_words_failure(&p->e->failure, name);
	values = tui_words_values(p->e->failure.values);
	x = canvas_put(c, all, 0, 0, TUI_FAILURE, p->words.title ? p->words.title : failure);
	x = canvas_put(c, all, x, 0, TUI_PLAIN, "   ");
	canvas_put(c, all, x, 0, TUI_PLAIN, values);
}

static const char *const questions[] = {
	[INPUT_NONE] = "",
	[INPUT_SEARCH] = "/",
	[INPUT_WHY] = "why has this [at LINE] its value: ",
	[INPUT_WHY_NOT] = "why does this [at LINE] not hold: ",
	[INPUT_WHAT_IF] = "what if, here: ",
	[INPUT_EXPORT] = "write to: ",
	[INPUT_NOTE] = "note: ",
	[INPUT_EXPECT] = "what do you expect: which line, and which value there? ",
	[INPUT_HINT] = "",
	[INPUT_ANSWER] = "",
};

static void draw_bottom(struct panel *p, struct canvas *c, const struct canvas_area *all)
{
	unsigned y = c->height - 1, x;
	g_autofree char *typed = tui_clean_code(p->typed->str);
	g_autofree char *asked = panel_task_question(p, p->input);
	/* whole, where there was no room beside the line */
	const char *remarks =
		p->e ? panel_mark_at(p, p->lists[PANEL_SOURCE].selected + 1)->remarks : NULL;

	if (p->input != INPUT_NONE) {
		x = canvas_put(c, all, 0, y, TUI_HEADING, asked ? asked : questions[p->input]);
		x = canvas_put(c, all, x, y, TUI_PLAIN, typed);
		if (!p->typed->len && p->suggestion)
			x = canvas_put(c, all, x, y, TUI_FAINT, p->suggestion);
		if (g_str_has_suffix(p->typed->str, " "))
			x = canvas_put(c, all, x, y, TUI_PLAIN, " ");
		canvas_put(c, all, x, y, TUI_PLAIN, "_");
	} else if (p->message) {
		canvas_put(c, all, 0, y, TUI_PLAIN, p->message);
	} else if (remarks) {
		canvas_put(c, all, 0, y, TUI_HEADING, remarks);
	} else {
		canvas_put(c, all, 0, y, TUI_FAINT,
			   "? help   Tab next pane   ] [ next, previous explanation   q quit");
	}
}

/* What stands at the margin. */
static char *legend_of_margin(const struct panel *p)
{
	const struct {
		const char *mark, *meaning;
	} rows[] = {
		{ "1, 2 ...", "the first explanation that names the line" },
		{ p->ascii ? "|" : "│", "on the way from the selected one to the failure" },
		{ p->ascii ? "x" : "✗", "what failed" },
		{ "-", "not executed; it is dim, too" },
		{ "+", "executed by tests that passed, of --tests" },
		{ p->ascii ? "B" : "●", "a breakpoint, set when you leave" },
	};
	GString *out = g_string_new("\nat the margin of the source:\n");

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		g_string_append_printf(out, "%s%*s %s\n", rows[i].mark,
				       18 - (int)tui_width(rows[i].mark), "", rows[i].meaning);
	return g_string_free(out, FALSE);
}

static void draw_help(struct panel *p, struct canvas *c, const struct canvas_area *all)
{
	g_autofree char *keys = panel_keys_help();
	g_autofree char *marks = legend_of_margin(p);
	g_autofree char *text = g_strconcat(keys, marks, NULL);
	g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
	unsigned rows = c->height - 2, n = g_strv_length(lines);

	p->help_top = MIN(p->help_top, n > rows ? n - rows : 0);
	canvas_put(c, all, 0, 0, TUI_HEADING, "keys");
	for (unsigned i = 0; i < rows && p->help_top + i < n; i++)
		canvas_put(c, all, 1, 1 + i, TUI_PLAIN, lines[p->help_top + i]);
	canvas_put(c, all, 0, c->height - 1, TUI_FAINT,
		   n > rows ? "j k scroll   any other key goes back" : "any key goes back");
}

void panel_draw(struct panel *p, struct canvas *c)
{
	struct canvas_area area;
	const struct canvas_area *all = whole_canvas(c, &area);

	c->cut = p->ascii ? '~' : 0x2026; /* an ellipsis */
	if (c->width < LEAST_WIDTH || c->height < LEAST_HEIGHT) {
		g_autofree char *least = g_strdup_printf("it needs %d columns and %d rows",
							 LEAST_WIDTH, LEAST_HEIGHT);

		canvas_put(c, all, 0, 0, TUI_PLAIN, "the window is too small;");
		canvas_put(c, all, 0, 1, TUI_PLAIN, least);
		return;
	}
	if (p->help) {
		draw_help(p, c, all);
		return;
	}
	p->slide = MIN(p->slide, panel_n_slides(p));
	if (p->slide) {
		panel_slides_draw(p, c);
		return;
	}
	if (c->width != p->width || c->height != p->height)
		p->lists[PANEL_SOURCE].height = 0; /* its selected line comes to the middle */
	p->width = c->width;
	p->height = c->height;
	lay_out(p, c);
	draw_title(p, c, all);
	for (unsigned y = 1; c->width >= WIDE && y <= p->areas[PANEL_SOURCE].height; y++)
		canvas_put(c, all, c->width * 3 / 5, y, TUI_FAINT, p->ascii ? "|" : "│");
	for (int i = 0; i < PANEL_N_PANES; i++)
		draw_pane(p, c, (enum panel_pane)i);
	draw_bottom(p, c, all);
}
