/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/figure-1.h"

/* Statement s1 in b1, s2 … s5 in b2, s6 … s8 in b3, s9 in b4; each on the line of
 * its number. */
static void declare(struct units *u)
{
	static const unsigned block[] = { 0, 1, 1, 1, 1, 2, 2, 2, 3 };
	static const unsigned edge[][2] = { { 0, 3 }, { 0, 1 }, { 1, 3 }, { 1, 2 }, { 2, 3 } };

	for (unsigned b = 0; b < 4; b++)
		units_add_block(u, false);
	for (unsigned i = 0; i < G_N_ELEMENTS(block); i++)
		units_add_statement(u, units_line(u, "figure.c", i + 1), block[i]);
	for (unsigned i = 0; i < G_N_ELEMENTS(edge); i++)
		units_edge(u, edge[i][0], edge[i][1]);
	units_add_predicate(u, 0, 2);
	units_add_predicate(u, 4, 2);
	for (unsigned p = 0; p < 2; p++) {
		units_sequence(u, p, "T");
		units_sequence(u, p, "F");
	}
}

static void fill(struct spectrum *s)
{
	static const struct {
		const char *name;
		enum spectrum_verdict verdict;
		unsigned edge[5], block[4], crash, outcome[4];
	} test[] = {
		{ "t1", SPECTRUM_PASSED, { 19, 3, 2, 1, 1 }, { 22, 3, 1, 22 }, 0, { 3, 19, 1, 2 } },
		{ "t2", SPECTRUM_PASSED, { 12, 5, 3, 2, 2 }, { 17, 5, 2, 17 }, 0, { 5, 12, 2, 3 } },
		{ "t3", SPECTRUM_PASSED, { 20, 2, 1, 1, 1 }, { 22, 2, 1, 22 }, 0, { 2, 20, 1, 1 } },
		{ "t'1",
		  SPECTRUM_FAILED,
		  { 18, 7, 2, 5, 5 },
		  { 25, 7, 5, 25 },
		  0,
		  { 7, 18, 5, 2 } },
		{ "t'2",
		  SPECTRUM_FAILED,
		  { 18, 11, 1, 8, 8 },
		  { 29, 11, 8, 27 },
		  2,
		  { 11, 18, 8, 1 } },
		{ "t'3",
		  SPECTRUM_FAILED,
		  { 15, 10, 4, 2, 2 },
		  { 25, 10, 2, 21 },
		  4,
		  { 10, 15, 2, 4 } },
	};

	for (unsigned t = 0; t < G_N_ELEMENTS(test); t++) {
		spectrum_begin(s, test[t].name, test[t].verdict);
		for (unsigned i = 0; i < 5; i++)
			spectrum_add(s, SPECTRUM_EDGE, i, test[t].edge[i]);
		for (unsigned i = 0; i < 4; i++) {
			spectrum_add(s, SPECTRUM_BLOCK, i, test[t].block[i]);
			spectrum_add(s, SPECTRUM_OUTCOME, i, test[t].outcome[i]);
			spectrum_add(s, SPECTRUM_SEQUENCE, i, test[t].outcome[i]);
		}
		for (unsigned i = 0; i < 9; i++)
			spectrum_add(s, SPECTRUM_STATEMENT, i, 1);
		spectrum_add(s, SPECTRUM_CRASH, 1, test[t].crash);
		spectrum_end(s);
	}
}

void figure_1_init(struct figure_1 *f)
{
	f->units = units_new();
	f->spectrum = spectrum_new();
	declare(f->units);
	fill(f->spectrum);
}

void figure_1_deinit(struct figure_1 *f)
{
	units_free(f->units);
	spectrum_free(f->spectrum);
}
