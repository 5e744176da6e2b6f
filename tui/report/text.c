/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/text.h"
#include "tui/report/hint.h"
#include "tui/report/chain.h"
#include "tui/words/line.h"
#include "tui/report/stats.h"
#include "tui/words/suspect-words.h"
#include "tui/words/words.h"

#include <string.h>

/* A row of the table of suspects; all clean. */
struct row {
	char *rank; /* "" for the second and later statements of a set */
	char *place, *text, *verdict;
	char *evidence; /* below the last one of a set; NULL = none */
	enum tui_role role;
};

struct columns {
	unsigned rank, place, text;
};

static void text_row_clear(void *p)
{
	struct row *r = p;

	g_free(r->rank);
	g_free(r->place);
	g_free(r->text);
	g_free(r->verdict);
	g_free(r->evidence);
}

/* left, and right at the end of the line or, where both do not fit, below. */
static void put_both_ends(struct tui_page *page, enum tui_role left_role, const char *left,
			  enum tui_role right_role, const char *right)
{
	unsigned l = tui_width(left), r = tui_width(right);

	if (l + r + 2 <= page->width) {
		tui_put(page, left_role, left);
		tui_put_blanks(page, *right ? page->width - l - r : 0);
		tui_put(page, right_role, right);
		tui_newline(page);
		return;
	}
	tui_put_wrapped(page, left_role, left, 4);
	if (*right) {
		tui_put_blanks(page, 4);
		tui_put_wrapped(page, right_role, right, 4);
	}
}

static enum tui_role role_of(const struct explanation_suspect *s)
{
	return s->replay == REPLAY_PASSES  ? TUI_GOOD
	       : s->replay == REPLAY_FAILS ? TUI_BAD
					   : TUI_PLAIN;
}

/* Does a suspect before it tell the same change of the same line? */
static bool is_change_told(const struct explanation *e, const struct explanation_suspect *s)
{
	const struct explanation_statement *at =
		s->statements->len ? &g_array_index(s->statements, struct explanation_statement, 0)
				   : NULL;

	for (guint i = 0; at && s->evidence && s->evidence->change && i < e->suspects->len; i++) {
		const struct explanation_suspect *other = e->suspects->pdata[i];
		const struct explanation_statement *st =
			other->statements->len
				? &g_array_index(other->statements, struct explanation_statement, 0)
				: NULL;

		if (other == s)
			return false;
		if (st && other->evidence && st->line == at->line &&
		    g_strcmp0(st->file, at->file) == 0 &&
		    g_strcmp0(other->evidence->change, s->evidence->change) == 0)
			return true;
	}
	return false;
}

/* ---- one statement that may be put in at several lines ---- */

/* The statement that is missing, as the change says it: "`n++' put before it"; NULL: another
 * kind of change. */
static const char *insertion_of(const struct explanation_suspect *s)
{
	const struct explanation_statement *st =
		s->statements->len == 1
			? &g_array_index(s->statements, struct explanation_statement, 0)
			: NULL;
	const bool is = st && g_strcmp0(st->kind, "code") == 0 && s->replay == REPLAY_PASSES &&
			s->evidence && s->evidence->change &&
			strstr(s->evidence->change, "' put before it");

	return is ? s->evidence->change : NULL;
}

static bool is_same_insertion(const struct explanation_suspect *a,
			      const struct explanation_suspect *b)
{
	const char *inserted = insertion_of(a);

	return inserted && g_strcmp0(inserted, insertion_of(b)) == 0 &&
	       g_strcmp0(g_array_index(a->statements, struct explanation_statement, 0).function,
			 g_array_index(b->statements, struct explanation_statement, 0).function) ==
		       0;
}

/* Is it told in the row of one before it? */
static bool is_insertion_told(const struct explanation *e, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (is_same_insertion(e->suspects->pdata[k], e->suspects->pdata[i]))
			return true;
	return false;
}

/* "; or before line 54 (2) or 53 (3)"; of the suspects up to number shown.  Free it. */
static char *other_insertions(const struct explanation *e, unsigned i, unsigned shown)
{
	GString *out = g_string_new(NULL);

	for (unsigned k = i + 1; k < shown; k++) {
		const struct explanation_suspect *s = e->suspects->pdata[k];

		if (is_same_insertion(e->suspects->pdata[i], s))
			g_string_append_printf(
				out, "%s %u (%u)", out->len ? " or" : "; or before line",
				g_array_index(s->statements, struct explanation_statement, 0).line,
				s->rank);
	}
	return g_string_free(out, FALSE);
}

static void add_suspect_rows(GArray *rows, const struct tui_page *page, const struct explanation *e,
			     const struct explanation_suspect *s, const char *others)
{
	g_autofree char *alone = tui_words_change_alone(s);
	const bool told = alone || is_change_told(e, s);

	for (unsigned i = 0; i < (alone ? 1 : s->statements->len); i++) {
		const struct explanation_statement *st =
			&g_array_index(s->statements, struct explanation_statement, i);
		g_autofree char *place =
			tui_place(page, st->file, st->line, page->width * 2 / 5 - 4);
		g_autofree char *verdict =
			alone ? g_strdup(alone) : tui_words_verdict(s, i, e->failure.kind);
		struct row r = {
			.rank = i ? g_strdup("") : g_strdup_printf("%u", s->rank),
			.place = g_strconcat(i ? "and " : "", place, NULL),
			.text = tui_clean(st->text),
			.evidence = !told && i + 1 == s->statements->len
					    ? tui_words_evidence(s, e->failure.kind)
					    : NULL,
			.role = role_of(s),
			.verdict = g_strconcat(verdict, others, NULL),
		};

		g_array_append_val(rows, r);
	}
}

static struct columns measure_columns(const struct tui_page *page, const GArray *rows)
{
	struct columns c = { 2, 0, 0 };
	unsigned most_place = page->width * 2 / 5, most_text = page->width * 7 / 20;

	for (unsigned i = 0; i < rows->len; i++) {
		const struct row *r = &g_array_index(rows, struct row, i);

		c.rank = MAX(c.rank, tui_width(r->rank));
		c.place = MAX(c.place, MIN(tui_width(r->place), most_place));
		c.text = MAX(c.text, MIN(tui_width(r->text), most_text));
	}
	return c;
}

/* The verdict stands beside the source text where there is room, and otherwise below it. */
static void put_suspect_row(struct tui_page *page, const struct columns *c, const struct row *r,
			    bool beside)
{
	unsigned left = c->rank + 2 + c->place + 2;
	unsigned indent = beside ? left + c->text + 2 : c->rank + 4;
	g_autofree char *text = tui_elide(r->text, beside		? c->text
						   : page->width > left ? page->width - left
									: 4);

	tui_put_blanks(page, c->rank - tui_width(r->rank));
	tui_put(page, TUI_FAINT, r->rank);
	tui_put_blanks(page, 2);
	tui_put_padded(page, TUI_PLACE, r->place, c->place + 2);
	tui_put_padded(page, TUI_CODE, text, beside ? c->text + 2 : 0);
	if (!beside) {
		tui_newline(page);
		tui_put_blanks(page, indent);
	}
	tui_put_wrapped(page, r->role, r->verdict, indent);
	if (!r->evidence)
		return;
	tui_put_blanks(page, c->rank + 4);
	tui_put_wrapped(page, TUI_FAINT, r->evidence, c->rank + 4);
}

/* ---- names of files ---- */

static bool is_one_file(const char **one, const char *file)
{
	if (!*one)
		*one = file;
	return !file || strcmp(*one, file) == 0;
}

static bool links_are_in_file(const GArray *links, const char *file)
{
	for (unsigned i = 0; i < links->len; i++)
		if (!is_one_file(&file, g_array_index(links, struct explanation_link, i).file))
			return false;
	return true;
}

/* Does all that is told stand in one file?  Then its last name is enough. */
static bool all_in_one_file(const struct explanation *e)
{
	const char *file = e->failure.file;

	for (unsigned i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		for (unsigned k = 0; k < s->statements->len; k++)
			if (!is_one_file(&file, g_array_index(s->statements,
							      struct explanation_statement, k)
							.file))
				return false;
	}
	return links_are_in_file(e->chain, file);
}

/* ---- what happened ---- */

static char *values_of_opening(const struct explanation_link *l, const char *line, unsigned room)
{
	const struct explanation_value *only =
		l->values && l->values->len == 1
			? &g_array_index(l->values, struct explanation_value, 0)
			: NULL;

	return only && (tui_words_is_told(line, only, room) ||
			g_strcmp0(only->name, "an intermediate result") == 0)
		       ? tui_clean(only->value)
		       : tui_words_values(l->values);
}

static void put_opening_row(struct tui_page *page, const struct explanation_link *l,
			    unsigned place_width, unsigned text_width)
{
	g_autofree char *place = tui_place(page, l->file, l->line, place_width);
	g_autofree char *clean = tui_clean(l->text), *text = tui_elide(clean, text_width);
	const unsigned indent = 8 + place_width + 2 + text_width + 2;
	g_autofree char *values =
		values_of_opening(l, clean, page->width - MIN(page->width, indent));

	tui_put(page, TUI_FAINT, l->edge == EDGE_CONTROL ? "  since " : "  from  ");
	tui_put_padded(page, TUI_PLACE, l->file ? place : "", place_width + 2);
	tui_put_padded(page, TUI_CODE, text, text_width + 2);
	tui_put_wrapped(page, TUI_PLAIN, *values || l->text ? values : l->clause, indent);
}

static void put_folded_opening(struct tui_page *page, const GPtrArray *links, guint i, guint n)
{
	g_autofree char *places = tui_chain_folded(page, links, i, n);
	g_autofree char *words = g_strdup_printf("%s, which passed it on", places);

	tui_put(page, TUI_FAINT, "  from  ");
	tui_put_wrapped(page, TUI_PLACE, words, strlen("  from  "));
}

/* What happened, below the failure and before the suspects. */
static void put_opening(struct tui_page *page, const struct explanation *e, bool brief)
{
	g_autoptr(GPtrArray) links = g_ptr_array_new();
	unsigned place_width = 0, text_width = 0;

	page->last_names = links_are_in_file(e->opening, e->failure.file);
	for (guint i = 0; i < e->opening->len; i++) {
		struct explanation_link *l = &g_array_index(e->opening, struct explanation_link, i);
		g_autofree char *place = tui_place(page, l->file, l->line, page->width * 3 / 10);
		g_autofree char *text = tui_clean(l->text);

		place_width = MAX(place_width, l->file ? tui_width(place) : 0);
		text_width = MAX(text_width, MIN(tui_width(text), page->width * 2 / 5));
		g_ptr_array_add(links, l);
	}
	for (guint i = 0; i < links->len; i++) {
		const guint folded = brief ? tui_chain_fold(links, i) : 0;

		if (folded)
			put_folded_opening(page, links, i, folded);
		i += folded;
		put_opening_row(page, links->pdata[i], place_width, text_width);
	}
	page->last_names = false;
}

static void put_note(struct tui_page *page, const char *label, const char *text)
{
	g_autofree char *clean = tui_clean(text);

	tui_put(page, TUI_FAINT, label);
	tui_put_wrapped(page, TUI_PLAIN, clean, (unsigned)strlen(label));
}

static void put_failure_head(struct tui_page *page, const struct explanation *e, bool brief)
{
	const struct explanation_failure *f = &e->failure;
	g_autofree char *place = tui_place(page, f->file, f->line, page->width / 2);
	g_autofree char *failure = tui_words_failure(f, place);
	g_autofree char *values = tui_words_values(f->values);
	g_autofree char *differs = tui_words_differs(e);

	if (differs)
		put_note(page, "note: ", differs);
	put_both_ends(page, TUI_FAILURE, failure, TUI_PLAIN, values);
	put_opening(page, e, brief);
}

static void put_count_and_time(struct tui_page *page, const struct explanation *e)
{
	g_autofree char *count = tui_words_count(e);
	g_autofree char *time = tui_words_time(e->stats.total_ms);

	put_both_ends(page, TUI_PLAIN, count, TUI_FAINT, e->stats.total_ms > 0 ? time : "");
}

/* Does a run show something for it? */
static bool is_shown_by_run(const struct explanation *e, unsigned i)
{
	const struct explanation_suspect *s = e->suspects->pdata[i];

	return s->replay == REPLAY_PASSES || s->further_to;
}

/* Three are read; a fourth is shown where it is the last one.  Those that no run shows come last,
 * and are read only where there are no others.  An answer fits on a screen. */
enum { FIRST_SHOWN = 3, LINES_MOST = 25 };

static unsigned count_shown_suspects(const struct explanation *e, const struct tui_options *o)
{
	const unsigned all =
		o->max_suspects ? MIN(o->max_suspects, e->suspects->len) : e->suspects->len;
	unsigned rows = 0, shown = all;

	for (unsigned i = 0; o->others && i < all; i++) {
		if (is_shown_by_run(e, 0) && !is_shown_by_run(e, i))
			return MIN(shown, i);
		if (is_insertion_told(e, i))
			continue;
		if (rows++ == FIRST_SHOWN)
			shown = i;
	}
	return rows > FIRST_SHOWN + 1 ? shown : all;
}

static void put_suspect_table(struct tui_page *page, const struct explanation *e, unsigned shown)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, TRUE, sizeof(struct row));
	struct columns c;
	unsigned room, widest = 0;

	g_array_set_clear_func(rows, text_row_clear);
	for (unsigned i = 0; i < shown; i++) {
		g_autofree char *others = other_insertions(e, i, shown);

		if (!is_insertion_told(e, i))
			add_suspect_rows(rows, page, e, e->suspects->pdata[i], others);
	}
	c = measure_columns(page, rows);
	for (unsigned i = 0; i < rows->len; i++)
		widest = MAX(widest, tui_width(g_array_index(rows, struct row, i).verdict));
	room = page->width - MIN(page->width, c.rank + c.place + c.text + 6);
	for (unsigned i = 0; i < rows->len; i++)
		put_suspect_row(page, &c, &g_array_index(rows, struct row, i),
				room >= 36 || widest <= room);
}

/* Where to set a breakpoint: the first statement of the first proven suspect.
 * The file's last name is what GDB always knows it by. */
static char *first_breakpoint_place(const struct explanation *e)
{
	for (unsigned i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];
		const struct explanation_statement *st;
		g_autofree char *name = NULL;

		if (s->replay != REPLAY_PASSES || s->statements->len == 0)
			continue;
		st = &g_array_index(s->statements, struct explanation_statement, 0);
		if (!st->file || !st->line)
			return NULL;
		/* there is no code where a variable is declared */
		if (g_strcmp0(st->kind, "data") == 0)
			return g_strdup("main");
		name = g_path_get_basename(st->file);
		return g_strdup_printf("%s:%u", name, st->line);
	}
	return NULL;
}

static void put_table_of_stats(struct tui_page *page, const struct explanation *e)
{
	tui_newline(page);
	tui_stats(page, &e->stats);
}

static void put_tail(struct tui_page *page, const struct explanation *e, const char *hint)
{
	if (e->notes->len || !e->complete || hint)
		tui_newline(page);
	for (unsigned i = 0; i < e->notes->len; i++)
		put_note(page, "note: ", e->notes->pdata[i]);
	if (!e->complete && e->notes->len == 0)
		put_note(page, "note: ", "a limit was reached; there may be more explanations");
	if (hint)
		put_note(page, "try:  ", hint);
}

/* ---- what is read in one look ---- */

static void put_command_for(struct tui_page *page, const char *what, const char *command)
{
	tui_put(page, TUI_FAINT, what);
	tui_put(page, TUI_FAINT, ": ");
	tui_put(page, TUI_FAINT, command);
}

/* What is not shown, and the commands that show it. */
static void put_others(struct tui_page *page, const struct explanation *e, unsigned shown,
		       bool ways, const struct tui_options *o)
{
	const unsigned more = e->suspects->len - shown;
	g_autofree char *count = g_strdup_printf(
		"%u more%s", more,
		more && is_shown_by_run(e, 0) && !is_shown_by_run(e, shown) ? ", not proven" : "");
	g_autofree char *both = g_strconcat(count, ", and the way from each to the failure", NULL);

	if (!more && !ways)
		return;
	tui_put_blanks(page, 4);
	if (!o->others) {
		tui_putf(page, TUI_FAINT, "... %s", count);
	} else if (ways && !o->way) {
		put_command_for(page, more ? both : "the way from each to the failure", o->others);
	} else {
		if (more)
			put_command_for(page, count, o->others);
		tui_put(page, TUI_FAINT, more && ways ? "; " : "");
		if (ways)
			put_command_for(page, "the way from 1 to the failure", o->way);
	}
	tui_newline(page);
}

/* The suspects and what follows.  The ways are left to .others where all is more than LINES_MOST
 * lines long: the opening tells where the failing value came from. */
static void put_suspects_and_rest(struct tui_page *page, const struct explanation *e,
				  unsigned shown, const char *hint, const struct tui_options *o)
{
	const bool cut = o->others && shown < e->suspects->len;
	struct tui_page ways = *page, tail = *page;
	unsigned lines;

	ways.out = g_string_new(NULL);
	tail.out = g_string_new(NULL);
	tui_chain(&ways, e, cut ? 1 : shown, o);
	put_tail(&tail, e, hint);
	lines = o->above + tui_count_lines(page->out->str) + (shown < e->suspects->len) +
		tui_count_lines(ways.out->str) + tui_count_lines(tail.out->str);
	if (!o->others || lines <= LINES_MOST) {
		put_others(page, e, shown, false, o);
		g_string_append_len(page->out, ways.out->str, (gssize)ways.out->len);
	} else {
		put_others(page, e, shown, ways.out->len, o);
	}
	g_string_append_len(page->out, tail.out->str, (gssize)tail.out->len);
	g_string_free(ways.out, TRUE);
	g_string_free(tail.out, TRUE);
}

void tui_text(struct tui_page *page, const struct explanation *e, const struct tui_options *o)
{
	unsigned shown = count_shown_suspects(e, o);
	bool cut = o->others && shown < e->suspects->len;
	g_autofree char *place = first_breakpoint_place(e);
	g_autofree char *hint = tui_hint(e, cut ? e->suspects->len : shown, place, o);

	if (o->part == TUI_STATS) {
		put_table_of_stats(page, e);
		return;
	}
	if (o->part == TUI_WAYS) {
		page->last_names = all_in_one_file(e);
		if (!tui_chain_alone(page, e))
			put_note(page, "",
				 "It is not known which values lead from there to the failure: the "
				 "program was run with the change, and no value was followed.");
		return;
	}
	if (!o->rows_only && o->part != TUI_REST)
		put_failure_head(page, e, o->others);
	if (o->part == TUI_HEAD)
		return;
	if (!o->rows_only)
		put_count_and_time(page, e);
	page->last_names = all_in_one_file(e);
	put_suspect_table(page, e, shown);
	if (o->rows_only)
		put_others(page, e, shown, false, o);
	else
		put_suspects_and_rest(page, e, shown, hint, o);
	if (!o->rows_only && o->stats)
		put_table_of_stats(page, e);
}
