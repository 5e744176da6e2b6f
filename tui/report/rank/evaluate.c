/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/rank/evaluate.h"
#include "tui/words/line.h"
#include "solver/evaluate/comparison.h"

#include <string.h>

enum { COLUMNS = 15, CELL = 48 };

static const char *const headings[COLUMNS] = {
	"technique", "versions", "named", "proven", "mean", "median", "top-1", "top-3",
	"top-5",     "top-10",	 "EXAM",  "5 %",    "10 %", "20 %",   "ms",
};

/* One row's cells as text. */
struct cells {
	char of[COLUMNS][CELL];
};

static struct cells cells_of(const struct comparison *c)
{
	const struct accuracy_summary *s = &c->summary;
	struct cells row;
	const unsigned counts[] = { s->versions, c->named, c->proven };
	const unsigned tops[] = { s->top_1, s->top_3, s->top_5, s->top_10 };
	const double shares[] = { s->mean_effort, s->found_at[0], s->found_at[1], s->found_at[3] };

	g_strlcpy(row.of[0], c->technique, CELL);
	for (unsigned i = 0; i < 3; i++)
		g_snprintf(row.of[1 + i], CELL, "%u", counts[i]);
	g_snprintf(row.of[4], CELL, "%.2f", s->mean);
	g_snprintf(row.of[5], CELL, "%g", s->median);
	for (unsigned i = 0; i < 4; i++)
		g_snprintf(row.of[6 + i], CELL, "%u", tops[i]);
	for (unsigned i = 0; i < 4; i++)
		g_snprintf(row.of[10 + i], CELL, "%.1f%%", 100 * shares[i]);
	if (c->ms < 0)
		g_strlcpy(row.of[14], "-", CELL);
	else
		g_snprintf(row.of[14], CELL, c->ms < 10 ? "%.2f" : "%.0f", c->ms);
	return row;
}

static GArray *evaluation_rows_of(const struct measurements *m, const char *subject,
				  enum rank_scheme scheme)
{
	struct comparison_choice choice = { subject, scheme, 100 };

	return comparison_new(m, &choice);
}

static const char explanation[] =
	"mean, median, top-N: ranks of faulty lines among the lines that have code, %s of those\n"
	"that tie; named: the technique prefers the line to some other; EXAM: share of the lines\n"
	"looked at, mean; 5, 10, 20 %%: versions whose fault is found by looking at so much; ms:\n"
	"median of a version, where techniques share explanations that of the first one; where no\n"
	"faulty line has code, mean and median leave the version out, and EXAM counts it as if "
	"all\n"
	"lines were looked at\n";

static const char explanation_of_graphs[] =
	"An accuracy graph tells which formulas are consistently more accurate than which. A "
	"setting is a subject with one way to rank lines that tie; \"similar\" are two formulas of "
	"which "
	"none is more accurate in any setting.";

static void put_cells(GString *out, const struct cells *row)
{
	static const int widths[COLUMNS] = { -20, 8, 5, 6, 7, 6, 5, 5, 5, 6, 6, 6, 6, 6, 7 };

	for (unsigned i = 0; i < COLUMNS; i++)
		g_string_append_printf(out, "%s%*s", i ? " " : "", widths[i], row->of[i]);
	g_string_append_c(out, '\n');
}

static void put_table(GString *out, const struct measurements *m, const char *subject,
		      enum rank_scheme scheme)
{
	g_autoptr(GArray) rows = evaluation_rows_of(m, subject, scheme);
	struct cells head;

	for (unsigned i = 0; i < COLUMNS; i++)
		g_strlcpy(head.of[i], headings[i], CELL);
	g_string_append_printf(out, "%s:\n", subject ? subject : "all subjects");
	put_cells(out, &head);
	for (guint i = 0; i < rows->len; i++) {
		struct cells row = cells_of(&g_array_index(rows, struct comparison, i));

		put_cells(out, &row);
	}
	g_string_append_c(out, '\n');
}

char *tui_evaluate_text(const struct measurements *m, enum rank_scheme scheme)
{
	GString *out = g_string_new(NULL);
	g_autoptr(GPtrArray) subjects = comparison_subjects(m);

	for (guint i = 0; i < subjects->len; i++)
		put_table(out, m, subjects->pdata[i], scheme);
	if (subjects->len > 1)
		put_table(out, m, NULL, scheme);
	g_string_append_printf(out, explanation, measurement_schemes[scheme]);
	return g_string_free(out, FALSE);
}

/* ---- as a page ---- */

static const char head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
	"<meta name=\"viewport\" content=\"width=device-width\"/>\n"
	"<title>gdb-why evaluate</title>\n<style>\n"
	":root { color-scheme: light dark; --faint: #667; --rule: #d5d9e0; --bad: #b3261e; }\n"
	"@media (prefers-color-scheme: dark) { :root { --faint: #98a; --rule: #3a3f47;\n"
	"  --bad: #ff8a80; } }\n"
	"body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto;\n"
	"  padding: 0 1rem; }\n"
	"h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }\n"
	"table { border-collapse: collapse; font-size: 13px; }\n"
	"th, td { padding: 0 .6rem; text-align: right; } tr { border-top: 1px solid var(--rule); "
	"}\n"
	"th:first-child, td:first-child { text-align: left; }\n"
	".faint { color: var(--faint); } .bad { color: var(--bad); }\n"
	".scroll { overflow-x: auto; } svg { max-width: 100%; height: auto; background: #fff; }\n"
	"</style>\n</head>\n<body>\n<h1>Techniques beside each other</h1>\n";

static void put_svg_element(GString *out, const char *tag, const char *text)
{
	g_autofree char *clean = tui_clean(text);
	g_autofree char *escaped = g_markup_escape_text(clean, -1);

	g_string_append_printf(out, "<%s>%s</%s>", tag, escaped, tag);
}

static void put_html_table(GString *out, const struct measurements *m, const char *subject,
			   enum rank_scheme scheme)
{
	g_autoptr(GArray) rows = evaluation_rows_of(m, subject, scheme);

	put_svg_element(out, "h2", subject ? subject : "All subjects");
	g_string_append(out, "\n<div class=\"scroll\"><table>\n<tr>");
	for (unsigned i = 0; i < COLUMNS; i++)
		put_svg_element(out, "th", headings[i]);
	g_string_append(out, "</tr>\n");
	for (guint i = 0; i < rows->len; i++) {
		struct cells row = cells_of(&g_array_index(rows, struct comparison, i));

		g_string_append(out, "<tr>");
		for (unsigned k = 0; k < COLUMNS; k++)
			put_svg_element(out, "td", row.of[k]);
		g_string_append(out, "</tr>\n");
	}
	g_string_append(out, "</table></div>\n");
}

static void put_verdicts(GString *out, const struct accuracy_graph *g)
{
	unsigned counts[GRAPH_VERDICTS] = { 0 };

	for (unsigned a = 0; a < g->n; a++)
		for (unsigned b = 0; b < g->n; b++)
			counts[accuracy_graph_verdict(g, a, b)]++;
	g_string_append_printf(
		out,
		"<p>%u settings. Of theory's relations between two formulas, %u are "
		"reproduced, %u are similar here, %u undecided, "
		"<span%s>%u contradicted</span>.</p>\n",
		g->n_settings, counts[GRAPH_REPRODUCED], counts[GRAPH_WEAK], counts[GRAPH_OPEN],
		counts[GRAPH_CONTRADICTED] ? " class=\"bad\"" : "", counts[GRAPH_CONTRADICTED]);
}

static void put_graph(GString *out, const struct tui_evaluate_graph *g)
{
	const char *svg = g->svg ? strstr(g->svg, "<svg") : NULL;
	g_autofree char *title = g_strdup_printf("%s: %s", g->graph->name, g->what);

	put_svg_element(out, "h2", title);
	g_string_append_c(out, '\n');
	put_verdicts(out, g->graph);
	if (svg)
		g_string_append_printf(out, "<div class=\"scroll\">%s</div>\n", svg);
}

char *tui_evaluate_html(const struct measurements *m, enum rank_scheme scheme,
			const struct tui_evaluate_graph *graphs, unsigned n_graphs)
{
	GString *out = g_string_new(head);
	g_autoptr(GPtrArray) subjects = comparison_subjects(m);
	g_autofree char *what = g_strdup_printf(explanation, measurement_schemes[scheme]);

	for (guint i = 0; i < subjects->len; i++)
		put_html_table(out, m, subjects->pdata[i], scheme);
	if (subjects->len > 1)
		put_html_table(out, m, NULL, scheme);
	put_svg_element(out, "p", what);
	if (n_graphs)
		put_svg_element(out, "p", explanation_of_graphs);
	for (unsigned i = 0; i < n_graphs; i++)
		put_graph(out, &graphs[i]);
	g_string_append(out, "</body>\n</html>\n");
	return g_string_free(out, FALSE);
}
