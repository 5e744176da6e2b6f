/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/cause.h"
#include "solver/answer/json/json.h"
#include "tui/words/line.h"
#include "tui/report/page.h"
#include "tui/words/words.h"

#include <string.h>

enum { STEP = 2, DEEPEST = 24 };

/* A line of the tree. */
struct row {
	unsigned cause;
	enum cause_edge edge;
	unsigned depth;	 /* from 1 */
	unsigned parent; /* index of its row; G_MAXUINT = the question */
	unsigned number; /* as shown, from 1; 0 = it is left out */
	unsigned as;	 /* index of the row that told of the cause before; G_MAXUINT = none */
	bool goes_on;	 /* what lies behind it is not shown */
};

struct state {
	struct tui_page *page;
	const struct cause_tree *t;
	GArray *rows; /* struct row */
	bool numbered;
	unsigned mark; /* width of the column of edges */
	unsigned place, text;
};

static const struct cause *tree_cause_at(const struct state *st, unsigned i)
{
	return st->t->causes->pdata[i];
}

static const char *cause_edge_word(enum cause_edge edge)
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
static char *said_of_cause(const struct cause *c)
{
	g_autofree char *clause = tui_clean(c->clause), *value = tui_clean(c->value);
	bool whole = c->text && c->clause && strcmp(c->text, c->clause) == 0;

	if (!*value)
		return whole ? g_strdup("") : g_steal_pointer(&clause);
	if (strcmp(clause, value) == 0) /* `return NULL;' */
		return g_steal_pointer(&value);
	if (!*clause || whole || c->kind == CAUSE_DECIDED)
		return whole || !*clause ||
				       (c->text && strstr(c->text, clause) &&
					!tui_words_is_part(c->text, clause))
			       ? g_steal_pointer(&value)
			       : g_strdup_printf("%s: %s", clause, value);
	if (c->kind == CAUSE_INPUT && g_str_has_suffix(clause, " returned"))
		return g_strdup_printf("%s %s", clause, value);
	if (c->kind == CAUSE_INPUT || c->kind == CAUSE_INITIAL)
		return g_strdup_printf("%s: %s", clause, value);
	return g_strdup_printf("%s %s %s", clause, c->kind == CAUSE_RETURNED ? "is" : "=", value);
}

/* ---- which rows there are ---- */

static struct row *cause_row_at(const GArray *rows, guint i)
{
	return &g_array_index(rows, struct row, i);
}

static bool has_causes(const struct cause *c)
{
	return c->because && c->because->len;
}

/* Where nothing lies behind a row, how its value came to be there is not said. */
static bool is_where_it_began(const struct cause *c)
{
	return c->kind == CAUSE_INPUT || c->kind == CAUSE_INITIAL;
}

/* Do both rows say the same of one line, with nothing behind the second one that is shown?  One
 * that has no words says nothing that is not said. */
static bool repeats_cause(const struct cause *said, const struct cause *c)
{
	if (has_causes(c) || c->line != said->line || g_strcmp0(c->file, said->file) != 0 ||
	    g_strcmp0(c->text, said->text) != 0)
		return false;
	return (!c->clause && !c->value) ||
	       ((c->kind == said->kind || (is_where_it_began(c) && is_where_it_began(said))) &&
		g_strcmp0(c->clause, said->clause) == 0 && g_strcmp0(c->value, said->value) == 0);
}

/* Did one of the links before the k-th lead to the same row? */
static bool is_repeated(const struct cause_tree *t, const GArray *links, guint k)
{
	const struct cause_link *l = &g_array_index(links, struct cause_link, k);

	for (guint i = 0; i < k; i++) {
		const struct cause_link *before = &g_array_index(links, struct cause_link, i);

		if (before->edge == l->edge &&
		    repeats_cause(t->causes->pdata[before->cause], t->causes->pdata[l->cause]))
			return true;
	}
	return false;
}

/* The rows of a cause's causes, and of theirs; told: by cause, its row plus 1, 0 = none. */
static void add_cause_rows(const struct cause_tree *t, GArray *rows, guint *told, unsigned of,
			   unsigned parent, unsigned depth)
{
	const struct cause *c = t->causes->pdata[of];

	for (guint k = 0; c->because && k < c->because->len && depth < DEEPEST; k++) {
		struct cause_link l = g_array_index(c->because, struct cause_link, k);
		const struct cause *next = t->causes->pdata[l.cause];
		bool again = told[l.cause] && has_causes(next);
		struct row r = { .cause = l.cause,
				 .edge = l.edge,
				 .depth = depth,
				 .parent = parent,
				 .as = again ? told[l.cause] - 1 : G_MAXUINT };

		if (is_repeated(t, c->because, k))
			continue;
		g_array_append_val(rows, r);
		if (again)
			continue;
		told[l.cause] = rows->len;
		add_cause_rows(t, rows, told, l.cause, rows->len - 1, depth + 1);
	}
}

/* The nearest causes first, so that what is left out lies further back. */
static void choose_nearest(GArray *rows, unsigned most)
{
	unsigned chosen = 0;

	for (unsigned depth = 1; depth <= DEEPEST; depth++)
		for (guint i = 0; i < rows->len && (!most || chosen < most); i++)
			if (cause_row_at(rows, i)->depth == depth) {
				cause_row_at(rows, i)->number = 1;
				chosen++;
			}
}

static bool has_more_behind(const struct cause *c)
{
	return !c->because && c->kind != CAUSE_INPUT && c->kind != CAUSE_INITIAL;
}

/* Says of each row whether all that lies behind it is shown. */
static void find_ends(const struct cause_tree *t, GArray *rows)
{
	unsigned number = 0;

	for (guint i = 0; i < rows->len; i++) {
		struct row *r = cause_row_at(rows, i);

		if (r->number)
			r->number = ++number;
		else if (r->parent != G_MAXUINT)
			cause_row_at(rows, r->parent)->goes_on = true;
		r->goes_on |= has_more_behind(t->causes->pdata[r->cause]);
	}
	for (guint i = 0; i < rows->len; i++) {
		struct row *r = cause_row_at(rows, i);

		if (r->as == G_MAXUINT || cause_row_at(rows, r->as)->number)
			continue;
		r->as = G_MAXUINT;
		r->goes_on = true;
	}
}

static GArray *cause_rows_of(const struct cause_tree *t, unsigned root, unsigned most)
{
	GArray *rows = g_array_new(FALSE, TRUE, sizeof(struct row));
	g_autofree guint *told = g_new0(guint, t->causes->len);

	add_cause_rows(t, rows, told, root, G_MAXUINT, 1);
	choose_nearest(rows, most);
	find_ends(t, rows);
	return rows;
}

bool tui_cause_of_row(const struct cause_tree *t, unsigned root, const struct tui_options *o,
		      unsigned number, unsigned *cause)
{
	g_autoptr(GArray) rows = cause_rows_of(t, root, o->max_rows);

	for (guint i = 0; i < rows->len; i++)
		if (number && cause_row_at(rows, i)->number == number) {
			*cause = cause_row_at(rows, i)->cause;
			return true;
		}
	return false;
}

/* ---- how they are shown ---- */

static unsigned indent_of(const struct state *st, const struct row *r)
{
	return STEP * (r->depth - (st->numbered ? 1 : 0));
}

static void measure_causes(struct state *st)
{
	for (guint i = 0; i < st->rows->len; i++) {
		const struct row *r = cause_row_at(st->rows, i);
		const struct cause *c = tree_cause_at(st, r->cause);
		g_autofree char *place =
			tui_place(st->page, c->file, c->line, st->page->width * 3 / 10);
		g_autofree char *text = tui_clean(c->text);

		if (!r->number)
			continue;
		st->place = MAX(st->place, c->file ? tui_width(place) : 0);
		st->text = MAX(st->text, MIN(tui_width(text), st->page->width * 2 / 5));
		st->mark = MAX(st->mark, indent_of(st, r) + tui_width("which"));
	}
}

/* "(as above)", "(as row 7)", "..." */
static char *remark_of(const struct state *st, const struct row *r)
{
	if (r->as != G_MAXUINT && st->numbered)
		return g_strdup_printf(" (as row %u)", cause_row_at(st->rows, r->as)->number);
	if (r->as != G_MAXUINT)
		return g_strdup(" (as above)");
	return g_strdup(r->goes_on && st->numbered ? " ..." : "");
}

static void put_cause_row(struct state *st, const struct row *r)
{
	const struct cause *c = tree_cause_at(st, r->cause);
	g_autofree char *place = tui_place(st->page, c->file, c->line, st->place);
	g_autofree char *clean = tui_clean(c->text), *text = tui_elide(clean, st->text);
	g_autofree char *what = said_of_cause(c), *remark = remark_of(st, r);
	g_autofree char *all = g_strconcat(what, remark, NULL);
	const unsigned left = st->numbered ? 4 : 0, before = indent_of(st, r),
		       column = left + st->mark + 2 + st->place + 2 + st->text + 2;

	if (st->numbered)
		tui_putf(st->page, TUI_FAINT, "%2u  ", r->number);
	tui_put_blanks(st->page, before);
	tui_put_padded(st->page, TUI_FAINT, cause_edge_word(r->edge), st->mark + 2 - before);
	if (!c->file && !*text && column + tui_width(all) > st->page->width) {
		/* there is room where the statement would stand */
		tui_put_wrapped(st->page, TUI_PLAIN, all, left + st->mark + 2);
		return;
	}
	tui_put_padded(st->page, TUI_PLACE, c->file ? place : "", st->place + 2);
	tui_put_padded(st->page, TUI_CODE, text, *all ? st->text + 2 : 0);
	if (*all)
		tui_put_wrapped(st->page, TUI_PLAIN, all, column);
	else
		tui_newline(st->page);
}

/* "errors == 2 = 1" would read as an equation. */
static bool is_truth(const char *clause, const char *value)
{
	return (strcmp(value, "0") == 0 || strcmp(value, "1") == 0) &&
	       g_regex_match_simple("(?<![-<>=!])([<>]=?|[=!]=)(?![<>=])|&&|\\|\\|", clause, 0, 0);
}

static void put_question(struct state *st, unsigned root)
{
	const struct cause *c = tree_cause_at(st, root);
	g_autofree char *place = tui_place(st->page, c->file, c->line, st->page->width / 2);
	g_autofree char *clause = tui_clean(c->clause), *value = tui_clean(c->value);
	const bool truth = is_truth(clause, value);
	const char *joint = truth || c->kind == CAUSE_DECIDED || c->kind == CAUSE_INITIAL ? ":"
			    : c->kind == CAUSE_INPUT					  ? ""
											  : " =";

	if (*value && *clause)
		tui_putf(st->page, TUI_FAILURE, "%s%s %s at ", clause, joint,
			 !truth		 ? value
			 : *value == '1' ? "true"
					 : "false");
	else if (*value)
		tui_putf(st->page, TUI_FAILURE, "%s at ", value);
	tui_putf(st->page, TUI_FAILURE, "%s", c->file ? place : "?");
	if (c->function)
		tui_putf(st->page, TUI_FAILURE, " in %s", c->function);
	if (!*value)
		tui_putf(st->page, TUI_FAILURE, " %s", clause);
	tui_newline(st->page);
}

/* ---- what else could be asked ---- */

static bool is_cut(const struct cause_tree *t)
{
	for (guint i = 0; i < t->causes->len; i++)
		if (has_more_behind(t->causes->pdata[i]))
			return true;
	return false;
}

/* The number of the first row that goes on; 0 = none does. */
static unsigned first_to_go_on(const GArray *rows)
{
	for (guint i = 0; i < rows->len; i++)
		if (cause_row_at(rows, i)->number && cause_row_at(rows, i)->goes_on)
			return cause_row_at(rows, i)->number;
	return 0;
}

static unsigned count_numbered_rows(const GArray *rows)
{
	unsigned n = 0;

	for (guint i = 0; i < rows->len; i++)
		n += cause_row_at(rows, i)->number > 0;
	return n;
}

/* NULL = all was said. */
static char *hint_of_left_out(const struct state *st, const struct tui_options *o)
{
	unsigned next = st->numbered ? first_to_go_on(st->rows) : 0;

	GString *out = g_string_new(NULL);

	if (next)
		g_string_printf(out, "`%s%u%s' goes on from row %u", o->from_row, next,
				o->behind_row ? o->behind_row : "", next);
	if (next && count_numbered_rows(st->rows) < st->rows->len) {
		if (o->others)
			g_string_append_printf(out, "; `%s' shows all %u rows", o->others,
					       st->rows->len);
	} else if (st->t->cut && is_cut(st->t)) {
		g_string_assign(out, "a larger --limit causes=N goes further back");
	} else if (is_cut(st->t) && o->deeper) {
		g_string_append_printf(out, "%s`%s' goes further back", next ? "; " : "",
				       o->deeper);
	}
	return g_string_free(out, !out->len);
}

static bool is_tree_of_one_file(const struct cause_tree *t)
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

static char *cause_as_text(FILE *out, const struct cause_tree *t, unsigned from,
			   const struct tui_options *o)
{
	struct tui_page page;
	g_autoptr(GArray) rows = cause_rows_of(t, from, o->from_row ? o->max_rows : 0);
	struct state st = { .page = &page, .t = t, .rows = rows, .numbered = o->from_row };
	const struct cause *root = t->causes->pdata[from];
	g_autofree char *next = hint_of_left_out(&st, o);
	char *text;

	tui_page_init(&page, out, o);
	put_question(&st, from);
	page.last_names = is_tree_of_one_file(t);
	measure_causes(&st);
	for (guint i = 0; i < rows->len; i++)
		if (cause_row_at(rows, i)->number)
			put_cause_row(&st, cause_row_at(rows, i));
	if (root->because && !root->because->len) {
		tui_put(&page, TUI_PLAIN,
			root->value
				? "  it is a constant, or it had this value from the start"
				: "  no decision led there, but for any that would have ended the "
				  "program");
		tui_newline(&page);
	}
	if (next) {
		tui_newline(&page);
		tui_putf(&page, TUI_FAINT, "try:  %s", next);
		tui_newline(&page);
	}
	text = g_strdup(page.out->str);
	tui_page_deinit(&page);
	return text;
}

bool tui_print_causes_of(FILE *out, const struct cause_tree *t, unsigned root,
			 const struct tui_options *o)
{
	g_autofree char *text = cause_as_text(out, t, root, o);

	return fputs(text, out) >= 0 && fflush(out) == 0;
}

bool tui_print_causes(FILE *out, const struct cause_tree *t, const char *question,
		      const struct tui_options *o)
{
	g_autofree char *text =
		o->format == TUI_JSON ? tui_json_causes(t, question) : cause_as_text(out, t, 0, o);

	return fputs(text, out) >= 0 && fflush(out) == 0;
}
