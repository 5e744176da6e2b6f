/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/chain.h"
#include "tui/words/line.h"
#include "tui/words/words.h"

#include <string.h>

enum {
	CHAINS_SHOWN = 8,
	HOPS_SHOWN = 7,
	BRIEF_ROWS = 10,
	LEFT = 15 /* "  10  control ->" less a blank */
};

struct state {
	struct tui_page *page;
	const struct explanation *e;
	bool brief;	      /* what the opening has is not told again */
	bool whole;	      /* no step is left out */
	bool tells;	      /* the ways tell what would have been, where that is known */
	unsigned *first_in;   /* by link: rank of the suspect with a row for it, 0 = none */
	unsigned place, text; /* widths of columns */
};

static const struct explanation_link *shown_link_at(const struct state *st, const GArray *chain,
						    unsigned i)
{
	unsigned index = g_array_index(chain, unsigned, i);

	return index < st->e->chain->len
		       ? &g_array_index(st->e->chain, struct explanation_link, index)
		       : NULL;
}

/* What stands between a link and the one shown before it.  Two changes of a set
 * need not lead to each other. */
static const char *words_between_links(const struct state *st, const GArray *chain, unsigned i)
{
	const struct explanation_link *from = i ? shown_link_at(st, chain, i - 1) : NULL;
	const struct explanation_link *to = shown_link_at(st, chain, i);

	if (!from)
		return "";
	for (unsigned k = 0; to->because && k < to->because->len; k++)
		if (g_array_index(to->because, unsigned, k) ==
		    g_array_index(chain, unsigned, i - 1))
			return from->edge == EDGE_CONTROL ? "control ->" : "   data ->";
	return "and";
}

/* Does the way tell, before the failure, what would have been? */
static bool tells_what_would_be(const struct explanation *e, const GArray *way)
{
	for (guint i = 0; i + 1 < way->len; i++) {
		const struct explanation_link *l = &g_array_index(e->chain, struct explanation_link,
								  g_array_index(way, unsigned, i));

		for (guint k = 0; k < l->values->len; k++)
			if (strstr(g_array_index(l->values, struct explanation_value, k).value,
				   " -> "))
				return true;
	}
	return way->len == 1;
}

/* "b = 1 -> 0".  A condition's text stands there already: "true -> false".  line: the whole line,
 * of which text is shown. */
static char *values_of(const struct state *st, const struct explanation_link *l, const char *text,
		       const char *line, unsigned room)
{
	const struct explanation_value *first =
		l->values && l->values->len == 1
			? &g_array_index(l->values, struct explanation_value, 0)
			: NULL;
	bool shown = first && first->name &&
		     (strcmp(text, first->name) == 0 ||
		      (strpbrk(first->name, " (!") && strstr(text, first->name) &&
		       !tui_words_is_part(text, first->name)) ||
		      g_strcmp0(first->name, st->e->failure.requirement) == 0);

	g_autofree char *values = tui_words_values(l->values);

	/* the failure's own line says what it should be */
	if (first && g_strcmp0(first->name, "output") == 0 && tui_width(values) > room)
		return g_strdup("the output");
	/* where an argument points to says nothing, unless it should point elsewhere */
	if (first && g_strcmp0(first->value, "one address") == 0)
		return g_strdup("");
	shown |= first && tui_words_is_told(line, first, room);
	if (st->tells && l->before_only && *(shown ? first->value : values))
		return g_strconcat(shown ? first->value : values, " -> ?", NULL);
	return shown ? tui_clean(first->value) : g_steal_pointer(&values);
}

/* The text of the line, or only its condition when the line is too long for the screen. */
static char *text_of_link(const struct state *st, const struct explanation_link *l)
{
	g_autofree char *line = tui_clean(l->text ? l->text : l->clause);

	if (l->edge == EDGE_CONTROL && l->clause && tui_width(line) > st->text)
		return tui_clean(l->clause);
	return g_steal_pointer(&line);
}

static void put_chain_link(struct state *st, const char *rank, const char *edge,
			   const struct explanation_link *l)
{
	g_autofree char *place = tui_place(st->page, l->file, l->line, st->place);
	g_autofree char *clean = text_of_link(st, l);
	g_autofree char *text = tui_elide(clean, st->text);
	unsigned indent = LEFT + 1 + st->place + 2 + st->text + 2;
	unsigned room = st->page->width - MIN(st->page->width, indent);
	g_autofree char *values = values_of(st, l, text, clean, room);

	tui_putf(st->page, TUI_FAINT, "%3s  %10s ", rank, edge);
	tui_put_padded(st->page, TUI_PLACE, place, st->place + 2);
	tui_put_padded(st->page, TUI_PLAIN, text, st->text + 2);
	if (*values)
		tui_put_wrapped(st->page, TUI_PLAIN, values, indent);
	else
		tui_newline(st->page);
}

static void put_remark(struct state *st, const char *edge, const char *remark)
{
	tui_putf(st->page, TUI_FAINT, "%3s  %10s %s", "", edge, remark);
	tui_newline(st->page);
}

static const struct explanation_suspect *suspect_of_rank(const struct explanation *e, unsigned rank)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		if (s->rank == rank)
			return s;
	}
	return NULL;
}

/* Where the way has the link; its length: it has none. */
static guint place_in_way(const GArray *way, unsigned link)
{
	guint i = 0;

	while (i < way->len && g_array_index(way, unsigned, i) != link)
		i++;
	return i;
}

/* Does the suspect's way go on as the chain does from i on? */
static bool goes_on_alike(const struct explanation_suspect *s, const GArray *chain, unsigned i)
{
	guint k = place_in_way(s->chain, g_array_index(chain, unsigned, i));

	if (s->chain->len - k != chain->len - i)
		return false;
	for (; i < chain->len; i++, k++)
		if (g_array_index(s->chain, unsigned, k) != g_array_index(chain, unsigned, i))
			return false;
	return true;
}

/* Has another row of the suspect's way the link's line? */
static bool has_row_of_line(const struct state *st, const struct explanation_suspect *s,
			    unsigned link)
{
	const struct explanation_link *l =
		&g_array_index(st->e->chain, struct explanation_link, link);

	for (guint i = 0; i < s->chain->len; i++) {
		const unsigned other = g_array_index(s->chain, unsigned, i);
		const struct explanation_link *o =
			&g_array_index(st->e->chain, struct explanation_link, other);

		if (other != link && st->first_in[other] && o->line == l->line &&
		    g_strcmp0(o->file, l->file) == 0)
			return true;
	}
	return false;
}

/* True when the rest of the chain was shown with an earlier suspect, is long enough to be worth a
 * reference, and begins with a row that can be found there. */
static bool rest_was_shown(const struct state *st, const GArray *chain, unsigned i)
{
	const unsigned link = g_array_index(chain, unsigned, i);
	const struct explanation_suspect *first =
		i && chain->len - i >= 3 && st->first_in[link]
			? suspect_of_rank(st->e, st->first_in[link])
			: NULL;

	return first && goes_on_alike(first, chain, i) && !has_row_of_line(st, first, link);
}

/* The row of the opening with the link's line, above that row; -1 = there is none. */
static int opening_row_above(const struct explanation *e, const struct explanation_link *l, int row)
{
	while (--row >= 0) {
		const struct explanation_link *told =
			&g_array_index(e->opening, struct explanation_link, row);

		if (told->line == l->line && g_strcmp0(told->file, l->file) == 0)
			break;
	}
	return row;
}

/* True when the opening has the rest of the chain, which it tells backwards, and that is long
 * enough to be worth a reference. */
static bool opening_has_rest(const struct state *st, const GArray *chain, unsigned i)
{
	int row = (int)st->e->opening->len;

	if (!st->brief || i == 0 || chain->len - i < 4)
		return false;
	for (; row >= 0 && i + 1 < chain->len; i++)
		row = opening_row_above(st->e, shown_link_at(st, chain, i), row);
	return row >= 0;
}

static bool chain_is_sound(const struct state *st, const GArray *chain)
{
	for (unsigned i = 0; chain && i < chain->len; i++) {
		if (!shown_link_at(st, chain, i))
			return false;
	}
	return chain && chain->len > 1;
}

/* first: the rank of the suspect that showed it; 0: the opening did. */
static void put_known_rest(struct state *st, const char *edge, const struct explanation_link *l,
			   unsigned first)
{
	g_autofree char *place = tui_place(st->page, l->file, l->line, st->place);
	g_autofree char *remark =
		first ? g_strdup_printf("%s, then the same way as %u", place, first)
		      : g_strdup_printf("%s, then up the rows at the top", place);

	put_remark(st, edge, remark);
}

/* ---- values that are passed on ---- */

/* A value that is told of the link, and of none that decides something; NULL = none. */
static const char *passed_value(const struct explanation_link *l)
{
	const bool has_one = l->file && l->edge == EDGE_DATA && l->values && l->values->len == 1;

	return has_one ? g_array_index(l->values, struct explanation_value, 0).value : NULL;
}

static bool have_same_value(const struct explanation_link *a, const struct explanation_link *b)
{
	return passed_value(a) && g_strcmp0(passed_value(a), passed_value(b)) == 0 &&
	       g_strcmp0(a->file, b->file) == 0;
}

guint tui_chain_fold(const GPtrArray *links, guint i)
{
	guint end = i;

	while (i && end < links->len && have_same_value(links->pdata[i - 1], links->pdata[end]))
		end++;
	return end > i + 2 ? end - i - 1 : 0;
}

char *tui_chain_folded(const struct tui_page *page, const GPtrArray *links, guint i, guint n)
{
	const struct explanation_link *first = links->pdata[i], *l;
	g_autofree char *place = tui_place(page, first->file, first->line, page->width / 2);
	GString *out = g_string_new(place);

	for (guint k = 1; k < n; k++) {
		l = links->pdata[i + k];
		g_string_append_printf(out, "%s %u", k + 1 < n ? "," : " and", l->line);
	}
	return g_string_free(out, FALSE);
}

/* ---- the ways ---- */

static GPtrArray *links_of_chain(const struct state *st, const GArray *chain)
{
	GPtrArray *links = g_ptr_array_new();

	for (unsigned i = 0; i < chain->len; i++)
		g_ptr_array_add(links, (gpointer)shown_link_at(st, chain, i));
	return links;
}

/* How many from there on are one row; each of them leads to the next one. */
static guint fold_chain(const struct state *st, const GArray *chain, const GPtrArray *links,
			guint i)
{
	const guint n = st->brief ? tui_chain_fold(links, i) : 0;

	for (guint k = i; n && k <= i + n; k++)
		if (strcmp(words_between_links(st, chain, k), "   data ->") != 0)
			return 0;
	return n;
}

static void put_folded_links(struct state *st, const GPtrArray *links, guint i, guint n)
{
	g_autofree char *places = tui_chain_folded(st->page, links, i, n);
	g_autofree char *words = g_strdup_printf("%s, which pass it on", places);

	tui_putf(st->page, TUI_FAINT, "%3s  %10s ", "", "data ->");
	tui_put_wrapped(st->page, TUI_FAINT, words, LEFT + 1);
}

/* How many steps from there on have no row. */
static unsigned steps_until_known(const struct state *st, const GArray *chain, unsigned from)
{
	unsigned i = from;

	while (i + 1 < chain->len && !rest_was_shown(st, chain, i) &&
	       !opening_has_rest(st, chain, i))
		i++;
	return i - from;
}

static void put_suspect_chain(struct state *st, const struct explanation_suspect *s)
{
	const GArray *chain = s->chain;
	unsigned n = chain->len;
	unsigned head = n > HOPS_SHOWN + 1 && !st->whole ? HOPS_SHOWN - 1 : n;
	g_autofree char *rank = g_strdup_printf("%u", s->rank);
	g_autoptr(GPtrArray) links = links_of_chain(st, chain);

	for (unsigned i = 0; i < n; i++) {
		const guint folded = fold_chain(st, chain, links, i);

		const struct explanation_link *l = shown_link_at(st, chain, i);
		const char *edge = words_between_links(st, chain, i);
		unsigned *first = &st->first_in[g_array_index(chain, unsigned, i)];

		if (rest_was_shown(st, chain, i) || opening_has_rest(st, chain, i)) {
			put_known_rest(st, edge, l, *first);
			return;
		}
		if (folded) {
			put_folded_links(st, links, i, folded);
			head += folded;
			i += folded - 1;
			continue;
		}
		if (i == head) {
			const unsigned left = steps_until_known(st, chain, i);
			g_autofree char *remark =
				g_strdup_printf("... %u more step%s", left, left == 1 ? "" : "s");

			put_remark(st, edge, remark);
		}
		if (i < head || i == n - 1) {
			put_chain_link(st, i ? "" : rank, edge, l);
			*first = *first ? *first : s->rank;
		}
	}
}

static void measure_chain(struct state *st, const struct explanation_suspect *s)
{
	for (unsigned i = 0; i < s->chain->len; i++) {
		const struct explanation_link *l = shown_link_at(st, s->chain, i);
		g_autofree char *place =
			tui_place(st->page, l->file, l->line, st->page->width * 3 / 10);
		g_autofree char *text = tui_clean(l->text ? l->text : l->clause);

		st->place = MAX(st->place, tui_width(place));
		st->text = MAX(st->text, MIN(tui_width(text), st->page->width * 3 / 10));
	}
}

static unsigned rows_of_chains(const struct state *st, unsigned told)
{
	unsigned rows = 0;

	for (unsigned i = 0; i < told; i++) {
		const struct explanation_suspect *s = st->e->suspects->pdata[i];

		if (chain_is_sound(st, s->chain))
			rows += MIN(s->chain->len, HOPS_SHOWN + 1);
	}
	return rows;
}

static void look_what_is_told(struct state *st, unsigned told)
{
	for (unsigned i = 0; i < told; i++)
		st->tells |= tells_what_would_be(
			st->e,
			((const struct explanation_suspect *)st->e->suspects->pdata[i])->chain);
}

/* from: "1", "each". */
static void put_chain_heading(const struct state *st, const char *from)
{
	struct tui_page *page = st->page;
	const struct explanation *e = st->e;

	tui_newline(page);
	tui_putf(page, TUI_HEADING, "from %s to the %s, as it went%s:", from,
		 g_strcmp0(e->failure.kind, "condition") == 0 ? "condition" : "failure",
		 st->tells ? " and as it would have gone" : "");
	tui_newline(page);
}

static void put_other_ways(struct tui_page *page, bool is_long, const struct tui_options *o)
{
	if (is_long && o->way)
		tui_put(page, TUI_FAINT, "  ... chain 2 shows the next one");
	else
		tui_putf(page, TUI_FAINT, "  ... %s has the others",
			 is_long ? o->others : "--format json");
	tui_newline(page);
}

void tui_chain(struct tui_page *page, const struct explanation *e, unsigned shown,
	       const struct tui_options *o)
{
	g_autofree unsigned *first_in = g_new0(unsigned, e->chain->len + 1);
	struct state st = { page, e, o->others != NULL, false, false, first_in, 0, 0 };
	unsigned told = MIN(shown, (unsigned)CHAINS_SHOWN);
	bool is_long = o->others && rows_of_chains(&st, told) > BRIEF_ROWS;
	unsigned sound = 0;

	if (is_long)
		told = 1;
	for (unsigned i = 0; i < told; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		if (chain_is_sound(&st, s->chain)) {
			measure_chain(&st, s);
			sound++;
		}
	}
	if (!sound)
		return;
	look_what_is_told(&st, told);
	put_chain_heading(&st, sound < told			   ? "each whose way is known"
			       : told > 1 || e->suspects->len == 1 ? "each"
								   : "1");
	for (unsigned i = 0; i < told; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		if (chain_is_sound(&st, s->chain))
			put_suspect_chain(&st, s);
	}
	if (is_long || told < shown)
		put_other_ways(page, is_long, o);
}

bool tui_chain_alone(struct tui_page *page, const struct explanation *e)
{
	g_autofree unsigned *first_in = g_new0(unsigned, e->chain->len + 1);
	struct state st = { page, e, false, true, false, first_in, 0, 0 };
	bool any = false;

	look_what_is_told(&st, e->suspects->len);
	for (unsigned i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		if (!chain_is_sound(&st, s->chain))
			continue;
		measure_chain(&st, s);
		put_suspect_chain(&st, s);
		any = true;
	}
	return any;
}
