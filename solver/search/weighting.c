/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/search/weighting.h"
#include "solver/rank/technique.h"
#include "solver/rank/weights.h"

struct weighting {
	GHashTable *lines; /* text of file and number → double */
	double largest, least;
};

static char *weight_key_of(const char *file, unsigned line)
{
	return g_strdup_printf("%s:%u", file, line);
}

struct weighting *weighting_new(const struct units *u, const struct spectrum *s,
				const struct technique *t)
{
	struct weighting *w = g_new0(struct weighting, 1);
	unsigned n = u->lines->len;
	g_autofree double *scores = g_new(double, n + 1), *weights = g_new(double, n + 1);

	technique_lines(t, u, s, scores);
	w->largest = weights_of(scores, n, weights);
	w->least = MIN(1, w->largest);
	w->lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	for (unsigned i = 0; i < n; i++) {
		const struct unit_line *l = &g_array_index(u->lines, struct unit_line, i);

		w->least = MIN(w->least, weights[i]);
		g_hash_table_insert(w->lines, weight_key_of(l->file, l->number),
				    g_memdup2(&weights[i], sizeof(weights[i])));
	}
	return w;
}

void weighting_free(struct weighting *w)
{
	if (!w)
		return;
	g_hash_table_destroy(w->lines);
	g_free(w);
}

double weighting_of(const struct weighting *w, const char *file, unsigned line)
{
	g_autofree char *key = weight_key_of(file, line);
	const double *known = g_hash_table_lookup(w->lines, key);

	return known ? *known : w->largest;
}

double weighting_score(const struct weighting *w, double weight)
{
	return w->least / weight;
}
