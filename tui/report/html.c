/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/html.h"
#include "tui/report/hint.h"
#include "tui/words/line.h"
#include "tui/report/page.h"
#include "tui/report/svg.h"
#include "tui/words/suspect-words.h"
#include "tui/words/words.h"

#include <string.h>

/* A file of at most this many lines is shown whole.  Of a longer file, only the lines near those
 * that the answer names are shown. */
enum { WHOLE_FILE = 300, NEAR = 6 };

/* The others are folded; a fourth is not where it is the last one. */
enum { OPEN_SUSPECTS = 3 };

static const char head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\"/>\n"
	"<meta name=\"viewport\" content=\"width=device-width\"/>\n"
	"<style>\n"
	":root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --faint: #667;\n"
	"  --rule: #d5d9e0; --good: #146c2e; --bad: #b3261e; --mark: #fff3c4; --fail: #ffdad6; }\n"
	"@media (prefers-color-scheme: dark) { :root { --ink: #e3e6ea; --paper: #15181c;\n"
	"  --faint: #98a; --rule: #3a3f47; --good: #7bd88f; --bad: #ff8a80; --mark: #4a3f12;\n"
	"  --fail: #5c1f1b; } }\n"
	"body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink);\n"
	"  background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }\n"
	"summary { cursor: pointer; overflow-wrap: anywhere; }\n"
	"@media (min-width: 80rem) { body { max-width: 100rem; }\n"
	"  .beside { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);\n"
	"    gap: 2rem; align-items: start; }\n"
	"  .code { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; } }\n"
	"code, pre, td, svg text { font-family: ui-monospace, monospace; }\n"
	"h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2.5rem;\n"
	"  break-after: avoid; }\n"
	"a { color: inherit; } .faint { color: var(--faint); }\n"
	".passes { color: var(--good); } .fails { color: var(--bad); }\n"
	"ol { padding: 0; } ol > li { margin-bottom: 1.5rem; display: grid;\n"
	"  grid-template-columns: 2.2rem minmax(0, 1fr); } li > * { grid-column: 2; }\n"
	"ol > li::before { content: attr(value) \".\"; grid-column: 1; grid-row: 1; }\n"
	"table { border-collapse: collapse; font-size: 13px; }\n"
	"td { padding: 0 .8rem 0 0; vertical-align: top; white-space: pre-wrap; }\n"
	"td:first-child { white-space: nowrap; }\n"
	".source { width: 100%; border: 1px solid var(--rule); margin-bottom: 1rem; }\n"
	".source td { white-space: pre; } .source .number { text-align: right;\n"
	"  color: var(--faint); padding: 0 .8rem; } .source .margin { font-weight: bold; }\n"
	".scroll { overflow-x: auto; } .source td:last-child { width: 100%; }\n"
	".suspect td { background: var(--mark); } .failed td { background: var(--fail); }\n"
	".values, .tests, .not { color: var(--faint); } .tests { text-align: right; }\n"
	"svg { max-width: 100%; height: auto; margin: .5rem 0; }\n"
	"svg text { fill: var(--ink); } svg .place, svg .edge, svg .values { fill: var(--faint); "
	"}\n"
	"svg rect { fill: none; stroke: var(--rule); } svg .cause { stroke: var(--ink);\n"
	"  stroke-width: 2; } svg .failure { stroke: var(--bad); stroke-width: 2; }\n"
	"svg path { fill: none; stroke: var(--faint); } svg .control { stroke-dasharray: 4 3; }\n"
	"svg #tip path { fill: var(--faint); stroke: none; }\n"
	"@media print { :root { --ink: #000; --paper: #fff; --faint: #444; --rule: #999;\n"
	"  --good: #000; --bad: #000; --mark: #eee; --fail: #ddd; }\n"
	"  @page { margin: 12mm; } body { font-size: 9pt; line-height: 1.3; max-width: none;\n"
	"    margin: 0; padding: 0; }\n"
	"  h1 { font-size: 12pt; margin: 0; } h2 { font-size: 10pt; margin: 8pt 0 4pt; }\n"
	"  p { margin: 2pt 0; } ol, ul { margin: 0; } ol > li { margin-bottom: 3pt; }\n"
	"  table { font-size: 6.5pt; line-height: 1.2; } svg { zoom: .5; margin: 0; }\n"
	"  .beside { display: block; } .code { position: static; max-height: none; }\n"
	"  li, svg, tr { break-inside: avoid; } .source td:last-child { white-space: pre-wrap;\n"
	"  overflow-wrap: anywhere; } }\n"
	"</style>\n";

/* The arrow's tip, which all drawings share. */
static const char tip[] = "<svg width=\"0\" height=\"0\" style=\"position: absolute\"><defs>"
			  "<marker id=\"tip\" markerWidth=\"8\" markerHeight=\"8\" refX=\"1\" "
			  "refY=\"4\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 Z\"/></marker>"
			  "</defs></svg>\n";

struct html {
	GString *out;
	struct tui_page page; /* for the names of files; nothing is written there */
	const struct explanation *e;
	unsigned shown; /* suspects */
};

static void put_html_text(struct html *h, const char *text)
{
	g_autofree char *safe = g_markup_escape_text(text, -1);

	g_string_append(h->out, safe);
}

/* <tag class="class">text</tag>; class NULL = none. */
static void put_html_element(struct html *h, const char *tag, const char *class, const char *text)
{
	if (class)
		g_string_append_printf(h->out, "<%s class=\"%s\">", tag, class);
	else
		g_string_append_printf(h->out, "<%s>", tag);
	put_html_text(h, text);
	g_string_append_printf(h->out, "</%s>", tag);
}

static guint file_number(const struct html *h, const char *file)
{
	for (guint i = 0; i < h->e->sources->len; i++)
		if (g_strcmp0(((struct explanation_source *)h->e->sources->pdata[i])->file, file) ==
		    0)
			return i;
	return h->e->sources->len;
}

static void put_place(struct html *h, const char *file, unsigned line)
{
	const struct explanation_source *source = explanation_source(h->e, file);
	g_autofree char *place = tui_place(&h->page, file, line, G_MAXUINT);
	bool linked = source && line && line <= source->lines->len;

	if (linked)
		g_string_append_printf(h->out, "<a href=\"#f%u-%u\">", file_number(h, file), line);
	put_html_text(h, place);
	g_string_append(h->out, linked ? "</a>" : "");
}

static void put_command(struct html *h)
{
	g_autoptr(GString) words = g_string_new(h->e->program ? h->e->program : "?");
	g_autofree char *clean = NULL;

	for (char **a = h->e->argv; a && *a; a++) {
		g_autofree char *word = tui_hint_quoted(*a);

		g_string_append_printf(words, " %s", word);
	}
	clean = tui_clean(words->str);
	g_string_append(h->out, "<p class=\"faint\">of <code>");
	put_html_text(h, clean);
	g_string_append(h->out, "</code></p>\n");
}

static void put_headline(struct html *h)
{
	const struct explanation_failure *f = &h->e->failure;
	g_autofree char *place = tui_place(&h->page, f->file, f->line, G_MAXUINT);
	g_autofree char *failure = tui_words_failure(f, place);
	g_autofree char *values = tui_words_values(f->values);
	g_autofree char *count = tui_words_count(h->e);
	g_autofree char *time = tui_words_time(h->e->stats.total_ms);
	g_autofree char *differs = tui_words_differs(h->e);

	put_html_element(h, "title", NULL, failure);
	g_string_append(h->out, "\n</head>\n<body>\n");
	g_string_append(h->out, tip);
	if (differs)
		put_html_element(h, "p", NULL, differs);
	put_html_element(h, "h1", NULL, failure);
	g_string_append(h->out, "\n<p><code>");
	put_html_text(h, values);
	g_string_append(h->out, "</code></p>\n");
	put_command(h);
	g_string_append(h->out, "<p>");
	put_html_text(h, count);
	if (*time)
		g_string_append_printf(h->out, " <span class=\"faint\">(%s)</span>", time);
	g_string_append(h->out, "</p>\n");
}

/* How it came to the failure, as far as that is told without a suspect. */
static void put_opening_html(struct html *h)
{
	if (!h->e->opening->len)
		return;
	g_string_append(h->out, "<div class=\"scroll\"><table class=\"opening\">\n");
	for (guint i = 0; i < h->e->opening->len; i++) {
		const struct explanation_link *l =
			&g_array_index(h->e->opening, struct explanation_link, i);
		g_autofree char *text = tui_clean(l->text);
		g_autofree char *values = tui_words_values(l->values);

		g_string_append_printf(h->out, "<tr><td>%s ",
				       l->edge == EDGE_CONTROL ? "since" : "from");
		if (l->file)
			put_place(h, l->file, l->line);
		g_string_append(h->out, "</td>");
		put_html_element(h, "td", NULL, text);
		put_html_element(h, "td", "values", *values || l->text ? values : l->clause);
		g_string_append(h->out, "</tr>\n");
	}
	g_string_append(h->out, "</table></div>\n");
}

/* What the first explanation says, as a sentence. */
static void put_summary(struct html *h)
{
	const struct explanation_suspect *s = h->shown ? h->e->suspects->pdata[0] : NULL;
	g_autofree char *verdict = NULL, *text = NULL;
	const struct explanation_statement *st;

	if (!s || !s->statements->len)
		return;
	st = &g_array_index(s->statements, struct explanation_statement, 0);
	verdict = tui_words_verdict(s, 0, h->e->failure.kind);
	text = tui_clean(st->text);
	g_string_append(h->out, "<p class=\"summary\">Likeliest: ");
	put_place(h, st->file, st->line);
	g_string_append(h->out, " <code>");
	put_html_text(h, text);
	g_string_append(h->out, "</code> ");
	put_html_text(h, verdict);
	g_string_append(h->out, s->statements->len > 1 ? " and more.</p>\n" : ".</p>\n");
}

static const char *class_of(const struct explanation_suspect *s)
{
	return s->replay == REPLAY_PASSES  ? "passes"
	       : s->replay == REPLAY_FAILS ? "fails"
					   : "faint";
}

static void put_html_statement(struct html *h, const struct explanation_suspect *suspect,
			       unsigned i)
{
	const struct explanation_statement *s =
		&g_array_index(suspect->statements, struct explanation_statement, i);
	g_autofree char *text = tui_clean(s->text);
	g_autofree char *change = tui_words_change(suspect, i);

	g_string_append(h->out, "<tr><td>");
	put_place(h, s->file, s->line);
	g_string_append(h->out, "</td>");
	put_html_element(h, "td", NULL, text);
	put_html_element(h, "td", NULL, change);
	g_string_append(h->out, "</tr>\n");
}

/* What stands there while it is folded. */
static void put_fold(struct html *h, const struct explanation_suspect *s)
{
	const struct explanation_statement *st =
		s->statements->len ? &g_array_index(s->statements, struct explanation_statement, 0)
				   : NULL;
	g_autofree char *place = st ? tui_place(&h->page, st->file, st->line, G_MAXUINT) : NULL;
	g_autofree char *change = st ? tui_words_change(s, 0) : NULL;

	g_string_append(h->out, "<details><summary>");
	put_html_text(h, place ? place : "");
	g_string_append_c(h->out, ' ');
	put_html_text(h, change ? change : "");
	g_string_append(h->out, "</summary>\n");
}

/* Folded, because most of them say that an assertion no longer fails. */
static void put_changed_output(struct html *h, const struct explanation_suspect *s)
{
	g_auto(GStrv) lines = g_strsplit(s->printed, "\n", 2);

	g_string_append(h->out, "<details class=\"printed\"><summary>");
	put_html_text(h, *lines ? *lines : "");
	g_string_append(h->out, "</summary>\n<pre>");
	put_html_text(h, *lines && lines[1] ? lines[1] : "");
	g_string_append(h->out, "</pre></details>\n");
}

static void put_html_suspect(struct html *h, const struct explanation_suspect *s, bool folded)
{
	g_autofree char *words = tui_words_outcome(s, h->e->failure.kind);
	g_autofree char *outcome =
		g_strconcat(s->replay == REPLAY_PASSES ? "replayed: " : "", words, NULL);
	g_autofree char *evidence = tui_words_evidence(s, h->e->failure.kind);

	g_string_append_printf(h->out, "<li id=\"s%u\" value=\"%u\">\n", s->rank, s->rank);
	if (folded)
		put_fold(h, s);
	g_string_append(h->out, "<div class=\"scroll\"><table>\n");
	for (guint i = 0; i < s->statements->len; i++)
		put_html_statement(h, s, i);
	g_string_append(h->out, "</table></div>\n");
	put_html_element(h, "p", class_of(s), outcome);
	if (evidence)
		put_html_element(h, "p", "evidence", evidence);
	g_string_append_c(h->out, '\n');
	if (s->printed && *s->printed)
		put_changed_output(h, s);
	tui_svg(h->out, &h->page, h->e, s);
	g_string_append(h->out, folded ? "</details></li>\n" : "</li>\n");
}

static void put_html_suspects(struct html *h)
{
	if (!h->shown)
		return;
	g_string_append(h->out, "<h2>Explanations</h2>\n<ol>\n");
	for (guint i = 0; i < h->shown; i++)
		put_html_suspect(h, h->e->suspects->pdata[i],
				 i >= OPEN_SUSPECTS && h->shown > OPEN_SUSPECTS + 1);
	g_string_append(h->out, "</ol>\n");
	if (h->shown < h->e->suspects->len)
		g_string_append_printf(h->out, "<p class=\"faint\">and %u more</p>\n",
				       h->e->suspects->len - h->shown);
}

/* What the page tells of one line. */
struct mark {
	GString *ranks; /* links to suspects, as HTML */
	char *values;	/* of the first way that comes here */
	bool failed;
	const struct explanation_coverage *coverage; /* NULL = not known */
};

static void html_mark_free(void *p)
{
	struct mark *m = p;

	g_string_free(m->ranks, TRUE);
	g_free(m->values);
	g_free(m);
}

static struct mark *html_mark_at(GHashTable *marks, unsigned line)
{
	struct mark *m = g_hash_table_lookup(marks, GUINT_TO_POINTER(line));

	if (!m) {
		m = g_new0(struct mark, 1);
		m->ranks = g_string_new(NULL);
		g_hash_table_insert(marks, GUINT_TO_POINTER(line), m);
	}
	return m;
}

static void mark_suspect(GHashTable *marks, const char *file, const struct explanation_suspect *s)
{
	for (guint i = 0; i < s->statements->len; i++) {
		const struct explanation_statement *st =
			&g_array_index(s->statements, struct explanation_statement, i);
		g_autofree char *link =
			g_strdup_printf("<a href=\"#s%u\">%u</a> ", s->rank, s->rank);
		struct mark *m;

		if (g_strcmp0(st->file, file) != 0)
			continue;
		m = html_mark_at(marks, st->line);
		if (!strstr(m->ranks->str, link))
			g_string_append(m->ranks, link);
	}
}

static void mark_html_values(const struct html *h, GHashTable *marks, const char *file)
{
	for (guint i = 0; i < h->e->line_values->len; i++) {
		const struct explanation_line_value *v =
			&g_array_index(h->e->line_values, struct explanation_line_value, i);
		struct mark *m =
			g_strcmp0(v->file, file) == 0 ? html_mark_at(marks, v->line) : NULL;

		if (m && !m->values)
			m->values = tui_words_value(v->value.name, v->value.value);
	}
}

/* Also of lines that nothing else is told of. */
static void mark_html_coverage(GHashTable *marks, const struct explanation_source *source)
{
	for (guint i = 0; i < source->coverage->len; i++) {
		const struct explanation_coverage *c =
			&g_array_index(source->coverage, struct explanation_coverage, i);

		html_mark_at(marks, c->line)->coverage = c;
	}
}

/* What is to be shown at each line of the file, by the line's number. */
static GHashTable *marks_of_file(const struct html *h, const char *file)
{
	GHashTable *marks = g_hash_table_new_full(NULL, NULL, NULL, html_mark_free);
	const struct explanation *e = h->e;

	for (guint i = 0; i < h->shown; i++)
		mark_suspect(marks, file, e->suspects->pdata[i]);
	for (guint i = 0; i < e->chain->len; i++) {
		const struct explanation_link *l =
			&g_array_index(e->chain, struct explanation_link, i);
		struct mark *m =
			g_strcmp0(l->file, file) == 0 ? html_mark_at(marks, l->line) : NULL;

		if (m && !m->values)
			m->values = tui_words_values(l->values);
	}
	if (g_strcmp0(e->failure.file, file) == 0 && e->failure.line)
		html_mark_at(marks, e->failure.line)->failed = true;
	return marks;
}

static bool is_line_told(GHashTable *marks, unsigned line)
{
	const struct mark *m = g_hash_table_lookup(marks, GUINT_TO_POINTER(line));

	return m && (m->ranks->len || m->values || m->failed);
}

static bool is_near_told_line(GHashTable *marks, unsigned line)
{
	for (unsigned n = line > NEAR ? line - NEAR : 1; n <= line + NEAR; n++)
		if (is_line_told(marks, n))
			return true;
	return false;
}

/* How many tests executed it, where there is a suite. */
static void put_html_tests(struct html *h, const struct mark *m)
{
	const struct explanation_coverage *c = m ? m->coverage : NULL;

	if (!h->e->tests.suite)
		return;
	g_string_append(h->out, "<td class=\"tests\">");
	if (c && (c->passed || c->failed))
		g_string_append_printf(h->out, "%u/%u", c->passed, c->failed);
	g_string_append(h->out, "</td>");
}

static void put_line(struct html *h, guint file, unsigned line, const char *text,
		     const struct mark *m)
{
	g_autofree char *clean = tui_clean_code(text);
	const char *class = !m					    ? ""
			    : m->failed				    ? " class=\"failed\""
			    : m->ranks->len			    ? " class=\"suspect\""
			    : m->coverage && !m->coverage->executed ? " class=\"not\""
								    : "";

	g_string_append_printf(h->out,
			       "<tr id=\"f%u-%u\"%s><td class=\"number\">%u</td>"
			       "<td class=\"margin\">%s%s</td>",
			       file, line, class, line, m ? m->ranks->str : "",
			       m && m->failed ? "failed" : "");
	put_html_tests(h, m);
	g_string_append(h->out, "<td>");
	put_html_text(h, clean);
	if (m && m->values && *m->values) {
		g_string_append(h->out, "   ");
		put_html_element(h, "span", "values", m->values);
	}
	g_string_append(h->out, "</td></tr>\n");
}

static void put_html_lines(struct html *h, guint file, const GPtrArray *lines, GHashTable *marks)
{
	bool whole = lines->len <= WHOLE_FILE, open = false;

	for (unsigned n = 1; n <= lines->len; n++) {
		bool here = whole || is_near_told_line(marks, n);

		if (here != open)
			g_string_append(h->out,
					here ? "<div class=\"scroll\"><table class=\"source\">\n"
					     : "</table></div>\n");
		open = here;
		if (here)
			put_line(h, file, n, lines->pdata[n - 1],
				 g_hash_table_lookup(marks, GUINT_TO_POINTER(n)));
	}
	if (open)
		g_string_append(h->out, "</table></div>\n");
}

static void put_legend(struct html *h, const GArray *coverage)
{
	bool missed = false;

	for (guint i = 0; i < coverage->len; i++)
		missed |= !g_array_index(coverage, struct explanation_coverage, i).executed;
	if (!missed && !h->e->tests.suite)
		return;
	g_string_append_printf(
		h->out, "<p class=\"faint\">%s%s</p>\n",
		missed ? "Code that the run did not execute before it failed is faint. " : "",
		h->e->tests.suite ? "Before a line: how many passing/failing tests executed it."
				  : "");
}

/* A file's heading is the one place that has its whole name. */
static char *whole_name(struct html *h, const char *file)
{
	bool last_names = h->page.last_names;
	char *name;

	h->page.last_names = false;
	name = tui_place(&h->page, file, 0, G_MAXUINT);
	h->page.last_names = last_names;
	return name;
}

static void put_source(struct html *h, guint file)
{
	const struct explanation_source *source = h->e->sources->pdata[file];
	g_autoptr(GHashTable) marks = marks_of_file(h, source->file);
	g_autofree char *name = whole_name(h, source->file);

	if (source->lines->len == 0)
		return;
	mark_html_values(h, marks, source->file);
	mark_html_coverage(marks, source);
	put_html_element(h, "h2", NULL, name);
	g_string_append_c(h->out, '\n');
	put_legend(h, source->coverage);
	put_html_lines(h, file, source->lines, marks);
}

static void put_notes(struct html *h)
{
	if (h->e->notes->len == 0)
		return;
	g_string_append(h->out, "<h2>Limits</h2>\n<ul>\n");
	for (guint i = 0; i < h->e->notes->len; i++) {
		g_autofree char *note = tui_clean(h->e->notes->pdata[i]);

		put_html_element(h, "li", NULL, note);
		g_string_append_c(h->out, '\n');
	}
	g_string_append(h->out, "</ul>\n");
}

char *tui_html(FILE *file, const struct explanation *e, const struct tui_options *o)
{
	struct html h = { .out = g_string_new(head), .e = e };

	tui_page_init(&h.page, file, o);
	h.shown = o->max_suspects ? MIN(o->max_suspects, e->suspects->len) : e->suspects->len;
	tui_shorten_names(&h.page, e);
	put_headline(&h);
	put_summary(&h);
	put_opening_html(&h);
	g_string_append(h.out, h.shown ? "<div class=\"beside\">\n<div>\n" : "<div>\n<div>\n");
	put_html_suspects(&h);
	g_string_append(h.out, "</div>\n<div class=\"code\">\n");
	for (guint i = 0; i < e->sources->len; i++)
		put_source(&h, i);
	g_string_append(h.out, "</div>\n</div>\n");
	put_notes(&h);
	g_string_append(h.out, "</body>\n</html>\n");
	tui_page_deinit(&h.page);
	return g_string_free(h.out, FALSE);
}
