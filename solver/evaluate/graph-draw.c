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

static struct view graph_view_of(const struct accuracy_graph *g, unsigned from, unsigned to)
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

/* A node of many formulas has several in a row of its box. */
static unsigned names_in_a_row(const struct accuracy_graph *g, unsigned node)
{
	unsigned n = 0;

	for (unsigned i = 0; i < g->n; i++)
		n += g->node[i] == node;
	return 1 + n / 9;
}

static void draw_node(const struct accuracy_graph *g, unsigned node, GString *out)
{
	unsigned in_a_row = names_in_a_row(g, node), n = 0;

	g_string_append_printf(out, "  n%u [label=\"", node);
	for (unsigned i = 0; i < g->n; i++) {
		if (g->node[i] != node)
			continue;
		if (n)
			g_string_append(out, n % in_a_row ? ", " : "\\n");
		g_string_append(out, g->formulas[i]->name);
		n++;
	}
	g_string_append(out, "\"];\n");
}

enum edge { NO_EDGE, OWN_EDGE, SHARED_EDGE, ONLY_THEORYS_EDGE, AGAINST_THEORY, EDGES };

static const struct {
	const char *look, *legend;
} edges[EDGES] = {
	[OWN_EDGE] = { "", "black: only measured" },
	[SHARED_EDGE] = { " [color=blue]", "blue: theory says so, too" },
	[ONLY_THEORYS_EDGE] = { " [color=blue, style=dashed]",
				"dashed: theory says so, the measurements do not" },
	[AGAINST_THEORY] = { " [color=red, penwidth=2, label=\"against theory\"]",
			     "red: theory says the opposite" },
};

static enum edge edge_of(const struct accuracy_graph *g, unsigned from, unsigned to)
{
	struct view v = graph_view_of(g, from, to);

	if (v.contradicted)
		return AGAINST_THEORY;
	if (g->drawn[from * g->n_nodes + to])
		return v.theory ? SHARED_EDGE : OWN_EDGE;
	return v.direct && !g->edges[from * g->n_nodes + to] ? ONLY_THEORYS_EDGE : NO_EDGE;
}

/* used: which kinds of edges there are. */
static void draw_edges(const struct accuracy_graph *g, bool used[EDGES], GString *out)
{
	for (unsigned a = 0; a < g->n_nodes; a++) {
		for (unsigned b = 0; b < g->n_nodes; b++) {
			enum edge e = a == b ? NO_EDGE : edge_of(g, a, b);

			used[e] = true;
			if (e)
				g_string_append_printf(out, "  n%u -> n%u%s;\n", a, b,
						       edges[e].look);
		}
	}
}

static bool has_edges(const bool used[EDGES])
{
	for (unsigned e = NO_EDGE + 1; e < EDGES; e++)
		if (used[e])
			return true;
	return false;
}

static void draw_graph_title(const struct accuracy_graph *g, const bool used[EDGES], GString *out)
{
	bool is_theory = strcmp(g->name, "Gtheory") == 0;
	const char *between = "\\n";

	g_string_append_printf(out, "  label=\"%s%s%s", g->name, g->what ? ": " : "",
			       g->what ? g->what : "");
	if (!is_theory)
		g_string_append_printf(out, " (%u setting%s)", g->n_settings,
				       g->n_settings == 1 ? "" : "s");
	g_string_append(out, has_edges(used) ? "\\nAn arrow leads from more accurate formulas to "
					       "less accurate ones."
					     : "\\nNo formula is consistently more accurate than "
					       "another one.");
	for (unsigned e = NO_EDGE + 1; !is_theory && e < EDGES; e++) {
		if (!used[e])
			continue;
		g_string_append_printf(out, "%s%s", between, edges[e].legend);
		between = "; ";
	}
	if (g->circle)
		g_string_append(out, "\\nThere is a circle, so all arrows are drawn.");
	g_string_append(out, "\";\n");
}

char *accuracy_graph_dot(const struct accuracy_graph *g)
{
	GString *out = g_string_new(NULL);
	g_autoptr(GString) drawn = g_string_new(NULL);
	bool used[EDGES] = { false };

	draw_edges(g, used, drawn);
	g_string_append_printf(out,
			       "digraph \"%s\" {\n"
			       "  labelloc=t;\n"
			       "  ranksep=0.7;\n"
			       "  fontname=\"sans\";\n"
			       "  node [shape=box, fontname=\"sans\"];\n"
			       "  edge [fontname=\"sans\", fontsize=10];\n",
			       g->name);
	draw_graph_title(g, used, out);
	for (unsigned i = 0; i < g->n_nodes; i++)
		draw_node(g, i, out);
	g_string_append_printf(out, "%s}\n", drawn->str);
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

void accuracy_graph_settings_csv(const struct accuracy_graph *g, bool header, GString *out)
{
	if (header)
		g_string_append(out, "graph,subject,scheme,n,h,p,formula,mean_rank,letters\n");
	g_string_append(out, g->settings->str);
}
