/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CP and BlockRank: the published example to its digits, loops, crashes, and
 * random flow graphs whose scores are put back into the equations. */
#include "solver/rank/flow.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "solver/rank/accuracy.h"
#include "solver/rank/formulas.h"
#include "tests/support/figure-1.h"

static void assert_near(double value, double expected, double within)
{
	if (!(fabs(value - expected) <= within))
		fail_msg("%.17g is not %.17g", value, expected);
}

static void assert_all_near(const double *value, const double *expected, unsigned n, double within)
{
	for (unsigned i = 0; i < n; i++)
		assert_near(value[i], expected[i], within);
}

static void assert_ranks(const double *scores, const unsigned *expected, unsigned n)
{
	struct standing s[16];

	order_standings(scores, n, s);
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(s[i].last, expected[i]);
}

static void blockrank_scores_its_figure_as_printed(void **state)
{
	static const double theta[] = { 0, 6, 0.33, 3.67, 3.67 }, t[] = { 1, 0.8421, 1, 0 };
	static const double two_phases[] = { 4.00, 4.32, 3.67, 4.00 };
	static const double coupled[] = { 4.32, 4.32, 3.67, 4.00 };
	static const unsigned ranks[] = { 3, 1, 4, 3 }, coupled_ranks[] = { 2, 2, 4, 3 };
	double edges[5], blocks[4];
	struct flow_report report;
	struct figure_1 f;

	(void)state;
	figure_1_init(&f);
	flow_edges(f.units, f.spectrum, FLOW_BLOCKRANK, edges);
	assert_all_near(edges, theta, 5, 0.005);
	flow_transitions(f.units, f.spectrum, blocks);
	assert_all_near(blocks, t, 4, 0.00005);
	flow_blocks(f.units, f.spectrum, FLOW_BLOCKRANK, NULL, blocks, &report);
	assert_all_near(blocks, two_phases, 4, 0.005);
	assert_near(blocks[1], 16.0 / 19 * 4 + 3.0 / 19 * 6, 1e-12);
	assert_ranks(blocks, ranks, 4);
	assert_true(report.sweeps == 2 && !report.eliminated && !report.unsettled);
	flow_blocks(f.units, f.spectrum, FLOW_BLOCKRANK_COUPLED, NULL, blocks, NULL);
	assert_all_near(blocks, coupled, 4, 0.005);
	assert_ranks(blocks, coupled_ranks, 4);
	figure_1_deinit(&f);
}

/* By CP's published equations; the figure prints another recipe's numbers, with
 * the same effort: b2 is among three. */
static void cp_scores_the_figure_by_its_equations(void **state)
{
	static const double theta[] = { 0, 0.4737, 0.0769, 0.5789, 0.5789 };
	static const double expected[] = { 0.6559, 0.6559, 0.5789, 0.6559 };
	static const unsigned ranks[] = { 3, 3, 4, 3 };
	double edges[5], blocks[4];
	struct figure_1 f;

	(void)state;
	figure_1_init(&f);
	flow_edges(f.units, f.spectrum, FLOW_CP, edges);
	assert_all_near(edges, theta, 5, 0.00005);
	flow_blocks(f.units, f.spectrum, FLOW_CP, NULL, blocks, NULL);
	assert_all_near(blocks, expected, 4, 0.00005);
	assert_ranks(blocks, ranks, 4);
	figure_1_deinit(&f);
}

/* Of four blocks, the faulty one being b2. */
static double effort(const double *blocks)
{
	static const unsigned faulty[] = { 1 };
	struct standing s[4];

	order_standings(blocks, 4, s);
	return accuracy_effort(accuracy_rank(s, faulty, 1, RANK_WORST), 4);
}

static void efforts_are_as_printed(void **state)
{
	static const char *const peer[] = { "Tarantula", "Jaccard", "Ochiai", "SBI" };
	struct spectrum_counts counts[4];
	struct figure_1 f;
	double blocks[4];

	(void)state;
	figure_1_init(&f);
	flow_blocks(f.units, f.spectrum, FLOW_BLOCKRANK, NULL, blocks, NULL);
	assert_true(effort(blocks) == 0.25);
	flow_blocks(f.units, f.spectrum, FLOW_CP, NULL, blocks, NULL);
	assert_true(effort(blocks) == 0.75);
	spectrum_count(f.spectrum, SPECTRUM_BLOCK, NULL, 0, counts, 4);
	for (unsigned i = 0; i < G_N_ELEMENTS(peer); i++) {
		for (unsigned b = 0; b < 4; b++)
			blocks[b] = formula_score(formula_find(peer[i]), &counts[b]);
		assert_true(effort(blocks) == 1);
	}
	figure_1_deinit(&f);
}

/* The numbers printed for CP in the figure, 0.34 0.73 1.02 1.16, and how they
 * come about: the edges into b4 have weights, those that are alone do not, and
 * b4 counts what enters b3 instead of what b2 gives it. */
static void the_figure_s_own_cp_is_another_recipe(void **state)
{
	static const double printed[] = { 0.34, 0.73, 1.02, 1.16 };
	double theta[5], own[4], blocks[4];
	struct figure_1 f;

	(void)state;
	figure_1_init(&f);
	flow_edges(f.units, f.spectrum, FLOW_CP, theta);
	double into_b4 = theta[0] + theta[2] + theta[4];
	own[3] = theta[3] + theta[4];
	own[2] = theta[4] / into_b4 * own[3];
	own[1] = theta[2] / into_b4 * own[3] + theta[3] * own[2];
	own[0] = theta[1] * own[1];
	assert_all_near(own, printed, 4, 0.0051);
	flow_blocks(f.units, f.spectrum, FLOW_CP, NULL, blocks, NULL);
	assert_true(effort(own) == effort(blocks));
	figure_1_deinit(&f);
}

/* The block that a run crashed in was entered once more than it was left. */
static void a_crash_is_a_missing_transition(void **state)
{
	struct figure_1 f;
	guint64 in[2][5], crash[2][4];

	(void)state;
	figure_1_init(&f);
	spectrum_sum(f.spectrum, SPECTRUM_EDGE, in[0], in[1], 5);
	spectrum_sum(f.spectrum, SPECTRUM_CRASH, crash[0], crash[1], 4);
	for (unsigned failed = 0; failed < 2; failed++)
		assert_int_equal(in[failed][1] - in[failed][2] - in[failed][3], crash[failed][1]);
	assert_int_equal(crash[1][1], 6);
	figure_1_deinit(&f);
}

struct graph {
	struct units *u;
	struct spectrum *s;
};

static void graph_init(struct graph *g, unsigned n, const unsigned (*edge)[2], unsigned n_edges)
{
	g->u = units_new();
	g->s = spectrum_new();
	for (unsigned b = 0; b < n; b++)
		units_add_block(g->u, false);
	for (unsigned e = 0; e < n_edges; e++)
		units_edge(g->u, edge[e][0], edge[e][1]);
}

static void graph_test(struct graph *g, enum spectrum_verdict verdict, const unsigned *times)
{
	spectrum_begin(g->s, "t", verdict);
	for (unsigned e = 0; e < g->u->edges->len; e++)
		spectrum_add(g->s, SPECTRUM_EDGE, e, times[e]);
	spectrum_end(g->s);
}

static void graph_deinit(struct graph *g)
{
	units_free(g->u);
	spectrum_free(g->s);
}

/* Entry → head, head ⇄ body, head → end.  Into head go 1 and 3, so its loop gives
 * back three quarters: x(head) = x(body) + x(end), x(body) = 3/4 x(head),
 * x(end) = I = 1; so head 4, body 3, entry 1/4 of head. */
static void loops_converge(void **state)
{
	static const unsigned edge[][2] = { { 0, 1 }, { 1, 2 }, { 2, 1 }, { 1, 3 } };
	static const unsigned passed[] = { 1, 0, 0, 1 }, failed[] = { 2, 3, 3, 2 };
	static const double expected[] = { 1, 4, 3, 1 };
	double blocks[4];
	struct flow_report report;
	struct graph g;

	(void)state;
	graph_init(&g, 4, edge, 4);
	graph_test(&g, SPECTRUM_PASSED, passed);
	graph_test(&g, SPECTRUM_FAILED, failed);
	flow_blocks(g.u, g.s, FLOW_BLOCKRANK, NULL, blocks, &report);
	assert_all_near(blocks, expected, 4, 1e-9);
	assert_in_range(report.sweeps, 10, limits_default()->flow_sweeps - 1);
	assert_true(!report.eliminated && !report.unsettled);
	graph_deinit(&g);
}

/* As above, but 99 of 100 come back: too slow for 200 sweeps, but solvable. */
static void slow_loops_are_eliminated(void **state)
{
	static const unsigned edge[][2] = { { 0, 1 }, { 1, 2 }, { 2, 1 }, { 1, 3 } };
	static const unsigned passed[] = { 1, 0, 0, 1 }, failed[] = { 2, 99, 99, 2 };
	static const double expected[] = { 1, 100, 99, 1 };
	double blocks[4];
	struct flow_report report;
	struct graph g;

	(void)state;
	graph_init(&g, 4, edge, 4);
	graph_test(&g, SPECTRUM_PASSED, passed);
	graph_test(&g, SPECTRUM_FAILED, failed);
	flow_blocks(g.u, g.s, FLOW_BLOCKRANK, NULL, blocks, &report);
	assert_all_near(blocks, expected, 4, 1e-7);
	assert_true(report.sweeps == limits_default()->flow_sweeps && report.eliminated == 1 &&
		    !report.unsettled);
	graph_deinit(&g);
}

/* All that is suspicious about the head comes back along the loop, and the
 * other end is suspicious too: no solution; what 200 sweeps gave is finite. */
static void endless_growth_stops(void **state)
{
	static const unsigned edge[][2] = { { 0, 1 }, { 1, 2 }, { 2, 1 }, { 1, 3 } };
	static const unsigned passed[] = { 2, 0, 0, 1 }, failed[] = { 2, 3, 3, 2 };
	double blocks[4];
	struct flow_report report;
	struct graph g;

	(void)state;
	graph_init(&g, 4, edge, 4);
	graph_test(&g, SPECTRUM_PASSED, passed);
	graph_test(&g, SPECTRUM_FAILED, failed);
	flow_blocks(g.u, g.s, FLOW_BLOCKRANK, NULL, blocks, &report);
	assert_true(report.sweeps == limits_default()->flow_sweeps && report.unsettled == 1);
	/* One run of seven did not leave the head. */
	assert_near(blocks[1], 6.0 / 7 * limits_default()->flow_sweeps + 1.0 / 7 * 3, 1e-9);
	assert_near(blocks[3], 1, 0);
	graph_deinit(&g);
}

/* A function of one block that crashes: seen once invocations and returns are
 * edges. */
static void virtual_blocks_show_a_crash_in_the_first(void **state)
{
	static const unsigned edge[][2] = { { 0, 1 }, { 1, 2 } };
	static const unsigned passed[] = { 3, 3 }, failed[] = { 8, 6 };
	double t[3], blocks[3];
	struct graph g;

	(void)state;
	graph_init(&g, 3, edge, 2);
	graph_test(&g, SPECTRUM_PASSED, passed);
	graph_test(&g, SPECTRUM_FAILED, failed);
	flow_transitions(g.u, g.s, t);
	assert_near(t[1], 9.0 / 11, 1e-15);
	flow_blocks(g.u, g.s, FLOW_BLOCKRANK, NULL, blocks, NULL);
	assert_near(blocks[1], 9.0 / 11 * 3 + 2.0 / 11 * 5, 1e-12);
	graph_deinit(&g);
}

enum { BLOCKS = 9, EDGES = 16 };

/* The equations of flow.h, written down once more. */
static double residual(const struct graph *g, enum flow_mode mode, const double *x, unsigned block,
		       double *scale)
{
	const struct unit_edge *edge = (const struct unit_edge *)g->u->edges->data;
	double theta[EDGES], t[BLOCKS], into[BLOCKS] = { 0 }, size[BLOCKS] = { 0 }, sum = 0;
	bool is_last = true;

	flow_edges(g->u, g->s, mode, theta);
	flow_transitions(g->u, g->s, t);
	for (unsigned e = 0; e < g->u->edges->len; e++) {
		into[edge[e].to] += theta[e];
		size[edge[e].to] += fabs(theta[e]);
	}
	for (unsigned e = 0; e < g->u->edges->len; e++) {
		unsigned to = edge[e].to;
		if (edge[e].from != block)
			continue;
		is_last = false;
		double w = fabs(into[to]) <= 1e-12 * size[to] ? 0 : theta[e] / into[to];
		sum += w * x[to];
		*scale = MAX(*scale, fabs(w * x[to]));
	}
	*scale = MAX(*scale, MAX(fabs(x[block]), fabs(into[block])));
	double share = is_last ? 0 : mode == FLOW_BLOCKRANK_COUPLED ? t[block] : 1;
	return x[block] - share * sum - (1 - share) * into[block];
}

/* Into block 0 and out of the last goes nothing. */
static void random_graph(struct graph *g, GRand *rand)
{
	unsigned edge[EDGES][2], times[EDGES];

	for (unsigned e = 0; e < EDGES; e++) {
		edge[e][0] = (unsigned)g_rand_int_range(rand, 0, BLOCKS - 1);
		edge[e][1] = (unsigned)g_rand_int_range(rand, 1, BLOCKS);
	}
	graph_init(g, BLOCKS, (const unsigned(*)[2])edge, EDGES);
	for (unsigned t = 0; t < 5; t++) {
		for (unsigned e = 0; e < EDGES; e++)
			times[e] = g_rand_int(rand) % 4 ? g_rand_int(rand) % 6 : 0;
		graph_test(g, t < 3 ? SPECTRUM_PASSED : SPECTRUM_FAILED, times);
	}
}

static void scores_satisfy_the_equations(void **state)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);
	unsigned eliminated = 0, checked = 0;

	(void)state;
	for (unsigned round = 0; round < 2000; round++) {
		enum flow_mode mode = round % 2 ? FLOW_CP : FLOW_BLOCKRANK_COUPLED;
		double x[BLOCKS], scale = 0, worst = 0;
		struct flow_report report;
		struct graph g;

		random_graph(&g, rand);
		flow_blocks(g.u, g.s, mode, NULL, x, &report);
		eliminated += report.eliminated;
		checked += !report.unsettled;
		for (unsigned b = 0; b < BLOCKS; b++) {
			assert_true(isfinite(x[b]));
			worst = MAX(worst, fabs(residual(&g, mode, x, b, &scale)));
		}
		if (!report.unsettled && worst > 1e-7 * scale)
			fail_msg("round %u: off by %g of %g", round, worst, scale);
		graph_deinit(&g);
	}
	/* The rest feed on themselves alone: no solution. */
	assert_in_range(eliminated, 100, 4000);
	assert_in_range(checked, 1000, 2000);
}

static void statements_have_their_block_s_score(void **state)
{
	static const double blocks[] = { -3, 2 };
	double statements[3];
	struct units *u = units_new();

	(void)state;
	units_add_block(u, false);
	units_add_block(u, false);
	for (unsigned i = 0; i < 3; i++)
		units_add_statement(u, units_line(u, "f.c", i), i == 2 ? UNIT_NONE : i);
	flow_statements(u, blocks, statements);
	assert_true(statements[0] == -3 && statements[1] == 2 && statements[2] < -3);
	units_free(u);
}

static void nothing_recorded_gives_zeros(void **state)
{
	static const unsigned edge[][2] = { { 0, 1 }, { 1, 0 } };
	double blocks[2] = { 9, 9 };
	struct graph g;

	(void)state;
	graph_init(&g, 2, edge, 2);
	for (unsigned mode = FLOW_CP; mode <= FLOW_BLOCKRANK_COUPLED; mode++) {
		flow_blocks(g.u, g.s, (enum flow_mode)mode, NULL, blocks, NULL);
		assert_true(blocks[0] == 0 && blocks[1] == 0);
	}
	graph_deinit(&g);
	graph_init(&g, 1, edge, 0);
	flow_blocks(g.u, g.s, FLOW_BLOCKRANK, NULL, blocks, NULL);
	assert_true(blocks[0] == 0);
	graph_deinit(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blockrank_scores_its_figure_as_printed),
		cmocka_unit_test(cp_scores_the_figure_by_its_equations),
		cmocka_unit_test(efforts_are_as_printed),
		cmocka_unit_test(the_figure_s_own_cp_is_another_recipe),
		cmocka_unit_test(a_crash_is_a_missing_transition),
		cmocka_unit_test(loops_converge),
		cmocka_unit_test(slow_loops_are_eliminated),
		cmocka_unit_test(endless_growth_stops),
		cmocka_unit_test(virtual_blocks_show_a_crash_in_the_first),
		cmocka_unit_test(scores_satisfy_the_equations),
		cmocka_unit_test(statements_have_their_block_s_score),
		cmocka_unit_test(nothing_recorded_gives_zeros),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
