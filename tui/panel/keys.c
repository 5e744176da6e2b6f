/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/words/line.h"
#include "tui/panel/private.h"

#include <string.h>

typedef struct panel_request key_fn(struct panel *p, int argument);

static const struct panel_request nothing = { PANEL_NOTHING, NULL, 0, NULL };

/* --- moving --- */

static void move_cursor(struct panel *p, long rows)
{
	struct panel_list *l = &p->lists[p->focus];
	long to = (long)l->selected + rows;

	panel_select(p, p->focus, (unsigned)CLAMP(to, 0, (long)(l->n ? l->n - 1 : 0)));
}

static struct panel_request step_link(struct panel *p, int argument)
{
	move_cursor(p, argument);
	return nothing;
}

static struct panel_request page_pane(struct panel *p, int argument)
{
	move_cursor(p, argument * (long)MAX(p->lists[p->focus].height, 2) - argument);
	return nothing;
}

static struct panel_request to_end(struct panel *p, int argument)
{
	move_cursor(p, argument * (long)p->lists[p->focus].n);
	return nothing;
}

static struct panel_request next_pane(struct panel *p, int argument)
{
	do
		p->focus = (enum panel_pane)(((int)p->focus + argument + PANEL_N_PANES) %
					     PANEL_N_PANES);
	while (p->focus == PANEL_TASK && !p->task);
	if (p->focus != PANEL_SOURCE)
		p->lower = p->focus;
	return nothing;
}

static struct panel_request next_suspect(struct panel *p, int argument)
{
	long to = (long)p->lists[PANEL_SUSPECTS].selected + argument;
	unsigned n = p->lists[PANEL_SUSPECTS].n;

	panel_select(p, PANEL_SUSPECTS, (unsigned)CLAMP(to, 0, (long)(n ? n - 1 : 0)));
	return nothing;
}

static struct panel_request fold_link(struct panel *p, int argument)
{
	p->folded = argument;
	panel_marks_change(p);
	p->lists[PANEL_CHAIN].n = panel_n_links(p);
	panel_scroll_into_view(&p->lists[PANEL_CHAIN]);
	return nothing;
}

/* --- searching, in what the focused pane shows --- */

static char *text_of_row(const struct panel *p, enum panel_pane pane, unsigned row)
{
	const struct explanation_source *source = panel_source(p);
	const struct explanation_suspect *s;

	switch (pane) {
	case PANEL_SOURCE:
		return g_strdup(source && row < source->lines->len ? source->lines->pdata[row]
								   : "");
	case PANEL_SUSPECTS:
		s = p->e->suspects->pdata[row];
		return tui_clean(
			s->statements->len
				? g_array_index(s->statements, struct explanation_statement, 0).text
				: "");
	case PANEL_CHAIN:
		return tui_clean(panel_link(p, row) ? panel_link(p, row)->text : "");
	case PANEL_TASK:
		return g_strdup(panel_task_row(p, row));
	default:
		return g_strdup(p->output->pdata[row]);
	}
}

static struct panel_request search_on(struct panel *p, int argument)
{
	struct panel_list *l = &p->lists[p->focus];

	if (!p->search || !*p->search) {
		panel_say(p, "nothing was searched for yet: /");
		return nothing;
	}
	for (unsigned i = 1; i <= l->n; i++) {
		unsigned row =
			(unsigned)(((long)l->selected + (long)argument * i + (long)l->n * 2) %
				   (long)l->n);
		g_autofree char *text = text_of_row(p, p->focus, row);

		if (strstr(text, p->search)) {
			panel_select(p, p->focus, row);
			return nothing;
		}
	}
	g_autofree char *missing = g_strdup_printf("not found: %s", p->search);

	panel_say(p, missing);
	return nothing;
}

/* --- asking --- */

static void place_of_selection(const struct panel *p, struct panel_request *r)
{
	const struct explanation_source *source = panel_source(p);

	r->file = source ? source->file : NULL;
	r->line = p->lists[PANEL_SOURCE].selected + 1;
}

static struct panel_request panel_request_for(struct panel *p, enum panel_action action,
					      const char *text)
{
	struct panel_request r = { action, NULL, 0, text };

	if (action != PANEL_QUIT && !(p->served & 1u << action)) {
		panel_say(p, "this needs a session: gdb-why --args PROG ARGS, then `panel'");
		return nothing;
	}
	place_of_selection(p, &r);
	return r;
}

/* On a line that the test printed: which call printed it? */
static struct panel_request open_row(struct panel *p, int argument)
{
	const unsigned row = p->lists[PANEL_OUTPUT].selected - p->printed_from;

	if (p->focus != PANEL_OUTPUT || row >= p->n_printed)
		return fold_link(p, argument);
	g_string_printf(p->typed, "output %u", row + 1);
	return panel_request_for(p, PANEL_WHY, p->typed->str);
}

static struct panel_request ask_at_once(struct panel *p, int action)
{
	return panel_request_for(p, (enum panel_action)action, NULL);
}

static struct panel_request ask_gdb(struct panel *p, int argument)
{
	static const char *const commands[] = { "run", "continue", "finish", "next", "step" };

	return panel_request_for(p, PANEL_GDB, commands[argument]);
}

static struct panel_request toggle_breakpoint(struct panel *p, int argument)
{
	struct panel_request r = panel_request_for(p, PANEL_BREAK, NULL);
	bool there;

	(void)argument;
	if (r.action == PANEL_NOTHING || !r.file)
		return nothing;
	there = panel_remark_at(p, r.file, r.line, PANEL_REMARK_BREAK);
	panel_remark(p, r.file, r.line, PANEL_REMARK_BREAK, there ? NULL : "b");
	panel_say(p, there ? "no breakpoint there" : "a breakpoint, set when you leave");
	return r;
}

/* What stands there before anything is typed. */
static const char *first_text(const struct panel *p, enum panel_input input)
{
	const struct explanation_suspect *s = panel_suspect(p);
	const struct explanation_statement *st =
		s && s->statements->len
			? &g_array_index(s->statements, struct explanation_statement, 0)
			: NULL;

	const struct explanation_source *source = panel_source(p);
	const char *note =
		source ? panel_remark_at(p, source->file, p->lists[PANEL_SOURCE].selected + 1,
					 PANEL_REMARK_NOTE)
		       : NULL;

	if (input == INPUT_EXPORT)
		return "why.html";
	if (input == INPUT_NOTE)
		return note ? note : "";
	return (input == INPUT_WHY || input == INPUT_WHAT_IF) && st && st->clause ? st->clause : "";
}

static struct panel_request begin_input(struct panel *p, int input)
{
	p->input = (enum panel_input)input;
	g_string_assign(p->typed, first_text(p, p->input));
	g_clear_pointer(&p->suggestion, g_free);
	if (p->input == INPUT_WHY && p->typed->len) {
		p->suggestion = g_strdup(p->typed->str);
		g_string_truncate(p->typed, 0);
	}
	if (p->input == INPUT_WHAT_IF && p->typed->len)
		g_string_append(p->typed, " = ");
	return nothing;
}

static struct panel_request note_selected_line(struct panel *p)
{
	const struct explanation_source *source = panel_source(p);

	if (source)
		panel_remark(p, source->file, p->lists[PANEL_SOURCE].selected + 1,
			     PANEL_REMARK_NOTE, p->typed->str);
	return nothing;
}

/* --- a lesson --- */

static bool is_in_lesson(struct panel *p)
{
	if (!p->task)
		panel_say(p, "this is no lesson: gdb-why lesson");
	return p->task;
}

static struct panel_request ask_lesson_hint(struct panel *p, int argument)
{
	if (!is_in_lesson(p))
		return nothing;
	if (panel_lesson_of(p)->price)
		return begin_input(p, argument);
	panel_say(p, "there is no other hint");
	return nothing;
}

static struct panel_request begin_lesson_answer(struct panel *p, int argument)
{
	return is_in_lesson(p) ? begin_input(p, argument) : nothing;
}

static struct panel_request check_answer(struct panel *p, int argument)
{
	(void)argument;
	return is_in_lesson(p) ? panel_request_for(p, PANEL_CHECK, NULL) : nothing;
}

static struct panel_request show_slides(struct panel *p, int argument)
{
	p->slide = (unsigned)argument;
	if (!panel_n_slides(p)) {
		p->slide = 0;
		panel_say(p, "there is nothing to show step by step yet");
	}
	return nothing;
}

/* Enter or Tab on an empty line takes what is suggested there. */
static void take_suggestion(struct panel *p)
{
	if (!p->typed->len && p->suggestion)
		g_string_assign(p->typed, p->suggestion);
	g_clear_pointer(&p->suggestion, g_free);
}

static struct panel_request end_input(struct panel *p)
{
	enum panel_input input = p->input;

	p->input = INPUT_NONE;
	take_suggestion(p);
	switch (input) {
	case INPUT_SEARCH:
		g_free(p->search);
		p->search = g_strdup(p->typed->str);
		return search_on(p, 1);
	case INPUT_WHY:
		return panel_request_for(p, PANEL_WHY, p->typed->str);
	case INPUT_WHY_NOT:
		return panel_request_for(p, PANEL_WHY_NOT, p->typed->str);
	case INPUT_WHAT_IF:
		return panel_request_for(p, PANEL_WHAT_IF, p->typed->str);
	case INPUT_EXPORT:
		return panel_request_for(p, PANEL_EXPORT, p->typed->str);
	case INPUT_NOTE:
		return note_selected_line(p);
	case INPUT_EXPECT:
		p->focus = PANEL_SUSPECTS;
		return panel_request_for(p, PANEL_EXPECT, p->typed->str);
	case INPUT_HINT:
		return panel_request_for(p, PANEL_HINT, NULL);
	case INPUT_ANSWER:
		return panel_request_for(p, PANEL_ANSWER, p->typed->str);
	case INPUT_NONE:
		break;
	}
	return nothing;
}

/* What is expected can be said only of what can be read. */
static bool scroll_source(struct panel *p, int key)
{
	long rows = key == PANEL_UP	     ? -1
		    : key == PANEL_DOWN	     ? 1
		    : key == PANEL_PAGE_UP   ? -(long)p->lists[PANEL_SOURCE].height
		    : key == PANEL_PAGE_DOWN ? (long)p->lists[PANEL_SOURCE].height
					     : 0;

	if (rows)
		move_cursor(p, rows);
	return rows;
}

static struct panel_request type_key(struct panel *p, int key)
{
	if (key == PANEL_ENTER)
		return end_input(p);
	if (p->input == INPUT_EXPECT && scroll_source(p, key))
		return nothing;
	if (key == PANEL_ESCAPE && p->input == INPUT_EXPECT) {
		/* to expect nothing is an answer, too */
		g_string_truncate(p->typed, 0);
		return end_input(p);
	}
	if (key == PANEL_ESCAPE) {
		p->input = INPUT_NONE;
	} else if (key == PANEL_BACKSPACE) {
		if (!p->typed->len)
			p->input = p->input == INPUT_EXPECT ? INPUT_EXPECT : INPUT_NONE;
		else
			g_string_truncate(p->typed,
					  (gsize)(g_utf8_prev_char(p->typed->str + p->typed->len) -
						  p->typed->str));
	} else if (key == '\t') {
		take_suggestion(p);
	} else if (key == 'U' - '@') {
		g_string_truncate(p->typed, 0);
	} else if (key >= ' ' && key < PANEL_UP) {
		g_string_append_unichar(p->typed, (gunichar)key);
	}
	return nothing;
}

static struct panel_request toggle_help(struct panel *p, int argument)
{
	(void)argument;
	p->help = true;
	p->help_top = 0;
	return nothing;
}

/* --- the table --- */

static const struct binding {
	int keys[3];
	const char *names, *help; /* help NULL: as the row before */
	key_fn *fn;
	int argument;
} bindings[] = {
	{ { 'j', PANEL_DOWN }, "j, down", "next line", step_link, 1 },
	{ { 'k', PANEL_UP }, "k, up", "line before", step_link, -1 },
	{ { ' ', PANEL_PAGE_DOWN, 'F' - '@' }, "space, page down", "next page", page_pane, 1 },
	{ { PANEL_PAGE_UP, 'B' - '@' }, "page up", "page before", page_pane, -1 },
	{ { 'g', PANEL_HOME }, "g, home", "first line", to_end, -1 },
	{ { 'G', PANEL_END }, "G, end", "last line", to_end, 1 },
	{ { '\t' }, "Tab", "next pane", next_pane, 1 },
	{ { PANEL_BACKTAB }, "Shift-Tab", "pane before", next_pane, -1 },
	{ { ']' }, "]", "next suspect", next_suspect, 1 },
	{ { '[' }, "[", "suspect before", next_suspect, -1 },
	{ { 'h', PANEL_LEFT }, "h, left", "fold the way to the failure", fold_link, 1 },
	{ { 'l', PANEL_RIGHT }, "l, right", "unfold it", fold_link, 0 },
	{ { PANEL_ENTER }, "Enter", "in the output: which call printed it?", open_row, 0 },
	{ { '/' }, "/", "search in this pane", begin_input, INPUT_SEARCH },
	{ { 'n' }, "n", "search on", search_on, 1 },
	{ { 'N' }, "N", "search backwards", search_on, -1 },
	{ { 'w' }, "w", "why has EXPR [at LINE] its value?", begin_input, INPUT_WHY },
	{ { 'W' }, "W", "why does COND [at LINE] not hold?", begin_input, INPUT_WHY_NOT },
	{ { 'f' }, "f", "run with this branch going the other way", ask_at_once, PANEL_FLIP },
	{ { '=' }, "=", "run with another value here", begin_input, INPUT_WHAT_IF },
	{ { 's' }, "s", "go to this line in GDB", ask_at_once, PANEL_GO_TO },
	{ { 'b' }, "b", "a breakpoint here, or none", toggle_breakpoint, 0 },
	{ { 'e' }, "e", "export to a file (.html, .txt, .json, .dot)", begin_input, INPUT_EXPORT },
	{ { 'm' }, "m", "note something at this line", begin_input, INPUT_NOTE },
	{ { 'p' }, "p", "slides: the way, step by step and large", show_slides, 1 },
	{ { 'H' }, "H", "in a lesson: the next hint", ask_lesson_hint, INPUT_HINT },
	{ { 'a' },
	  "a",
	  "in a lesson: the fault is in this line",
	  begin_lesson_answer,
	  INPUT_ANSWER },
	{ { 'c' }, "c", "in a lesson: is the answer right?", check_answer, 0 },
	{ { PANEL_F5 }, "F5", "run in GDB", ask_gdb, 0 },
	{ { PANEL_F6 }, "F6", "continue in GDB", ask_gdb, 1 },
	{ { PANEL_F7 }, "F7", "finish the function in GDB", ask_gdb, 2 },
	{ { PANEL_F8 }, "F8", "next line in GDB", ask_gdb, 3 },
	{ { PANEL_F10 }, "F10", "step into calls in GDB", ask_gdb, 4 },
	{ { 'C' - '@' }, "Ctrl-C", "end what is running", ask_at_once, PANEL_CANCEL },
	{ { '?', PANEL_F1 }, "?", "this help", toggle_help, 0 },
	{ { 'q' }, "q", "quit", ask_at_once, PANEL_QUIT },
};

/* Any key but those that scroll goes back. */
static void scroll_help(struct panel *p, int key)
{
	if (key == 'j' || key == PANEL_DOWN)
		p->help_top++;
	else if (key == 'k' || key == PANEL_UP)
		p->help_top -= p->help_top > 0;
	else
		p->help = false;
}

struct panel_request panel_key(struct panel *p, int key)
{
	g_clear_pointer(&p->message, g_free);
	if (p->input != INPUT_NONE)
		return type_key(p, key);
	if (p->help) {
		scroll_help(p, key);
		return nothing;
	}
	if (p->slide && panel_slides_key(p, key))
		return nothing;
	for (size_t i = 0; i < G_N_ELEMENTS(bindings); i++)
		for (size_t k = 0; k < G_N_ELEMENTS(bindings[i].keys); k++)
			if (key && bindings[i].keys[k] == key)
				return bindings[i].fn(p, bindings[i].argument);
	return nothing;
}

void panel_click(struct panel *p, unsigned x, unsigned y)
{
	for (int i = 0; i < PANEL_N_PANES; i++) {
		const struct canvas_area *a = &p->areas[i];
		unsigned row;

		if (x < a->x || x >= a->x + a->width || y < a->y || y >= a->y + a->height)
			continue;
		p->focus = (enum panel_pane)i;
		if (p->focus != PANEL_SOURCE)
			p->lower = p->focus;
		/* the first row of a pane is its name */
		row = y - a->y;
		if (row > 0 && row <= p->lists[i].height &&
		    p->lists[i].top + row - 1 < p->lists[i].n)
			panel_select(p, p->focus, p->lists[i].top + row - 1);
		return;
	}
}

char *panel_keys_help(void)
{
	GString *out = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(bindings); i++)
		g_string_append_printf(out, "%-18s %s\n", bindings[i].names, bindings[i].help);
	return g_string_free(out, FALSE);
}
