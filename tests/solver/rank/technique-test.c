/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Techniques by name, from tests to lines; the search from predicates. */
#include "solver/rank/technique.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "solver/rank/lines.h"
#include "solver/rank/order.h"
#include "tests/support/figure-1.h"

static struct technique find(const char *name)
{
	struct technique t;

	if (!technique_find(name, &t))
		fail_msg("there is no %s", name);
	return t;
}

static double rank_of_line(const struct figure_1 *f, const char *name, unsigned line)
{
	struct technique t = find(name);
	double lines[9];
	struct standing s[9];

	technique_lines(&t, f->units, f->spectrum, lines);
	order_standings(lines, 9, s);
	return order_rank(s[line - 1], RANK_WORST);
}

/* Statements of b2 are four of nine; formulas tell nothing about the figure, and
 * CP puts b3 (three statements) behind all others. */
static void ranks_the_lines_of_figure_1(void **state)
{
	static const char *const formula[] = { "Tarantula", "Jaccard", "Ochiai", "SBI" };
	struct figure_1 f;

	(void)state;
	figure_1_init(&f);
	for (unsigned i = 0; i < G_N_ELEMENTS(formula); i++)
		for (unsigned line = 1; line <= 9; line++)
			assert_true(rank_of_line(&f, formula[i], line) == 9);
	assert_true(rank_of_line(&f, "BlockRank", 2) == 4);
	assert_true(rank_of_line(&f, "blockrank", 5) == 4);
	assert_true(rank_of_line(&f, "blockrank", 1) == 6);
	assert_true(rank_of_line(&f, "blockrank", 9) == 6);
	assert_true(rank_of_line(&f, "blockrank", 7) == 9);
	assert_true(rank_of_line(&f, "blockrank-coupled", 1) == 5);
	assert_true(rank_of_line(&f, "CP", 2) == 6);
	figure_1_deinit(&f);
}

static void every_technique_scores_and_has_one_name(void **state)
{
	struct technique t, other;
	double statements[9], lines[9];
	struct figure_1 f;
	unsigned n = 0;

	(void)state;
	figure_1_init(&f);
	for (; technique_at(n, &t); n++) {
		assert_true(technique_find(technique_name(&t), &other));
		assert_memory_equal(&t, &other, sizeof t);
		technique_statements(&t, f.units, f.spectrum, statements);
		technique_lines(&t, f.units, f.spectrum, lines);
		/* Each statement stands on a line of its own. */
		assert_memory_equal(statements, lines, sizeof lines);
		for (unsigned i = 0; i < 9; i++)
			assert_false(isnan(lines[i]));
	}
	assert_int_equal(n, 50);
	assert_false(technique_find("blockranks", &t));
	figure_1_deinit(&f);
}

/* Of the two statements on line 1 each is executed by one failing test. */
static void a_line_is_executed_when_any_of_it_is(void **state)
{
	struct units *u = units_new();
	struct spectrum *s = spectrum_new();
	unsigned line = units_line(u, "f.c", 1);
	struct technique t = find("wong1");
	double statements[2], lines[1];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		spectrum_begin(s, "t", SPECTRUM_FAILED);
		spectrum_add(s, SPECTRUM_STATEMENT, units_add_statement(u, line, UNIT_NONE), 3);
		spectrum_end(s);
	}
	technique_statements(&t, u, s, statements);
	technique_lines(&t, u, s, lines);
	assert_true(statements[0] == 1 && statements[1] == 1 && lines[0] == 2);
	units_free(u);
	spectrum_free(s);
}

/* Statements 0 - 1 - 2 - 3 in a row, 4 - 5 apart, 6 alone; one predicate each on
 * 0, 3, 4 and 6. */
static struct units *dependent_statements(void)
{
	static const unsigned dependence[][2] = { { 0, 1 }, { 2, 1 }, { 2, 3 }, { 4, 5 } };
	static const unsigned predicate[] = { 0, 3, 4, 6 };
	struct units *u = units_new();

	for (unsigned i = 0; i < 7; i++)
		units_add_statement(u, units_line(u, "f.c", i / 2), UNIT_NONE);
	for (unsigned i = 0; i < G_N_ELEMENTS(dependence); i++)
		units_add_dependence(u, dependence[i][0], dependence[i][1]);
	for (unsigned i = 0; i < G_N_ELEMENTS(predicate); i++)
		units_add_predicate(u, predicate[i], 2);
	return u;
}

static void searches_breadth_first(void **state)
{
	/* The best one, which is the second; the last was never reached. */
	static const struct predicate_score scores[] = {
		{ true, 1 }, { true, 2.5 }, { true, -1 }, { false, 9 }
	};
	static const double from_best[] = { 1.0 / 4, 1.0 / 3, 1.0 / 2, 1, 0, 0, 0 };
	static const double from_two[] = { 1, 1.0 / 2, 1.0 / 2, 1, 0, 0, 0 };
	static const double from_all[] = { 1, 1.0 / 2, 1.0 / 2, 1, 1, 1.0 / 2, 0 };
	struct units *u = dependent_statements();
	double statements[7], lines[4];

	(void)state;
	lines_search(u, scores, 1, statements);
	for (unsigned i = 0; i < 7; i++)
		assert_true(fabs(statements[i] - from_best[i]) < 1e-15);
	lines_search(u, scores, 2, statements);
	assert_memory_equal(statements, from_two, sizeof from_two);
	lines_search(u, scores, 5, statements);
	assert_memory_equal(statements, from_all, sizeof from_all);
	lines_from_statements(u, statements, lines);
	assert_true(lines[0] == 1 && lines[1] == 1 && lines[2] == 1 && lines[3] == 0);
	units_free(u);
}

static void a_tie_for_the_last_place_starts_too(void **state)
{
	static const struct predicate_score scores[] = {
		{ true, 1 }, { true, 2 }, { true, 1 }, { true, 0 }
	};
	struct units *u = dependent_statements();
	double statements[7];

	(void)state;
	lines_search(u, scores, 2, statements);
	assert_true(statements[0] == 1 && statements[3] == 1 && statements[4] == 1);
	assert_true(statements[6] == 0);
	units_free(u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_the_lines_of_figure_1),
		cmocka_unit_test(every_technique_scores_and_has_one_name),
		cmocka_unit_test(a_line_is_executed_when_any_of_it_is),
		cmocka_unit_test(searches_breadth_first),
		cmocka_unit_test(a_tie_for_the_last_place_starts_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
