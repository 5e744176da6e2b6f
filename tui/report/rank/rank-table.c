/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/words/line.h"
#include "tui/report/rank/rank-private.h"

#include <string.h>

enum { PLACE_MOST = 32, TEXT_LEAST = 10 };

static const char *const schemes[] = {
	[RANK_BEST] = "best", [RANK_AVERAGE] = "average", [RANK_WORST] = "worst"
};

static void put_interrupt(struct tui_page *page, const struct ranking *r)
{
	unsigned run = r->passed + r->failed + r->left_out;

	if (r->not_run)
		tui_putf(page, TUI_FAILURE, "interrupted: from %u of %u tests", run,
			 run + r->not_run);
	if (r->not_run)
		tui_newline(page);
}

static void put_table_note(struct tui_page *page, const char *note)
{
	if (!note)
		return;
	tui_put(page, TUI_FAINT, "note: ");
	tui_put_wrapped(page, TUI_PLAIN, note, (unsigned)strlen("note: "));
}

void tui_rank_head(struct tui_page *page, const struct ranking *r)
{
	g_autofree char *program = tui_clean(r->program);
	g_autofree char *tests =
		g_strdup_printf("%s: %u tests failed, %u passed", program, r->failed, r->passed);
	g_autofree char *seconds = g_strdup_printf("%.1f s", r->ms / 1000);
	g_autofree char *why = r->unproven ? tui_clean(r->unproven) : NULL;
	g_autofree char *unproven =
		why ? g_strdup_printf("nothing was run, so nothing is proven: %s", why) : NULL;
	unsigned used = tui_width(tests) + tui_width(seconds);

	tui_put(page, TUI_PLAIN, tests);
	if (r->left_out) {
		g_autofree char *more = g_strdup_printf(", %u left out", r->left_out);

		tui_put(page, TUI_PLAIN, more);
		used += tui_width(more);
	}
	tui_put_blanks(page, used + 2 < page->width ? page->width - used : 2);
	tui_put(page, TUI_FAINT, seconds);
	tui_newline(page);
	put_interrupt(page, r);
	put_table_note(page, unproven);
	put_table_note(page, r->cut);
	if (r->techniques->len == 1)
		tui_putf(page, TUI_FAINT, "%s; ", (const char *)r->techniques->pdata[0]);
	tui_putf(page, TUI_FAINT, "%u line%s, ranks: %s of those that tie", r->lines->len,
		 r->lines->len == 1 ? "" : "s", schemes[r->scheme]);
	tui_newline(page);
}

/* How many lines are shown. */
static unsigned n_shown(const struct ranking *r, unsigned max_lines)
{
	return max_lines ? MIN(max_lines, r->lines->len) : r->lines->len;
}

static void put_rest(struct tui_page *page, const struct ranking *r, unsigned shown)
{
	if (shown < r->lines->len) {
		tui_putf(page, TUI_FAINT, "%u more line%s; --max-lines 0 shows all",
			 r->lines->len - shown, r->lines->len - shown == 1 ? "" : "s");
		tui_newline(page);
	}
}

static unsigned width_of_places(const struct tui_page *page, const struct ranking *r,
				unsigned shown)
{
	unsigned width = strlen("line");

	for (unsigned i = 0; i < shown; i++) {
		const struct ranking_line *l = &g_array_index(r->lines, struct ranking_line, i);
		g_autofree char *place = tui_place(page, l->file, l->number, PLACE_MOST);

		width = MAX(width, tui_width(place));
	}
	return width;
}

static void put_table_line(struct tui_page *page, const struct ranking *r,
			   const struct ranking_line *l, unsigned places)
{
	const struct ranking_score *s = &l->scores[0];
	g_autofree char *rank = tui_rank_text(r, s);
	g_autofree char *tie =
		s->standing.last > s->standing.first
			? g_strdup_printf("%u-%u", s->standing.first, s->standing.last)
			: g_strdup("");
	g_autofree char *score = tui_score_text(s->score);
	g_autofree char *place = tui_place(page, l->file, l->number, PLACE_MOST);
	g_autofree char *clean = tui_clean(l->text);
	unsigned left = 5 + 9 + 9 + 15 + 2 + places + 2;
	unsigned room = page->width > left + TEXT_LEAST ? page->width - left : TEXT_LEAST;
	g_autofree char *text = tui_elide(clean, room);

	tui_putf(page, TUI_FAINT, "%5s %8s", rank, tie);
	tui_putf(page, TUI_PLAIN, "%9s", score);
	tui_putf(page, TUI_FAINT, "%7u %7u  ", l->failed, l->passed);
	tui_put_padded(page, TUI_PLACE, place, places + 2);
	tui_put(page, TUI_CODE, text);
	tui_newline(page);
}

void tui_rank_table(struct tui_page *page, const struct ranking *r, unsigned max_lines)
{
	unsigned shown = n_shown(r, max_lines), places = width_of_places(page, r, shown);

	tui_newline(page);
	tui_putf(page, TUI_HEADING, "%5s %8s%9s%7s %7s  line", "rank", "tie", "score", "failed",
		 "passed");
	tui_newline(page);
	for (unsigned i = 0; i < shown; i++)
		put_table_line(page, r, &g_array_index(r->lines, struct ranking_line, i), places);
	put_rest(page, r, shown);
}

/* Whether two techniques rank all lines alike. */
static bool techniques_agree(const struct ranking *r, unsigned a, unsigned b)
{
	for (unsigned i = 0; i < r->lines->len; i++) {
		const struct ranking_score *s =
			g_array_index(r->lines, struct ranking_line, i).scores;

		if (s[a].standing.first != s[b].standing.first ||
		    s[a].standing.last != s[b].standing.last)
			return false;
	}
	return true;
}

/* Techniques that rank alike share a column: column[t] is the first that ranks
 * as t does. */
static unsigned *find_table_columns(const struct ranking *r)
{
	unsigned *column = g_new(unsigned, r->techniques->len);

	for (unsigned t = 0; t < r->techniques->len; t++) {
		column[t] = t;
		for (unsigned b = 0; b < t; b++) {
			if (column[b] == b && techniques_agree(r, b, t)) {
				column[t] = b;
				break;
			}
		}
	}
	return column;
}

static const char *technique_name_of(const struct ranking *r, unsigned t)
{
	return r->techniques->pdata[t];
}

static unsigned width_of_column(const struct ranking *r, unsigned t)
{
	return MAX(6u, (unsigned)strlen(technique_name_of(r, t))) + 2;
}

/* One table of the columns from *next on that fit, which moves behind them. */
static void put_columns(struct tui_page *page, const struct ranking *r, const unsigned *column,
			unsigned shown, unsigned places, unsigned *next)
{
	unsigned from = *next, to = from, n = r->techniques->len, used = places;

	for (; to < n &&
	       (to == from || column[to] != to || used + width_of_column(r, to) <= page->width);
	     to++)
		used += column[to] == to ? width_of_column(r, to) : 0;
	tui_newline(page);
	tui_put_padded(page, TUI_HEADING, "line", places);
	for (unsigned t = from; t < to; t++)
		if (column[t] == t)
			tui_putf(page, TUI_HEADING, "%*s", (int)width_of_column(r, t),
				 technique_name_of(r, t));
	tui_newline(page);
	for (unsigned i = 0; i < shown; i++) {
		const struct ranking_line *l = &g_array_index(r->lines, struct ranking_line, i);
		g_autofree char *place = tui_place(page, l->file, l->number, PLACE_MOST);

		tui_put_padded(page, TUI_PLACE, place, places);
		for (unsigned t = from; t < to; t++) {
			g_autofree char *rank = tui_rank_text(r, &l->scores[t]);

			if (column[t] == t)
				tui_putf(page, TUI_PLAIN, "%*s", (int)width_of_column(r, t), rank);
		}
		tui_newline(page);
	}
	*next = to;
}

static void put_alike(struct tui_page *page, const struct ranking *r, const unsigned *column)
{
	for (unsigned t = 0; t < r->techniques->len; t++) {
		g_autoptr(GString) names = g_string_new(NULL);

		for (unsigned other = t + 1; column[t] == t && other < r->techniques->len; other++)
			if (column[other] == t)
				g_string_append_printf(names, "%s%s", names->len ? ", " : "",
						       technique_name_of(r, other));
		if (names->len) {
			g_string_prepend(names, ": ");
			g_string_prepend(names, technique_name_of(r, t));
			g_string_prepend(names, "ranking as ");
			tui_put_wrapped(page, TUI_FAINT, names->str, 0);
		}
	}
}

void tui_rank_side_by_side(struct tui_page *page, const struct ranking *r, unsigned max_lines)
{
	g_autofree unsigned *column = find_table_columns(r);
	unsigned shown = n_shown(r, max_lines), places = width_of_places(page, r, shown);

	for (unsigned next = 0; next < r->techniques->len;)
		put_columns(page, r, column, shown, places, &next);
	put_rest(page, r, shown);
	tui_newline(page);
	put_alike(page, r, column);
}
