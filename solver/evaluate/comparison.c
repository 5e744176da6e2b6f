/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/evaluate/comparison.h"

#include <string.h>

struct gathered {
	GArray *versions; /* struct accuracy_version */
	GArray *times;	  /* double */
	unsigned named, proven;
};

static void free_gathered(gpointer p)
{
	struct gathered *g = p;

	g_array_unref(g->versions);
	g_array_unref(g->times);
	g_free(g);
}

static struct gathered *of_technique(GHashTable *all, const char *technique)
{
	struct gathered *g = g_hash_table_lookup(all, technique);

	if (g)
		return g;
	g = g_new0(struct gathered, 1);
	g->versions = g_array_new(FALSE, FALSE, sizeof(struct accuracy_version));
	g->times = g_array_new(FALSE, FALSE, sizeof(double));
	g_hash_table_insert(all, (gpointer)technique, g);
	return g;
}

static bool is_of_subject(const struct comparison_choice *c, const char *subject)
{
	return !c->subject || strcmp(c->subject, subject) == 0;
}

static gint by_group_number(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_time(GArray *times)
{
	unsigned n = times->len;

	g_array_sort(times, by_group_number);
	return n ? (g_array_index(times, double, (n - 1) / 2) +
		    g_array_index(times, double, n / 2)) /
			       2
		 : -1;
}

static gint by_effort(gconstpointer a, gconstpointer b)
{
	const struct comparison *x = a, *y = b;

	if (x->summary.mean_effort != y->summary.mean_effort)
		return x->summary.mean_effort < y->summary.mean_effort ? -1 : 1;
	return strcmp(x->technique, y->technique);
}

static void gather_measurements(GHashTable *all, const struct measurements *m,
				const struct comparison_choice *c)
{
	for (unsigned i = 0; i < m->rows->len; i++) {
		const struct measurement *row = &g_array_index(m->rows, struct measurement, i);
		struct accuracy_version v = { row->rank, row->lines };
		struct gathered *g;

		if (row->scheme != c->scheme || row->suite != c->suite ||
		    !is_of_subject(c, row->subject))
			continue;
		g = of_technique(all, row->technique);
		g_array_append_val(g->versions, v);
		g->named += row->found;
		g->proven += row->proven;
	}
	for (unsigned i = 0; i < m->times->len; i++) {
		const struct measurement_time *t =
			&g_array_index(m->times, struct measurement_time, i);
		struct gathered *g = g_hash_table_lookup(all, t->technique);

		if (g && t->suite == c->suite && is_of_subject(c, t->subject))
			g_array_append_val(g->times, t->ms);
	}
}

GArray *comparison_new(const struct measurements *m, const struct comparison_choice *choice)
{
	g_autoptr(GHashTable) all =
		g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_gathered);
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct comparison));
	GHashTableIter each;
	gpointer name, value;

	gather_measurements(all, m, choice);
	g_hash_table_iter_init(&each, all);
	while (g_hash_table_iter_next(&each, &name, &value)) {
		struct gathered *g = value;
		struct comparison c = { .technique = name, .named = g->named, .proven = g->proven };

		c.summary = accuracy_summarize(
			(const struct accuracy_version *)(gpointer)g->versions->data,
			g->versions->len);
		c.ms = median_time(g->times);
		g_array_append_val(rows, c);
	}
	g_array_sort(rows, by_effort);
	return rows;
}

GPtrArray *comparison_subjects(const struct measurements *m)
{
	GPtrArray *subjects = g_ptr_array_new();

	for (unsigned i = 0; i < m->rows->len; i++) {
		const char *subject = g_array_index(m->rows, struct measurement, i).subject;

		/* equal texts are the same one */
		if (!g_ptr_array_find(subjects, subject, NULL))
			g_ptr_array_add(subjects, (gpointer)subject);
	}
	return subjects;
}
