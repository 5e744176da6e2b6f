/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Slides: the way to the failure, backwards, a step a screen, for a class that reads along.
 *
 *     goal of the lesson, what failed, where its values came from ... , what would mend it,
 *     the lesson's last question
 *
 * Large means: few words, much room, a number that can be read from the last row.
 */
#include "tui/words/line.h"
#include "tui/words/suspect-words.h"
#include "tui/words/words.h"
#include "tui/panel/private.h"

#include <string.h>

enum slide_kind { SLIDE_GOAL, SLIDE_FAILURE, SLIDE_LINK, SLIDE_CHANGE, SLIDE_QUESTION };

struct slide {
	enum slide_kind kind;
	unsigned link; /* SLIDE_LINK: its place in the way */
};

enum { DIGIT_WIDTH = 4, DIGIT_HEIGHT = 5, MARGIN = 4, AROUND = 2 };

static unsigned n_links(const struct panel *p)
{
	const struct explanation_suspect *s = panel_suspect(p);

	return s ? s->chain->len : 0;
}

unsigned panel_n_slides(const struct panel *p)
{
	const struct panel_lesson *l = panel_lesson_of(p);
	bool failed = p->e && p->e->failure.kind;
	/* the last link is the failure itself */
	unsigned links = n_links(p) ? n_links(p) - 1 : 0;

	return failed ? (l ? 1 : 0) + 1 + links + (panel_suspect(p) ? 1 : 0) +
				(l && *l->final ? 1 : 0)
		      : 0;
}

/* number: from 1 to panel_n_slides. */
static struct slide slide_at(const struct panel *p, unsigned number)
{
	bool lesson = panel_lesson_of(p);
	unsigned links = n_links(p) ? n_links(p) - 1 : 0;
	unsigned i = lesson ? number : number + 1; /* the goal is 1 */

	if (i <= 2)
		return (struct slide){ i == 1 ? SLIDE_GOAL : SLIDE_FAILURE, 0 };
	if (i <= 2 + links)
		return (struct slide){ SLIDE_LINK, links - (i - 2) };
	return (struct slide){ i == 3 + links && panel_suspect(p) ? SLIDE_CHANGE : SLIDE_QUESTION,
			       0 };
}

static const struct explanation_link *slide_link_at(const struct panel *p, unsigned i)
{
	const struct explanation_suspect *s = panel_suspect(p);
	unsigned index = s && i < s->chain->len ? g_array_index(s->chain, unsigned, i) : 0;

	return s && index < p->e->chain->len
		       ? &g_array_index(p->e->chain, struct explanation_link, index)
		       : NULL;
}

bool panel_slides_key(struct panel *p, int key)
{
	unsigned n = panel_n_slides(p);

	switch (key) {
	case ' ':
	case 'j':
	case 'n':
	case 'l':
	case PANEL_ENTER:
	case PANEL_RIGHT:
	case PANEL_DOWN:
	case PANEL_PAGE_DOWN:
		p->slide = MIN(p->slide + 1, n);
		return true;
	case 'k':
	case 'h':
	case PANEL_BACKSPACE:
	case PANEL_LEFT:
	case PANEL_UP:
	case PANEL_PAGE_UP:
		p->slide -= p->slide > 1;
		return true;
	case 'g':
	case PANEL_HOME:
		p->slide = 1;
		return true;
	case 'G':
	case PANEL_END:
		p->slide = n;
		return true;
	case 'q':
	case 'p':
	case PANEL_ESCAPE:
		p->slide = 0;
		return true;
	default:
		return false;
	}
}

/* --- drawing --- */

/* Rows of digits, DIGIT_WIDTH - 1 columns each; a space between two. */
static const char *const digits[10][DIGIT_HEIGHT] = {
	{ "###", "# #", "# #", "# #", "###" }, { " # ", "## ", " # ", " # ", "###" },
	{ "###", "  #", "###", "#  ", "###" }, { "###", "  #", "###", "  #", "###" },
	{ "# #", "# #", "###", "  #", "  #" }, { "###", "#  ", "###", "  #", "###" },
	{ "###", "#  ", "###", "# #", "###" }, { "###", "  #", "  #", "  #", "  #" },
	{ "###", "# #", "###", "# #", "###" }, { "###", "# #", "###", "  #", "###" },
};

static void draw_number(const struct panel *p, struct canvas *c, const struct canvas_area *all)
{
	g_autofree char *text = g_strdup_printf("%u", p->slide);
	unsigned n = (unsigned)strlen(text), x0 = c->width - MARGIN - n * DIGIT_WIDTH;

	for (unsigned i = 0; i < n; i++)
		for (unsigned y = 0; y < DIGIT_HEIGHT; y++)
			for (unsigned x = 0; x < DIGIT_WIDTH - 1; x++)
				if (digits[text[i] - '0'][y][x] == '#')
					canvas_put(c, all, x0 + i * DIGIT_WIDTH + x, 1 + y,
						   TUI_FAINT, p->ascii ? "#" : "█");
}

/* Clean text, broken into rows with an empty one between two; the row behind it. */
static unsigned draw_text(struct canvas *c, const struct canvas_area *all, unsigned y,
			  enum tui_role role, const char *text)
{
	unsigned margin = MARGIN + DIGIT_WIDTH * 3;
	g_autoptr(GPtrArray) rows = tui_wrap(text, c->width > margin + 20 ? c->width - margin : 20);

	for (guint i = 0; *text && i < rows->len && y + 1 < c->height; i++, y += 2)
		canvas_put(c, all, MARGIN, y, role, rows->pdata[i]);
	return y;
}

/* Draws the line and those around it.  On a large screen an empty row stands between two of
 * them. */
static unsigned draw_code(struct panel *p, struct canvas *c, const struct canvas_area *all,
			  unsigned y, const char *file, unsigned line)
{
	const struct explanation_source *source = file ? explanation_source(p->e, file) : NULL;
	unsigned n = source ? source->lines->len : 0;
	unsigned apart = c->height >= 24 ? 2 : 1;

	for (unsigned i = line > AROUND ? line - AROUND : 1;
	     i <= MIN(line + AROUND, n) && y + 1 < c->height; i++, y += apart) {
		g_autofree char *code = tui_clean_code(source->lines->pdata[i - 1]);
		g_autofree char *number = g_strdup_printf("%5u  ", i);
		unsigned x = canvas_put(c, all, MARGIN, y, TUI_FAINT, number);

		canvas_put(c, all, x, y, i == line ? TUI_HEADING : TUI_FAINT, code);
		if (i == line)
			canvas_reverse(c, all, y);
	}
	return y + 1;
}

static unsigned draw_values(struct canvas *c, const struct canvas_area *all, unsigned y,
			    const GArray *values)
{
	for (guint i = 0; values && i < values->len && y + 1 < c->height; i++, y++) {
		const struct explanation_value *v =
			&g_array_index(values, struct explanation_value, i);
		g_autofree char *text = tui_words_value(v->name, v->value);

		canvas_put(c, all, MARGIN + 7, y, TUI_HEADING, text);
	}
	return y;
}

static void draw_failure(struct panel *p, struct canvas *c, const struct canvas_area *all)
{
	const struct explanation_failure *f = &p->e->failure;
	g_autofree char *place = tui_place(&p->page, f->file, f->line, c->width / 2);
	g_autofree char *failure = tui_words_failure(f, place);
	unsigned y = draw_text(c, all, 2, TUI_FAILURE, p->words.title ? p->words.title : failure);

	y = draw_code(p, c, all, MAX(y + 1, DIGIT_HEIGHT + 2), f->file, f->line);
	draw_values(c, all, y, f->values);
}

/* How it leads on to its successor. */
static char *words_for_link(const struct panel *p, const struct explanation_link *l, unsigned i)
{
	const struct explanation_link *next = slide_link_at(p, i + 1);
	g_autofree char *name = next ? tui_place(&p->page, next->file, next->line, 40) : NULL;

	if (!next)
		return g_strdup("");
	return l->edge == EDGE_CONTROL ? g_strdup_printf("Which decision led to %s?", name)
				       : g_strdup_printf("Where did %s get its value from?", name);
}

static void draw_link_slide(struct panel *p, struct canvas *c, const struct canvas_area *all,
			    unsigned i)
{
	const struct explanation_link *l = slide_link_at(p, i);
	g_autofree char *question = l ? words_for_link(p, l, i) : NULL;
	unsigned y;

	if (!l)
		return;
	y = draw_text(c, all, 2, TUI_HEADING, question);
	y = draw_code(p, c, all, MAX(y + 1, DIGIT_HEIGHT + 2), l->file, l->line);
	draw_values(c, all, y, l->values);
}

static void draw_change(struct panel *p, struct canvas *c, const struct canvas_area *all)
{
	const struct explanation_suspect *s = panel_suspect(p);
	unsigned y = draw_text(c, all, 2, TUI_GOOD,
			       s->replay == REPLAY_PASSES ? "What would mend it, as a run has shown"
							  : "What might mend it");

	y = MAX(y + 1, DIGIT_HEIGHT + 2);
	for (guint i = 0; i < s->statements->len; i++) {
		const struct explanation_statement *st =
			&g_array_index(s->statements, struct explanation_statement, i);
		g_autofree char *change = tui_words_change(s, i);

		y = draw_code(p, c, all, y, st->file, st->line);
		y = draw_text(c, all, y, TUI_HEADING, change);
	}
}

static void draw_slide(struct panel *p, struct canvas *c, const struct canvas_area *all)
{
	const struct panel_lesson *l = panel_lesson_of(p);
	struct slide s = slide_at(p, p->slide);
	unsigned y;

	switch (s.kind) {
	case SLIDE_GOAL:
		y = draw_text(c, all, 2, TUI_FAILURE, l->title);
		draw_text(c, all, MAX(y + 1, DIGIT_HEIGHT + 2), TUI_PLAIN, l->goal);
		break;
	case SLIDE_FAILURE:
		draw_failure(p, c, all);
		break;
	case SLIDE_LINK:
		draw_link_slide(p, c, all, s.link);
		break;
	case SLIDE_CHANGE:
		draw_change(p, c, all);
		break;
	case SLIDE_QUESTION:
		y = draw_text(c, all, 2, TUI_HEADING, "The last question");
		draw_text(c, all, MAX(y + 1, DIGIT_HEIGHT + 2), TUI_PLAIN, l->final);
		break;
	}
}

void panel_slides_draw(struct panel *p, struct canvas *c)
{
	const struct canvas_area all = { 0, 0, c->width, c->height };
	unsigned n = panel_n_slides(p);
	g_autofree char *bottom = g_strdup_printf(
		"step %u of %u   space: next   backspace: before   q: back to the panel", p->slide,
		n);

	draw_number(p, c, &all);
	draw_slide(p, c, &all);
	canvas_put(c, &all, 0, c->height - 1, TUI_FAINT, bottom);
}
