/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random programs with one fault, suites of several sizes: what theory says is in the graphs,
 * and never the opposite, whatever the seed. */
#include "solver/evaluate/data-set.h"
#include "solver/evaluate/subset.h"
#include "solver/rank/accuracy.h"
#include "solver/rank/technique.h"
#include "solver/rank/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { LINES = 30, TESTS = 60, FAULT = 7 };

struct world {
	struct units *u;
	struct spectrum *s;
	enum spectrum_verdict verdicts[TESTS];
};

/* Each failing test executes the fault; some that do pass. */
static void make_world(struct world *w, unsigned seed)
{
	GRand *random = g_rand_new_with_seed(seed);

	w->u = units_new();
	w->s = spectrum_new();
	for (unsigned i = 0; i < LINES; i++)
		units_add_statement(w->u, units_line(w->u, "p.c", i + 1), UNIT_NONE);
	for (unsigned t = 0; t < TESTS; t++) {
		bool meets = t < 2 || g_rand_int_range(random, 0, 3) == 0;
		bool fails = t == 0 || (meets && g_rand_boolean(random));
		char name[8];

		fails &= t != 1;
		w->verdicts[t] = fails ? SPECTRUM_FAILED : SPECTRUM_PASSED;
		g_snprintf(name, sizeof(name), "t%u", t);
		spectrum_begin(w->s, name, w->verdicts[t]);
		for (unsigned i = 0; i < LINES; i++)
			if (i == FAULT ? meets : g_rand_int_range(random, 0, LINES) < (gint32)i)
				spectrum_add(w->s, SPECTRUM_STATEMENT, i, 1);
		spectrum_end(w->s);
	}
	g_rand_free(random);
}

static void free_world(struct world *w)
{
	units_free(w->u);
	spectrum_free(w->s);
}

static void measure(const struct world *w, struct measurements *m, struct measurement row)
{
	struct technique t;

	for (unsigned i = 0; technique_at(i, &t) && t.formula; i++) {
		double scores[LINES];
		struct standing standings[LINES];
		static const unsigned faulty[] = { FAULT };

		technique_lines(&t, w->u, w->s, scores);
		order_standings(scores, LINES, standings);
		row.technique = measurements_text(m, technique_name(&t));
		for (row.scheme = RANK_BEST; row.scheme < RANK_SCHEMES; row.scheme++) {
			row.rank = accuracy_rank(standings, faulty, 1, row.scheme);
			row.exam = accuracy_effort(row.rank, LINES);
			g_array_append_val(m->rows, row);
		}
	}
}

static struct measurements *measure_worlds(unsigned versions, unsigned faults, unsigned crashed)
{
	struct measurements *m = measurements_new();
	unsigned order[TESTS];

	for (unsigned v = 0; v < versions; v++) {
		g_autofree char *name = g_strdup_printf("v%u", v + 1);
		struct measurement row = { .subject = measurements_text(m, v % 2 ? "odd" : "even"),
					   .version = measurements_text(m, name),
					   .faults = faults,
					   .crashed = crashed,
					   .lines = LINES };
		struct world w;

		make_world(&w, v);
		for (row.suite = 25; row.suite <= 100; row.suite += 25) {
			unsigned n = subset_order(w.s, v + 1, order);

			assert_true(subset_take(w.s, w.verdicts, order, n, row.suite));
			measure(&w, m, row);
			assert_true(subset_take(w.s, w.verdicts, order, n, 100));
		}
		free_world(&w);
	}
	return m;
}

static void count_verdicts(const struct accuracy_graph *g, unsigned *counts)
{
	memset(counts, 0, GRAPH_VERDICTS * sizeof(*counts));
	for (unsigned a = 0; a < g->n; a++)
		for (unsigned b = 0; b < g->n; b++)
			counts[accuracy_graph_verdict(g, a, b)]++;
}

static void never_contradicts_theory(void **state)
{
	struct measurements *m = measure_worlds(40, 1, 0);
	static const char *const names[] = { "Gbase", "Gexp", "Gtypical" };

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
		struct accuracy_graph *g = data_set_graph(data_set_find_graph(names[i]), m);
		unsigned counts[GRAPH_VERDICTS];

		assert_non_null(g);
		assert_int_equal(g->n, i ? 42 : 30);
		assert_int_equal(g->n_settings, 6);
		count_verdicts(g, counts);
		assert_int_equal(counts[GRAPH_CONTRADICTED], 0);
		assert_true(counts[GRAPH_REPRODUCED] > 20);
		accuracy_graph_free(g);
	}
	assert_null(data_set_graph(data_set_find_graph("Gcrash"), m));
	assert_null(data_set_graph(data_set_find_graph("Gnon-single"), m));
	measurements_free(m);
}

static void sorts_measurements_into_sets(void **state)
{
	struct measurement row = { .faults = 1 };

	(void)state;
	assert_int_equal(data_set_of(&row), DATA_SET_D2);
	row.crashed = 1;
	assert_int_equal(data_set_of(&row), DATA_SET_D3);
	row.faults = 2;
	assert_int_equal(data_set_of(&row), DATA_SET_D1);
	row.crashed = 0;
	assert_int_equal(data_set_of(&row), DATA_SET_D4);
	row.omission = true;
	assert_int_equal(data_set_of(&row), DATA_SET_D1);
	assert_true(data_set_has(DATA_SET_D1, &row));
}

/* A version that one formula was not measured on does not count, for no formula. */
static void leaves_out_what_is_not_complete(void **state)
{
	struct measurements *m = measure_worlds(4, 1, 0);
	struct accuracy_graph *before, *after;

	(void)state;
	before = data_set_graph(data_set_find_graph("Gbase"), m);
	for (unsigned i = 0; i < m->rows->len; i++) {
		struct measurement *row = &g_array_index(m->rows, struct measurement, i);

		if (strcmp(row->technique, "Ochiai") == 0 && strcmp(row->subject, "odd") == 0)
			row->rank = 0;
	}
	after = data_set_graph(data_set_find_graph("Gbase"), m);
	assert_int_equal(before->n_settings, 6);
	assert_int_equal(after->n_settings, 3);
	accuracy_graph_free(before);
	accuracy_graph_free(after);
	measurements_free(m);
}

static unsigned covered(const struct spectrum *s)
{
	struct spectrum_counts counts[LINES];
	unsigned n = 0;

	spectrum_count(s, SPECTRUM_STATEMENT, NULL, LINES, counts, LINES);
	for (unsigned i = 0; i < LINES; i++)
		n += counts[i].ef || counts[i].ep;
	return n;
}

static void takes_smaller_suites(void **state)
{
	struct world w;
	unsigned order[TESTS], again[TESTS], other[TESTS], all, n;

	(void)state;
	make_world(&w, 5);
	all = covered(w.s);
	n = subset_order(w.s, 1, order);
	assert_int_equal(n, TESTS);
	assert_int_equal(subset_order(w.s, 1, again), TESTS);
	assert_memory_equal(order, again, sizeof(order));
	subset_order(w.s, 2, other);
	assert_memory_not_equal(order, other, sizeof(order));
	for (unsigned percent = 25; percent <= 75; percent += 25) {
		assert_true(subset_take(w.s, w.verdicts, order, n, percent));
		assert_int_equal(spectrum_n_verdict(w.s, SPECTRUM_IGNORED),
				 TESTS - (TESTS * percent + 99) / 100);
		assert_int_equal(covered(w.s), all);
		assert_true(spectrum_n_verdict(w.s, SPECTRUM_FAILED) > 0);
		assert_true(spectrum_n_verdict(w.s, SPECTRUM_PASSED) > 0);
	}
	free_world(&w);
}

/* One failing test among many: each suite has it. */
static void keeps_one_test_of_each_verdict(void **state)
{
	struct spectrum *s = spectrum_new();
	enum spectrum_verdict verdicts[20];
	unsigned order[20], n;

	(void)state;
	for (unsigned i = 0; i < 20; i++) {
		verdicts[i] = i == 13 ? SPECTRUM_FAILED : SPECTRUM_PASSED;
		spectrum_begin(s, "t", verdicts[i]);
		spectrum_add(s, SPECTRUM_STATEMENT, 0, 1);
		spectrum_end(s);
	}
	for (unsigned seed = 1; seed < 10; seed++) {
		n = subset_order(s, seed, order);
		assert_true(subset_take(s, verdicts, order, n, 25));
		assert_int_equal(spectrum_n_verdict(s, SPECTRUM_FAILED), 1);
		assert_int_equal(spectrum_n_verdict(s, SPECTRUM_PASSED), 4);
		assert_true(subset_take(s, verdicts, order, n, 1));
		assert_int_equal(spectrum_n_verdict(s, SPECTRUM_FAILED), 1);
		assert_int_equal(spectrum_n_verdict(s, SPECTRUM_PASSED), 1);
		assert_true(subset_take(s, verdicts, order, n, 100));
	}
	verdicts[13] = SPECTRUM_PASSED;
	assert_false(subset_take(s, verdicts, order, n, 25));
	spectrum_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(never_contradicts_theory),
		cmocka_unit_test(sorts_measurements_into_sets),
		cmocka_unit_test(leaves_out_what_is_not_complete),
		cmocka_unit_test(takes_smaller_suites),
		cmocka_unit_test(keeps_one_test_of_each_verdict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
