/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/ranking.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* Lines 1 … 4 of b.c and line 9 of a.c; the failing test executes 2, 3 and 9. */
struct program {
	struct units *units;
	struct spectrum *spectrum;
};

static void run(struct program *p, const char *name, enum spectrum_verdict verdict,
		const char *statements)
{
	spectrum_begin(p->spectrum, name, verdict);
	for (; *statements; statements++)
		spectrum_add(p->spectrum, SPECTRUM_STATEMENT, (unsigned)(*statements - '0'), 1);
	spectrum_end(p->spectrum);
}

static struct program make_program(void)
{
	struct program p = { units_new(), spectrum_new() };

	for (unsigned i = 1; i <= 4; i++)
		units_add_statement(p.units, units_line(p.units, "/b.c", i), UNIT_NONE);
	units_add_statement(p.units, units_line(p.units, "/a.c", 9), UNIT_NONE);
	/* a second statement of a line, and a line without any */
	units_add_statement(p.units, units_line(p.units, "/b.c", 2), UNIT_NONE);
	units_line(p.units, "/b.c", 77);
	run(&p, "1", SPECTRUM_PASSED, "015");
	run(&p, "2", SPECTRUM_PASSED, "0");
	run(&p, "3", SPECTRUM_FAILED, "125");
	run(&p, "4", SPECTRUM_FAILED, "024");
	run(&p, "5", SPECTRUM_IGNORED, "3");
	return p;
}

static struct ranking *rank(const char *names, enum rank_scheme scheme)
{
	struct program p = make_program();
	g_autoptr(GArray) techniques = ranking_techniques(names, NULL, NULL);
	struct ranking *r =
		ranking_new(p.units, p.spectrum, (struct technique *)(gpointer)techniques->data,
			    techniques->len, scheme, NULL);

	units_free(p.units);
	spectrum_free(p.spectrum);
	return r;
}

static void check(const struct ranking *r, unsigned i, const char *file, unsigned number,
		  unsigned failed, unsigned passed, unsigned first, unsigned last)
{
	const struct ranking_line *l = &g_array_index(r->lines, struct ranking_line, i);

	assert_string_equal(l->file, file);
	assert_int_equal(l->number, number);
	assert_int_equal(l->failed, failed);
	assert_int_equal(l->passed, passed);
	assert_int_equal(l->scores[0].standing.first, first);
	assert_int_equal(l->scores[0].standing.last, last);
	assert_null(l->text);
}

static void lines_by_suspicion(void **state)
{
	struct ranking *r = rank("ochiai", RANK_AVERAGE);

	(void)state;
	assert_int_equal(r->failed, 2);
	assert_int_equal(r->passed, 2);
	assert_int_equal(r->lines->len, 5);
	check(r, 0, "/b.c", 3, 2, 0, 1, 1);
	check(r, 1, "/a.c", 9, 1, 0, 2, 2);
	check(r, 2, "/b.c", 2, 1, 1, 3, 3);
	check(r, 3, "/b.c", 1, 1, 2, 4, 4);
	check(r, 4, "/b.c", 4, 0, 0, 5, 5);
	assert_int_equal(r->files->len, 2);
	assert_string_equal(g_array_index(r->files, struct ranking_file, 0).name, "/a.c");
	ranking_free(r);
}

/* All lines that no failing test executed are alike to Binary. */
static void ties_are_in_the_source_s_order(void **state)
{
	struct ranking *r = rank("binary", RANK_WORST);

	(void)state;
	check(r, 0, "/b.c", 3, 2, 0, 1, 1);
	check(r, 1, "/a.c", 9, 1, 0, 2, 5);
	check(r, 2, "/b.c", 1, 1, 2, 2, 5);
	check(r, 3, "/b.c", 2, 1, 1, 2, 5);
	check(r, 4, "/b.c", 4, 0, 0, 2, 5);
	ranking_free(r);
}

static void several_techniques(void **state)
{
	struct ranking *r = rank(" binary ,F34,blockrank", RANK_AVERAGE),
		       *all = rank("all", RANK_BEST);
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	struct technique t;
	unsigned n = 0;

	(void)state;
	assert_int_equal(r->techniques->len, 3);
	assert_string_equal(r->techniques->pdata[2], "blockrank");
	check(r, 0, "/b.c", 3, 2, 0, 1, 1);
	while (technique_at(n, &t))
		n++;
	assert_int_equal(all->techniques->len, n);
	assert_true(n >= 50);
	assert_string_equal(all->techniques->pdata[0], "Ochiai");
	for (unsigned i = 0; i < n; i++)
		assert_true(g_hash_table_add(names, all->techniques->pdata[i]));
	ranking_free(r);
	ranking_free(all);
}

/* A line that no unit stands for, by one technique; by the other it stands with the last ones. */
static void lines_without_code(void **state)
{
	struct ranking *r = rank("ochiai,binary", RANK_AVERAGE);
	g_autoptr(GArray) extras = g_array_new(FALSE, FALSE, sizeof(struct ranking_extra));
	const struct ranking_extra best = { "/a.c", 2, 0, 7 };
	const struct ranking_extra known = { "/b.c", 4, 0, 3 };

	(void)state;
	g_array_append_val(extras, best);
	g_array_append_val(extras, known);
	ranking_add_lines(r, extras, NULL);
	assert_int_equal(r->lines->len, 6);
	check(r, 0, "/a.c", 2, 0, 0, 1, 1);
	check(r, 1, "/b.c", 4, 0, 0, 2, 2);
	check(r, 2, "/b.c", 3, 2, 0, 3, 3);
	for (guint i = 0; i < 6; i++) {
		const struct ranking_line *l = &g_array_index(r->lines, struct ranking_line, i);

		assert_int_equal(l->scores[1].standing.first, i == 2 ? 1 : 2);
		assert_int_equal(l->scores[1].standing.last, i == 2 ? 1 : 6);
	}
	ranking_free(r);
}

static void unknown_techniques(void **state)
{
	static const char *const lists[] = { "nonsense", "ochiai,nonsense", "nonsense,ochiai" };

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(lists); i++) {
		g_autofree char *wrong = NULL;

		assert_null(ranking_techniques(lists[i], NULL, &wrong));
		assert_string_equal(wrong, "nonsense");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_by_suspicion),
		cmocka_unit_test(ties_are_in_the_source_s_order),
		cmocka_unit_test(several_techniques),
		cmocka_unit_test(lines_without_code),
		cmocka_unit_test(unknown_techniques),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
