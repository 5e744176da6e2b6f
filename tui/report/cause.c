/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/cause.h"
#include "solver/answer/json.h"
#include "tui/report/line.h"
#include "tui/report/page.h"

#include <string.h>

enum { STEP = 2, DEEPEST = 24 };

struct state {
	struct tui_page *page;
	const struct cause_tree *t;
	bool *told;    /* by cause: its own causes were shown */
	unsigned mark; /* width of the column of edges */
	unsigned place, text;
	bool again; /* something was told before */
};

static const struct cause *cause_at(const struct state *st, unsigned i)
{
	return st->t->causes->pdata[i];
}

static const char *edge_word(enum cause_edge edge)
{
	static const char *const words[] = {
		[CAUSE_DATA] = "from",
		[CAUSE_WHICH] = "which",
		[CAUSE_CONTROL] = "when",
		[CAUSE_AWAY] = "since",
	};

	return words[edge];
}

/* "b = 1"; what stands in the source line as it is gets its value alone. */
static char *said(const struct cause *c)
{
	g_autofree char *clause = tui_clean(c->clause), *value = tui_clean(c->value);
	bool whole = c->text && c->clause && strcmp(c->text, c->clause) == 0;

	if (!*value)
		return whole ? g_strdup("") : g_steal_pointer(&clause);
	if (!*clause || whole || c->kind == CAUSE_DECIDED)
		return whole || !*clause || (c->text && strstr(c->text, clause))
			       ? g_steal_pointer(&value)
			       : g_strdup_printf("%s: %s", clause, value);
	if (c->kind == CAUSE_INPUT && g_str_has_suffix(clause, " returned"))
		return g_strdup_printf("%s %s", clause, value);
	if (c->kind == CAUSE_INPUT || c->kind == CAUSE_INITIAL)
		return g_strdup_printf("%s: %s", clause, value);
	return g_strdup_printf("%s %s %s", clause, c->kind == CAUSE_RETURNED ? "is" : "=", value);
}

static unsigned mark_width(const struct state *st, unsigned depth, const char *word)
{
	(void)st;
	return STEP * depth + tui_width(word);
}

static void measure(struct state *st, unsigned i, unsigned depth)
{
	const struct cause *c = cause_at(st, i);
	g_autofree char *place = tui_place(st->page, c->file, c->line, st->page->width * 3 / 10);
	g_autofree char *text = tui_clean(c->text);

	st->place = MAX(st->place, c->file ? tui_width(place) : 0);
	st->text = MAX(st->text, MIN(tui_width(text), st->page->width * 2 / 5));
	st->mark = MAX(st->mark, mark_width(st, depth, i ? "which" : ""));
	if (!c->because || st->told[i] || depth > DEEPEST)
		return;
	st->told[i] = true;
	for (guint k = 0; k < c->because->len; k++)
		measure(st, g_array_index(c->because, struct cause_link, k).cause, depth + 1);
}

static void put_line(struct state *st, const struct cause *c, const char *word, unsigned depth,
		     bool again)
{
	g_autofree char *place = tui_place(st->page, c->file, c->line, st->place);
	g_autofree char *clean = tui_clean(c->text), *text = tui_elide(clean, st->text);
	g_autofree char *what = said(c);
	g_autofree char *all = g_strdup_printf("%s%s", what, again ? " (as above)" : "");
	unsigned indent = st->mark + 2 + st->place + 2 + st->text + 2;

	tui_put_blanks(st->page, STEP * depth);
	tui_put_padded(st->page, TUI_FAINT, word, st->mark + 2 - STEP * depth);
	tui_put_padded(st->page, TUI_PLACE, c->file ? place : "", st->place + 2);
	tui_put_padded(st->page, TUI_CODE, text, *all ? st->text + 2 : 0);
	if (*all)
		tui_put_wrapped(st->page, TUI_PLAIN, all, indent);
	else
		tui_newline(st->page);
}

static void put_causes(struct state *st, unsigned i, unsigned depth)
{
	const struct cause *c = cause_at(st, i);

	st->told[i] = true;
	for (guint k = 0; c->because && k < c->because->len && depth < DEEPEST; k++) {
		struct cause_link l = g_array_index(c->because, struct cause_link, k);
		const struct cause *next = cause_at(st, l.cause);
		bool again = st->told[l.cause] && next->because && next->because->len;

		put_line(st, next, edge_word(l.edge), depth, again);
		if (!again)
			put_causes(st, l.cause, depth + 1);
	}
}

static void put_question(struct state *st)
{
	const struct cause *c = cause_at(st, 0);
	g_autofree char *place = tui_place(st->page, c->file, c->line, st->page->width / 2);
	g_autofree char *clause = tui_clean(c->clause), *value = tui_clean(c->value);

	if (*value)
		tui_putf(st->page, TUI_FAILURE, "%s = %s at ", clause, value);
	tui_putf(st->page, TUI_FAILURE, "%s", c->file ? place : "?");
	if (c->function)
		tui_putf(st->page, TUI_FAILURE, " in %s", c->function);
	if (!*value)
		tui_putf(st->page, TUI_FAILURE, " %s", clause);
	tui_newline(st->page);
}

static bool is_cut(const struct cause_tree *t)
{
	for (guint i = 0; i < t->causes->len; i++) {
		const struct cause *c = t->causes->pdata[i];

		if (!c->because && c->kind != CAUSE_INPUT && c->kind != CAUSE_INITIAL)
			return true;
	}
	return false;
}

static bool same_file(const struct cause_tree *t)
{
	const char *file = NULL;

	for (guint i = 0; i < t->causes->len; i++) {
		const struct cause *c = t->causes->pdata[i];

		if (c->file && file && strcmp(file, c->file) != 0)
			return false;
		if (c->file)
			file = c->file;
	}
	return true;
}

static char *as_text(FILE *out, const struct cause_tree *t, const struct tui_options *o)
{
	struct tui_page page;
	g_autofree bool *told = g_new0(bool, t->causes->len);
	struct state st = { .page = &page, .t = t, .told = told };
	const struct cause *root = t->causes->pdata[0];
	char *text;

	tui_page_init(&page, out, o);
	put_question(&st);
	page.last_names = same_file(t);
	measure(&st, 0, 0);
	memset(told, 0, t->causes->len * sizeof(*told));
	put_causes(&st, 0, 1);
	if (root->because && !root->because->len) {
		tui_put(&page, TUI_PLAIN,
			"  it is a constant, or it had this value from the start");
		tui_newline(&page);
	}
	if (is_cut(t)) {
		tui_newline(&page);
		tui_put(&page, TUI_FAINT,
			t->cut ? "try:  a larger --limit causes=N goes further back"
			       : "try:  a larger --depth goes further back");
		tui_newline(&page);
	}
	text = g_strdup(page.out->str);
	tui_page_deinit(&page);
	return text;
}

bool tui_print_causes(FILE *out, const struct cause_tree *t, const char *question,
		      const struct tui_options *o)
{
	g_autofree char *text =
		o->format == TUI_JSON ? tui_json_causes(t, question) : as_text(out, t, o);

	return fputs(text, out) >= 0 && fflush(out) == 0;
}
