/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A graph in Graphviz's language, and as a table. */
#include "solver/evaluate/graph.h"
#include "solver/evaluate/theory.h"

#include <string.h>

/* What two nodes are to each other for theory. */
struct view {
	bool theory;	   /* it says that some formula of the first is more accurate */
	bool direct;	   /* and that is an edge of its transitive reduction */
	bool contradicted; /* it says so of one of the second, but the first is */
};

static bool is_direct(const struct formula *a, const struct formula *b)
{
	g_autofree char *from = theory_node(a), *to = theory_node(b);
	const char *more, *less;

	for (unsigned i = 0; from && to && theory_edge(i, &more, &less); i++)
		if (strcmp(more, from) == 0 && strcmp(less, to) == 0)
			return true;
	return false;
}

static struct view view_of(const struct accuracy_graph *g, unsigned from, unsigned to)
{
	struct view v = { false, false, false };

	for (unsigned a = 0; a < g->n; a++) {
		for (unsigned b = 0; b < g->n; b++) {
			if (g->node[a] != from || g->node[b] != to)
				continue;
			v.theory |= theory_compare(g->formulas[a], g->formulas[b]) == THEORY_MORE;
			v.direct |= is_direct(g->formulas[a], g->formulas[b]);
			v.contradicted |= accuracy_graph_verdict(g, b, a) == GRAPH_CONTRADICTED;
		}
	}
	return v;
}

static void draw_node(const struct accuracy_graph *g, unsigned node, GString *out)
{
	const char *between = "";

	g_string_append_printf(out, "  n%u [label=\"", node);
	for (unsigned i = 0; i < g->n; i++) {
		if (g->node[i] != node)
			continue;
		g_string_append_printf(out, "%s%s", between, g->formulas[i]->name);
		between = "\\n";
	}
	g_string_append(out, "\"];\n");
}

static void draw_edge(const struct accuracy_graph *g, unsigned from, unsigned to, GString *out)
{
	struct view v = view_of(g, from, to);
	bool here = g->edges[from * g->n_nodes + to];

	if (v.contradicted)
		g_string_append_printf(
			out, "  n%u -> n%u [color=red, penwidth=2, label=\"against theory\"];\n",
			from, to);
	else if (g->drawn[from * g->n_nodes + to])
		g_string_append_printf(out, "  n%u -> n%u%s;\n", from, to,
				       v.theory ? " [color=blue]" : "");
	else if (v.direct && !here)
		g_string_append_printf(
			out, "  n%u -> n%u [color=blue, style=dashed, constraint=false];\n", from,
			to);
}

char *accuracy_graph_dot(const struct accuracy_graph *g)
{
	GString *out = g_string_new(NULL);

	g_string_append_printf(out,
			       "digraph \"%s\" {\n"
			       "  label=\"%s: %u settings%s\\nblue: theory has this relation, too; "
			       "dashed: only theory has it\";\n"
			       "  node [shape=box, fontname=\"sans\"];\n"
			       "  edge [fontname=\"sans\", fontsize=10];\n",
			       g->name, g->name, g->n_settings,
			       g->circle ? "; there is a circle, so all edges are drawn" : "");
	for (unsigned i = 0; i < g->n_nodes; i++)
		draw_node(g, i, out);
	for (unsigned a = 0; a < g->n_nodes; a++)
		for (unsigned b = 0; b < g->n_nodes; b++)
			if (a != b)
				draw_edge(g, a, b, out);
	g_string_append(out, "}\n");
	return g_string_free(out, FALSE);
}

static const char *theory_word(enum theory_relation r)
{
	static const char *const words[] = { [THEORY_NONE] = "",
					     [THEORY_EQUAL] = "equal",
					     [THEORY_MORE] = "more",
					     [THEORY_LESS] = "less" };

	return words[r];
}

void accuracy_graph_csv(const struct accuracy_graph *g, bool header, GString *out)
{
	if (header)
		g_string_append(out, "graph,first,second,first_node,second_node,settings,more,less,"
				     "same,near,relation,theory,verdict\n");
	for (unsigned a = 0; a < g->n; a++) {
		for (unsigned b = 0; b < g->n; b++) {
			const unsigned *c = g->counts[a * g->n + b];

			if (a == b)
				continue;
			g_string_append_printf(
				out, "%s,%s,%s,%u,%u,%u,%u,%u,%u,%u,%s,%s,%s\n", g->name,
				g->formulas[a]->name, g->formulas[b]->name, g->node[a] + 1,
				g->node[b] + 1, g->n_settings, c[LETTERS_MORE], c[LETTERS_LESS],
				c[LETTERS_SAME], c[LETTERS_NEAR],
				graph_relation_words[accuracy_graph_relation(g, a, b)],
				theory_word(theory_compare(g->formulas[a], g->formulas[b])),
				graph_verdict_words[accuracy_graph_verdict(g, a, b)]);
		}
	}
}
