/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/evaluate/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { FORMULAS = 4, VALUES = 40 };

/* Formulas whose values lie around these levels. */
struct made {
	double values[FORMULAS][VALUES];
	const double *rows[FORMULAS];
};

static struct graph_setting make_setting(struct made *m, const double *levels)
{
	for (unsigned i = 0; i < FORMULAS; i++) {
		m->rows[i] = m->values[i];
		for (unsigned k = 0; k < VALUES; k++)
			m->values[i][k] = levels[i] + k;
	}
	return (struct graph_setting){ "s", RANK_BEST, VALUES, m->rows };
}

static struct accuracy_graph *make_graph(const char *const *names, const double (*levels)[FORMULAS],
					 unsigned n)
{
	g_autofree struct made *made = g_new(struct made, n);
	g_autofree struct graph_setting *settings = g_new(struct graph_setting, n);
	const struct formula *of[FORMULAS];

	for (unsigned i = 0; i < FORMULAS; i++)
		of[i] = formula_find(names[i]);
	for (unsigned i = 0; i < n; i++)
		settings[i] = make_setting(&made[i], levels[i]);
	return accuracy_graph_new("G", of, FORMULAS, settings, n);
}

static const char *const names[FORMULAS] = { "Naish2", "Jaccard", "Tarantula", "Wong2" };

/* Naish2 before Jaccard before the other two, which are alike. */
static void reduces_a_row(void **state)
{
	static const double levels[][FORMULAS] = { { 0, 1000, 2000, 2000 },
						   { 0, 1000, 2000, 2000 } };
	struct accuracy_graph *g = make_graph(names, levels, 2);
	g_autofree char *dot = accuracy_graph_dot(g);

	(void)state;
	assert_int_equal(g->n_nodes, 3);
	assert_int_equal(g->node[2], g->node[3]);
	assert_false(g->circle);
	assert_true(g->edges[0 * 3 + 2] && !g->drawn[0 * 3 + 2]);
	assert_true(g->drawn[0 * 3 + 1] && g->drawn[1 * 3 + 2]);
	assert_int_equal(accuracy_graph_relation(g, 0, 3), GRAPH_MORE);
	assert_int_equal(accuracy_graph_relation(g, 3, 0), GRAPH_LESS);
	assert_int_equal(accuracy_graph_relation(g, 2, 3), GRAPH_SIMILAR);
	assert_int_equal(accuracy_graph_verdict(g, 0, 1), GRAPH_REPRODUCED);
	assert_int_equal(accuracy_graph_verdict(g, 1, 0), GRAPH_NO_THEORY);
	assert_int_equal(accuracy_graph_verdict(g, 2, 3), GRAPH_NO_THEORY);
	assert_non_null(strstr(dot, "n0 -> n1 [color=blue];"));
	assert_non_null(strstr(dot, "Tarantula\\nWong2"));
	assert_non_null(strstr(dot, "G (2 settings)"));
	assert_non_null(strstr(dot, "blue: theory says so, too"));
	assert_null(strstr(dot, "red:")); /* nothing is */
	assert_null(strstr(dot, "n0 -> n2"));
	accuracy_graph_free(g);
}

/* What is more here and less there is no relation; what theory says then is open. */
static void drops_what_is_not_consistent(void **state)
{
	static const double levels[][FORMULAS] = { { 0, 1000, 2000, 2000 },
						   { 1000, 0, 2000, 2000 } };
	struct accuracy_graph *g = make_graph(names, levels, 2);

	(void)state;
	assert_int_equal(accuracy_graph_relation(g, 0, 1), GRAPH_NONE);
	assert_int_equal(accuracy_graph_verdict(g, 0, 1), GRAPH_OPEN);
	assert_int_equal(accuracy_graph_verdict(g, 1, 2), GRAPH_REPRODUCED);
	accuracy_graph_free(g);
}

/* What only theory says is drawn, downwards as all arrows are. */
static void draws_what_only_theory_says(void **state)
{
	static const double levels[][FORMULAS] = { { 0, 1000, 2000, 3000 },
						   { 0, 2000, 1000, 3000 } };
	struct accuracy_graph *g = make_graph(names, levels, 2);
	g_autofree char *dot = accuracy_graph_dot(g);

	(void)state;
	assert_int_equal(accuracy_graph_verdict(g, 1, 2), GRAPH_OPEN);
	assert_non_null(strstr(dot, "n1 -> n2 [color=blue, style=dashed];"));
	assert_non_null(strstr(dot, "An arrow leads from more accurate formulas"));
	accuracy_graph_free(g);
}

static void says_that_all_are_alike(void **state)
{
	static const char *const alike[FORMULAS] = { "Jaccard", "Anderberg", "Dice", "Goodman" };
	static const double levels[][FORMULAS] = { { 0, 0, 0, 0 } };
	struct accuracy_graph *g = make_graph(alike, levels, 1);
	g_autofree char *dot = accuracy_graph_dot(g);

	(void)state;
	assert_int_equal(g->n_nodes, 1);
	assert_non_null(strstr(dot, "No formula is consistently more accurate than another one."));
	assert_null(strstr(dot, "An arrow"));
	accuracy_graph_free(g);
}

static void marks_what_contradicts_theory(void **state)
{
	static const double levels[][FORMULAS] = { { 1000, 0, 0, 0 } };
	struct accuracy_graph *g = make_graph(names, levels, 1);
	g_autofree char *dot = accuracy_graph_dot(g);
	GString *csv = g_string_new(NULL);

	(void)state;
	assert_int_equal(accuracy_graph_verdict(g, 0, 1), GRAPH_CONTRADICTED);
	assert_int_equal(accuracy_graph_verdict(g, 1, 2), GRAPH_WEAK);
	assert_non_null(strstr(dot, "n1 -> n0 [color=red, penwidth=2, label=\"against theory\"];"));
	assert_non_null(strstr(dot, "red: theory says the opposite"));
	accuracy_graph_csv(g, true, csv);
	assert_true(g_str_has_prefix(csv->str, "graph,first,second,"));
	assert_non_null(
		strstr(csv->str, "G,Naish2,Jaccard,1,2,1,0,1,0,0,less,more,contradicted\n"));
	assert_non_null(strstr(csv->str, "G,Jaccard,Naish2,2,1,1,1,0,0,0,more,less,\n"));
	g_string_truncate(csv, 0);
	accuracy_graph_settings_csv(g, true, csv);
	/* H and p as R's kruskal.test has them */
	assert_string_equal(csv->str, "graph,subject,scheme,n,h,p,formula,mean_rank,letters\n"
				      "G,s,best,40,89.46196226,2.858357996e-19,Naish2,140.5,B\n"
				      "G,s,best,40,89.46196226,2.858357996e-19,Jaccard,60.5,A\n"
				      "G,s,best,40,89.46196226,2.858357996e-19,Tarantula,60.5,A\n"
				      "G,s,best,40,89.46196226,2.858357996e-19,Wong2,60.5,A\n");
	g_string_free(csv, TRUE);
	accuracy_graph_free(g);
}

/* Each beats the next in a setting of its own, where the other two are near both. */
static void keeps_all_edges_of_a_circle(void **state)
{
	static const double levels[][FORMULAS] = { { 0, 12, 6, 6 },
						   { 6, 0, 12, 6 },
						   { 12, 6, 0, 6 } };
	struct accuracy_graph *g = make_graph(names, levels, 3);

	(void)state;
	assert_true(g->circle);
	assert_int_equal(accuracy_graph_relation(g, 0, 1), GRAPH_MORE);
	assert_int_equal(accuracy_graph_relation(g, 1, 2), GRAPH_MORE);
	assert_int_equal(accuracy_graph_relation(g, 2, 0), GRAPH_MORE);
	assert_memory_equal(g->edges, g->drawn, g->n_nodes * g->n_nodes * sizeof(bool));
	accuracy_graph_free(g);
}

static void draws_theory(void **state)
{
	struct accuracy_graph *g = accuracy_graph_of_theory();
	unsigned edges = 0, drawn = 0;

	(void)state;
	for (unsigned i = 0; i < g->n_nodes * g->n_nodes; i++) {
		edges += g->edges[i];
		drawn += g->drawn[i];
	}
	assert_int_equal(g->n_nodes, 14);
	assert_int_equal(edges, 37);
	assert_int_equal(drawn, 14);
	accuracy_graph_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reduces_a_row),
		cmocka_unit_test(drops_what_is_not_consistent),
		cmocka_unit_test(draws_what_only_theory_says),
		cmocka_unit_test(says_that_all_are_alike),
		cmocka_unit_test(marks_what_contradicts_theory),
		cmocka_unit_test(keeps_all_edges_of_a_circle),
		cmocka_unit_test(draws_theory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
