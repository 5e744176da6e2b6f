/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/evaluate/graph.h"

#include "solver/evaluate/csv.h"
#include "solver/evaluate/measurement.h"
#include "solver/evaluate/theory.h"

#include <string.h>

const char *const graph_relation_words[GRAPH_RELATIONS] = {
	[GRAPH_NONE] = "none",
	[GRAPH_SIMILAR] = "similar",
	[GRAPH_MORE] = "more",
	[GRAPH_LESS] = "less",
};
const char *const graph_verdict_words[GRAPH_VERDICTS] = {
	[GRAPH_NO_THEORY] = "",	    [GRAPH_REPRODUCED] = "reproduced",	   [GRAPH_WEAK] = "similar",
	[GRAPH_OPEN] = "undecided", [GRAPH_CONTRADICTED] = "contradicted",
};

static void add_graph_number(GString *out, double number)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	csv_field(out, g_ascii_formatd(text, sizeof(text), "%.10g", number));
}

static void write_setting(struct accuracy_graph *g, const struct graph_setting *s,
			  const struct kruskal *k, const struct letters *l)
{
	for (unsigned i = 0; i < g->n; i++) {
		g_autofree char *letters = letters_text(l, i);

		g_string_append(g->settings, g->name);
		csv_field(g->settings, s->subject);
		csv_field(g->settings, measurement_schemes[s->scheme]);
		add_graph_number(g->settings, s->n);
		add_graph_number(g->settings, k->corrected);
		add_graph_number(g->settings, k->p);
		csv_field(g->settings, g->formulas[i]->name);
		add_graph_number(g->settings, k->mean_ranks[i]);
		csv_field(g->settings, letters);
		g_string_append_c(g->settings, '\n');
	}
}

static void count_setting(struct accuracy_graph *g, const struct graph_setting *s)
{
	g_autofree struct kruskal_group *groups = g_new(struct kruskal_group, g->n);
	struct kruskal *k;
	struct letters *l;

	for (unsigned i = 0; i < g->n; i++)
		groups[i] = (struct kruskal_group){ s->values[i], s->n };
	k = kruskal_new(groups, g->n);
	l = letters_new(k, GRAPH_ALPHA);
	write_setting(g, s, k, l);
	for (unsigned a = 0; a < g->n; a++)
		for (unsigned b = 0; b < g->n; b++)
			g->counts[a * g->n + b][letters_compare(l, a, b)]++;
	letters_free(l);
	kruskal_free(k);
}

enum graph_relation accuracy_graph_relation(const struct accuracy_graph *g, unsigned first,
					    unsigned second)
{
	const unsigned *c = g->counts[first * g->n + second];

	if (c[LETTERS_MORE])
		return c[LETTERS_LESS] ? GRAPH_NONE : GRAPH_MORE;
	return c[LETTERS_LESS] ? GRAPH_LESS : GRAPH_SIMILAR;
}

enum graph_verdict accuracy_graph_verdict(const struct accuracy_graph *g, unsigned first,
					  unsigned second)
{
	if (theory_compare(g->formulas[first], g->formulas[second]) != THEORY_MORE)
		return GRAPH_NO_THEORY;
	switch (accuracy_graph_relation(g, first, second)) {
	case GRAPH_MORE:
		return GRAPH_REPRODUCED;
	case GRAPH_SIMILAR:
		return GRAPH_WEAK;
	case GRAPH_LESS:
		return GRAPH_CONTRADICTED;
	default:
		return GRAPH_OPEN;
	}
}

/* The same letters everywhere is an equivalence, and what is equal has the same relations. */
static void make_nodes(struct accuracy_graph *g)
{
	for (unsigned i = 0; i < g->n; i++) {
		g->node[i] = g->n_nodes;
		for (unsigned k = 0; k < i; k++) {
			if (g->counts[i * g->n + k][LETTERS_SAME] == g->n_settings) {
				g->node[i] = g->node[k];
				break;
			}
		}
		if (g->node[i] == g->n_nodes)
			g->n_nodes++;
	}
}

static void make_edges(struct accuracy_graph *g)
{
	for (unsigned a = 0; a < g->n; a++)
		for (unsigned b = 0; b < g->n; b++)
			if (accuracy_graph_relation(g, a, b) == GRAPH_MORE)
				g->edges[g->node[a] * g->n_nodes + g->node[b]] = true;
}

/* reach[a * n + b]: there is a way of at least one edge (Warshall). */
static bool *find_graph_ways(const struct accuracy_graph *g)
{
	unsigned n = g->n_nodes;
	bool *reach = g_memdup2(g->edges, n * n * sizeof(*reach));

	for (unsigned via = 0; via < n; via++)
		for (unsigned a = 0; a < n; a++)
			for (unsigned b = 0; b < n; b++)
				if (reach[a * n + via] && reach[via * n + b])
					reach[a * n + b] = true;
	return reach;
}

static void reduce_edges(struct accuracy_graph *g)
{
	unsigned n = g->n_nodes;
	g_autofree bool *reach = find_graph_ways(g);

	memcpy(g->drawn, g->edges, n * n * sizeof(*g->drawn));
	for (unsigned a = 0; a < n; a++)
		g->circle |= reach[a * n + a];
	if (g->circle)
		return;
	for (unsigned a = 0; a < n; a++)
		for (unsigned via = 0; via < n; via++)
			for (unsigned b = 0; b < n; b++)
				if (g->edges[a * n + via] && reach[via * n + b])
					g->drawn[a * n + b] = false;
}

static void finish_graph(struct accuracy_graph *g)
{
	g->node = g_new0(unsigned, g->n);
	make_nodes(g);
	g->edges = g_new0(bool, g->n_nodes * g->n_nodes);
	g->drawn = g_new0(bool, g->n_nodes * g->n_nodes);
	make_edges(g);
	reduce_edges(g);
}

static struct accuracy_graph *begin_graph(const char *name, const struct formula *const *of,
					  unsigned n, unsigned n_settings)
{
	struct accuracy_graph *g = g_new0(struct accuracy_graph, 1);

	g->name = g_strdup(name);
	g->formulas = g_memdup2(of, n * sizeof(*g->formulas));
	g->n = n;
	g->n_settings = n_settings;
	g->counts = g_malloc0_n(n * n, sizeof(*g->counts));
	g->settings = g_string_new(NULL);
	return g;
}

struct accuracy_graph *accuracy_graph_new(const char *name, const struct formula *const *of,
					  unsigned n, const struct graph_setting *settings,
					  unsigned n_settings)
{
	struct accuracy_graph *g = begin_graph(name, of, n, n_settings);

	g_assert(n_settings && n <= LETTERS_GROUPS_MOST);
	for (unsigned i = 0; i < n_settings; i++)
		count_setting(g, &settings[i]);
	finish_graph(g);
	return g;
}

struct accuracy_graph *accuracy_graph_of_theory(void)
{
	static const enum letters_relation as_letters[] = { [THEORY_NONE] = LETTERS_NEAR,
							    [THEORY_EQUAL] = LETTERS_SAME,
							    [THEORY_MORE] = LETTERS_MORE,
							    [THEORY_LESS] = LETTERS_LESS };
	g_autoptr(GPtrArray) of = g_ptr_array_new();
	struct accuracy_graph *g;

	for (unsigned i = 0; i < n_formulas; i++)
		if (formulas[i].xckx)
			g_ptr_array_add(of, (gpointer)&formulas[i]);
	g = begin_graph("Gtheory", (const struct formula *const *)of->pdata, of->len, 1);
	g->what = "what is proven of them";
	for (unsigned a = 0; a < g->n; a++)
		for (unsigned b = 0; b < g->n; b++)
			g->counts[a * g->n + b]
				 [as_letters[theory_compare(g->formulas[a], g->formulas[b])]]++;
	finish_graph(g);
	return g;
}

void accuracy_graph_free(struct accuracy_graph *g)
{
	if (!g)
		return;
	g_free(g->name);
	g_free(g->formulas);
	g_free(g->counts);
	g_string_free(g->settings, TRUE);
	g_free(g->node);
	g_free(g->edges);
	g_free(g->drawn);
	g_free(g);
}
