/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer as a page, and its tree of causes as a graph for Graphviz. */
#include "tui/words/line.h"
#include "tui/report/regress/regress-private.h"

#include <string.h>

static const char head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
	"<meta name=\"viewport\" content=\"width=device-width\"/>\n"
	"<title>gdb-why regress</title>\n<style>\n"
	":root { color-scheme: light dark; --faint: #667; --good: #146c2e; --bad: #b3261e;\n"
	"  --rule: #d5d9e0; }\n"
	"@media (prefers-color-scheme: dark) { :root { --faint: #98a; --good: #7bd88f;\n"
	"  --bad: #ff8a80; --rule: #3a3f47; } }\n"
	"body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto;\n"
	"  padding: 0 1rem; }\n"
	"code, pre, td { font-family: ui-monospace, monospace; font-size: 13px; }\n"
	"pre { border: 1px solid var(--rule); padding: .5rem; overflow-x: auto; }\n"
	"h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }\n"
	"td { padding: 0 .8rem 0 0; vertical-align: top; }\n"
	".good { color: var(--good); } .bad { color: var(--bad); } .faint { color: var(--faint); "
	"}\n"
	"</style>\n</head>\n<body>\n";

static void put_regress_html_text(GString *out, const char *text)
{
	g_autofree char *clean = tui_clean_code(text ? text : "");
	g_autofree char *escaped = g_markup_escape_text(clean, -1);

	g_string_append(out, escaped);
}

/* begin and end are markup, text is not. */
static void put_in(GString *out, const char *begin, const char *text, const char *end)
{
	g_string_append(out, begin);
	put_regress_html_text(out, text);
	g_string_append(out, end);
}

static void put_html_row(GString *out, const char *name, const char *text)
{
	g_string_append_printf(out, "<tr><td class=\"faint\">%s</td>", name);
	put_in(out, "<td>", text, "</td></tr>\n");
}

static void put_html_change(GString *out, const struct regress_answer *a, unsigned change)
{
	g_autofree char *place = tui_regress_place(a, change);
	g_autofree char *text = regress_change_text(a->changes, change);
	g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);

	g_string_append_printf(out, "<h3>Change %u: <code>", change + 1);
	put_in(out, "", place, "</code></h3>\n<pre>");
	for (char **l = lines; *l; l++)
		put_in(out,
		       **l == '-'   ? "<span class=\"bad\">"
		       : **l == '+' ? "<span class=\"good\">"
				    : "<span>",
		       *l, "</span>\n");
	g_string_append(out, "</pre>\n");
}

static void put_html_cause(GString *out, const struct regress_answer *a, guint number)
{
	const struct regress_cause *c = &g_array_index(a->causes, struct regress_cause, number);
	g_autofree char *why = tui_regress_why(a, number, true);

	put_in(out, "<h3>", why, "</h3>\n<table>\n");
	for (guint i = 0; i < c->statements->len; i++) {
		const struct regress_statement *s =
			&g_array_index(c->statements, struct regress_statement, i);
		g_autofree char *values = tui_regress_values(s);
		g_autofree char *place = g_strdup_printf("%s:%u", s->file ? s->file : "?", s->line);

		g_string_append(out, s->changes->len ? "<tr class=\"changed\"><td>*</td>"
						     : "<tr><td></td>");
		put_in(out, "<td>", place, "</td>");
		put_in(out, "<td>", s->text, "</td>");
		put_in(out, "<td>", values, "</td></tr>\n");
	}
	g_string_append(out, "</table>\n");
}

static void put_html_proof(GString *out, const struct regress_answer *a)
{
	g_autofree char *without = tui_regress_without(a), *with = tui_regress_with(a);

	put_in(out, a->proof.without == REGRESS_PASSES ? "<p class=\"good\">" : "<p class=\"bad\">",
	       without, "</p>\n");
	put_in(out, a->proof.with == REGRESS_FAILS ? "<p class=\"good\">" : "<p>", with, "</p>\n");
}

static void put_answer(GString *out, const struct regress_answer *a)
{
	for (guint i = 0; i < a->root->len; i++)
		put_html_change(out, a, g_array_index(a->root, unsigned, i));
	if (a->auxiliary->len)
		g_string_append(
			out, a->root->len == 1
				     ? "<h2>Reverted with it only so that it compiles</h2>\n"
				     : "<h2>Reverted with them only so that they compile</h2>\n");
	for (guint i = 0; i < a->auxiliary->len; i++)
		put_html_change(out, a, g_array_index(a->auxiliary, unsigned, i));
	if (a->root->len)
		put_html_proof(out, a);
	for (guint i = a->causes->len; i-- > 0;)
		if (tui_regress_shows(a, i))
			put_html_cause(out, a, i);
}

char *tui_regress_html(const struct regress_answer *a)
{
	g_autofree char *headline = tui_regress_headline(a), *costs = tui_regress_costs(a);
	GString *out = g_string_new(head);

	put_in(out, "<h1>", headline, "</h1>\n<table>\n");
	put_html_row(out, "old", a->old_name);
	put_html_row(out, "new", a->new_name);
	put_html_row(out, "test", a->test);
	put_html_row(out, "fails", a->failure);
	g_string_append(out, "</table>\n");
	put_answer(out, a);
	put_in(out, "<p class=\"faint\">", costs, "</p>\n");
	for (guint i = 0; i < a->notes->len; i++)
		put_in(out, "<p class=\"faint\">", a->notes->pdata[i], "</p>\n");
	g_string_append(out, "</body>\n</html>\n");
	return g_string_free(out, FALSE);
}

/* --- the graph --- */

static void put_escaped(GString *out, const char *text)
{
	g_autofree char *clean = tui_clean(text);

	for (const char *p = clean; *p; p++) {
		if (*p == '"' || *p == '\\')
			g_string_append_c(out, '\\');
		g_string_append_c(out, *p);
	}
}

static void put_cause_node(GString *out, const struct regress_answer *a, guint i)
{
	const struct regress_cause *c = &g_array_index(a->causes, struct regress_cause, i);

	g_string_append_printf(out, "\tcause%u [label=\"", i);
	for (guint k = 0; k < c->statements->len; k++) {
		const struct regress_statement *s =
			&g_array_index(c->statements, struct regress_statement, k);
		g_autofree char *values = tui_regress_values(s);
		g_autofree char *name = s->file ? g_path_get_basename(s->file) : g_strdup("?");

		put_escaped(out, name);
		g_string_append_printf(out, ":%u  ", s->line);
		put_escaped(out, s->text);
		g_string_append(out, *values ? "   " : "");
		put_escaped(out, values);
		g_string_append(out, "\\l");
	}
	g_string_append(out, "\"];\n");
	if (c->effect < 0)
		g_string_append_printf(out, "\tcause%u -> failure;\n", i);
	else {
		g_string_append_printf(out, "\tcause%u -> cause%d [label=\"", i, c->effect);
		put_escaped(out, c->predicate);
		g_string_append(out, "\"];\n");
	}
}

static void put_root_node(GString *out, const struct regress_answer *a, unsigned change)
{
	g_autofree char *place = tui_regress_place(a, change);
	bool placed = false;

	g_string_append_printf(out, "\tchange%u [penwidth=2, label=\"change %u\\l", change + 1,
			       change + 1);
	put_escaped(out, place);
	g_string_append(out, "\\l\"];\n");
	for (guint i = 0; i < a->causes->len; i++) {
		const struct regress_cause *c = &g_array_index(a->causes, struct regress_cause, i);

		for (guint k = 0; c->relevant && k < c->changes->len; k++)
			if (g_array_index(c->changes, unsigned, k) == change) {
				g_string_append_printf(out, "\tchange%u -> cause%u;\n", change + 1,
						       i);
				placed = true;
			}
	}
	if (!placed)
		g_string_append_printf(out, "\tchange%u -> failure;\n", change + 1);
}

char *tui_regress_dot(const struct regress_answer *a)
{
	GString *out = g_string_new("digraph regress {\n"
				    "\tnode [shape=box, fontname=monospace];\n"
				    "\tfailure [peripheries=2, label=\"");

	put_escaped(out, a->failure ? a->failure : "the test fails");
	g_string_append(out, "\"];\n");
	for (guint i = 0; i < a->causes->len; i++)
		if (tui_regress_shows(a, i))
			put_cause_node(out, a, i);
	for (guint i = 0; i < a->root->len; i++)
		put_root_node(out, a, g_array_index(a->root, unsigned, i));
	g_string_append(out, "}\n");
	return g_string_free(out, FALSE);
}
