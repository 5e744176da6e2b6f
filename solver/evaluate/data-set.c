/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/evaluate/data-set.h"

#include <string.h>

const struct data_set_graph data_set_graphs[] = {
	{ "Gbase", DATA_SET_D2, false, "versions for which theory's assumptions hold" },
	{ "Gexp", DATA_SET_D2, true, "versions for which theory's assumptions hold; 42 formulas" },
	{ "Gcrash", DATA_SET_D3, false, "versions whose tests crash" },
	{ "Gexp_crash", DATA_SET_D3, true, "versions whose tests crash; 42 formulas" },
	{ "Gnon-single", DATA_SET_D4, false, "versions with several faulty lines" },
	{ "Gexp_non-single", DATA_SET_D4, true, "versions with several faulty lines; 42 formulas" },
	{ "Gtypical", DATA_SET_D1, true, "all versions" },
};
const unsigned n_data_set_graphs = G_N_ELEMENTS(data_set_graphs);

bool data_set_has(enum data_set d, const struct measurement *row)
{
	switch (d) {
	case DATA_SET_D2:
		return row->faults == 1 && !row->omission && !row->crashed;
	case DATA_SET_D3:
		return row->faults == 1 && !row->omission && row->crashed;
	case DATA_SET_D4:
		return row->faults > 1 && !row->omission && !row->crashed;
	default:
		return true;
	}
}

enum data_set data_set_of(const struct measurement *row)
{
	for (enum data_set d = DATA_SET_D2; d < DATA_SETS; d++)
		if (data_set_has(d, row))
			return d;
	return DATA_SET_D1;
}

const struct data_set_graph *data_set_find_graph(const char *name)
{
	for (unsigned i = 0; i < n_data_set_graphs; i++)
		if (g_ascii_strcasecmp(data_set_graphs[i].name, name) == 0)
			return &data_set_graphs[i];
	return NULL;
}

/* One subject under one scheme while it is filled. */
struct filling {
	struct graph_setting setting;
	GPtrArray *values;  /* double *, one array a formula */
	GHashTable *places; /* version, suite and seed → number + 1 */
	GArray *complete;   /* unsigned: of how many formulas, by number */
	unsigned room;	    /* of each array */
};

static void free_filling(gpointer p)
{
	struct filling *f = p;

	g_ptr_array_unref(f->values);
	g_hash_table_destroy(f->places);
	g_array_unref(f->complete);
	g_free(f);
}

static struct filling *filling_of(GPtrArray *all, const struct measurement *row,
				  unsigned formulas_n)
{
	struct filling *f;

	for (unsigned i = 0; i < all->len; i++) {
		f = all->pdata[i];
		if (f->setting.subject == row->subject && f->setting.scheme == row->scheme)
			return f;
	}
	f = g_new0(struct filling, 1);
	f->setting.subject = row->subject;
	f->setting.scheme = row->scheme;
	f->values = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_set_size(f->values, (gint)formulas_n);
	f->places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	f->complete = g_array_new(FALSE, TRUE, sizeof(unsigned));
	g_ptr_array_add(all, f);
	return f;
}

static unsigned place_in_data_set(struct filling *f, const struct measurement *row)
{
	char *key = g_strdup_printf("%u %u %s", row->suite, row->seed, row->version);
	unsigned known = GPOINTER_TO_UINT(g_hash_table_lookup(f->places, key));

	if (known) {
		g_free(key);
		return known - 1;
	}
	g_array_set_size(f->complete, f->complete->len + 1);
	g_hash_table_insert(f->places, key, GUINT_TO_POINTER(f->complete->len));
	return f->complete->len - 1;
}

static void put_measured_value(struct filling *f, unsigned formula, const struct measurement *row)
{
	unsigned place = place_in_data_set(f, row);

	if (place >= f->room) {
		f->room = MAX(2 * f->room, 64);
		for (unsigned i = 0; i < f->values->len; i++)
			f->values->pdata[i] = g_renew(double, f->values->pdata[i], f->room);
	}
	((double *)f->values->pdata[formula])[place] = row->exam;
	g_array_index(f->complete, unsigned, place)++;
}

/* Drops the places that lack a formula. */
static void pack_values(struct filling *f)
{
	unsigned kept = 0;

	for (unsigned place = 0; place < f->complete->len; place++) {
		if (g_array_index(f->complete, unsigned, place) != f->values->len)
			continue;
		for (unsigned i = 0; i < f->values->len; i++) {
			double *values = f->values->pdata[i];

			values[kept] = values[place];
		}
		kept++;
	}
	f->setting.n = kept;
	f->setting.values = (const double *const *)f->values->pdata;
}

static GPtrArray *formulas_of(const struct data_set_graph *which)
{
	GPtrArray *of = g_ptr_array_new();

	for (unsigned i = 0; i < n_formulas; i++)
		if (formulas[i].id[0] == 'F' && (which->all_formulas || formulas[i].xckx))
			g_ptr_array_add(of, (gpointer)&formulas[i]);
	return of;
}

/* Technique's name → number + 1. */
static GHashTable *number_formulas(const GPtrArray *of)
{
	GHashTable *numbers = g_hash_table_new(g_str_hash, g_str_equal);

	for (unsigned i = 0; i < of->len; i++)
		g_hash_table_insert(numbers, (gpointer)((const struct formula *)of->pdata[i])->name,
				    GUINT_TO_POINTER(i + 1));
	return numbers;
}

const struct formula *data_set_lacks(const struct data_set_graph *which,
				     const struct measurements *m)
{
	g_autoptr(GPtrArray) of = formulas_of(which);
	g_autoptr(GHashTable) measured = g_hash_table_new(g_str_hash, g_str_equal);

	for (unsigned i = 0; i < m->rows->len; i++)
		g_hash_table_add(measured,
				 (gpointer)g_array_index(m->rows, struct measurement, i).technique);
	for (unsigned i = 0; i < of->len; i++)
		if (!g_hash_table_contains(measured, ((const struct formula *)of->pdata[i])->name))
			return of->pdata[i];
	return NULL;
}

struct accuracy_graph *data_set_graph(const struct data_set_graph *which,
				      const struct measurements *m)
{
	g_autoptr(GPtrArray) of = formulas_of(which);
	g_autoptr(GHashTable) numbers = number_formulas(of);
	g_autoptr(GPtrArray) fillings = g_ptr_array_new_with_free_func(free_filling);
	g_autoptr(GArray) settings = g_array_new(FALSE, FALSE, sizeof(struct graph_setting));
	struct accuracy_graph *g;

	for (unsigned i = 0; i < m->rows->len; i++) {
		const struct measurement *row = &g_array_index(m->rows, struct measurement, i);
		unsigned number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, row->technique));

		if (number && row->rank > 0 && data_set_has(which->of, row))
			put_measured_value(filling_of(fillings, row, of->len), number - 1, row);
	}
	for (unsigned i = 0; i < fillings->len; i++) {
		struct filling *f = fillings->pdata[i];

		pack_values(f);
		if (f->setting.n)
			g_array_append_val(settings, f->setting);
	}
	if (!settings->len)
		return NULL;
	g = accuracy_graph_new(which->name, (const struct formula *const *)of->pdata, of->len,
			       (const struct graph_setting *)(gpointer)settings->data,
			       settings->len);
	g->what = which->what;
	return g;
}
