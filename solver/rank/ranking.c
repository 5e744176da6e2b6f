/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/ranking.h"

#include "solver/image/image.h"

#include <string.h>

static void ranking_file_clear(gpointer p)
{
	g_ptr_array_unref(((struct ranking_file *)p)->text);
}

static struct ranking *new_empty(enum rank_scheme scheme)
{
	struct ranking *r = g_new0(struct ranking, 1);

	r->scheme = scheme;
	r->tests = g_array_new(FALSE, TRUE, sizeof(struct ranking_test));
	r->techniques = g_ptr_array_new();
	r->lines = g_array_new(FALSE, TRUE, sizeof(struct ranking_line));
	r->files = g_array_new(FALSE, TRUE, sizeof(struct ranking_file));
	g_array_set_clear_func(r->files, ranking_file_clear);
	r->strings = g_string_chunk_new(4096);
	r->scores = g_ptr_array_new_with_free_func(g_free);
	return r;
}

void ranking_free(struct ranking *r)
{
	if (!r)
		return;
	g_array_unref(r->tests);
	g_ptr_array_unref(r->techniques);
	g_array_unref(r->lines);
	g_array_unref(r->files);
	g_string_chunk_free(r->strings);
	g_ptr_array_unref(r->scores);
	g_free(r);
}

/* The lines that have statements and are tested, as numbers of u->lines. */
static GArray *lines_to_rank(const struct units *u, const struct image *im)
{
	g_autofree bool *has = g_new0(bool, u->lines->len + 1);
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(unsigned));
	const char *file = NULL;
	bool is_given = false;

	for (unsigned i = 0; i < u->statements->len; i++)
		has[g_array_index(u->statements, struct unit_statement, i).line] = true;
	for (unsigned i = 0; i < u->lines->len; i++) {
		const struct unit_line *l = &g_array_index(u->lines, struct unit_line, i);

		if (!file || strcmp(file, l->file) != 0)
			is_given = im && image_file_is_given(im, l->file);
		file = l->file;
		if (has[i] && !is_given)
			g_array_append_val(lines, i);
	}
	return lines;
}

/* scores[i] is what technique t gives the line shown[i], and where that stands. */
static void score_lines_by_technique(const struct technique *t, const struct units *u,
				     const struct spectrum *s, const GArray *shown,
				     unsigned n_techniques, struct ranking_score *scores)
{
	g_autofree double *all = g_new(double, u->lines->len + 1);
	g_autofree double *some = g_new(double, shown->len + 1);
	g_autofree struct standing *standings = g_new(struct standing, shown->len + 1);

	technique_lines(t, u, s, all);
	for (unsigned i = 0; i < shown->len; i++)
		some[i] = all[g_array_index(shown, unsigned, i)];
	order_standings(some, shown->len, standings);
	for (unsigned i = 0; i < shown->len; i++)
		scores[(gsize)i * n_techniques] = (struct ranking_score){ some[i], standings[i] };
}

static struct spectrum_counts *count_spectrum_lines(const struct units *u, const struct spectrum *s)
{
	struct spectrum_counts *counts = g_new0(struct spectrum_counts, u->lines->len + 1);
	g_autofree unsigned *line = g_new(unsigned, u->statements->len + 1);

	for (unsigned i = 0; i < u->statements->len; i++)
		line[i] = g_array_index(u->statements, struct unit_statement, i).line;
	spectrum_count(s, SPECTRUM_STATEMENT, line, u->statements->len, counts, u->lines->len);
	return counts;
}

static gint compare_ranked_places(gconstpointer a, gconstpointer b)
{
	const struct ranking_line *x = a, *y = b;
	unsigned first_x = x->scores[0].standing.first, first_y = y->scores[0].standing.first;
	int files = strcmp(x->file, y->file);

	if (first_x != first_y)
		return first_x < first_y ? -1 : 1;
	if (files)
		return files;
	return (x->number > y->number) - (x->number < y->number);
}

static gint compare_files(gconstpointer a, gconstpointer b)
{
	return strcmp(((const struct ranking_file *)a)->name,
		      ((const struct ranking_file *)b)->name);
}

static void read_ranking_file(struct ranking *r, const char *name, const struct image *im)
{
	struct ranking_file f = { name, g_ptr_array_new() };
	const char *text;

	while (im && (text = image_source_line(im, name, f.text->len + 1)))
		g_ptr_array_add(f.text, g_string_chunk_insert(r->strings, text));
	g_array_append_val(r->files, f);
}

/* Returns the copy of name in the chunk of strings, which has each name once. */
static const struct ranking_file *find_ranking_file(const struct ranking *r, const char *name)
{
	for (unsigned i = 0; i < r->files->len; i++) {
		const struct ranking_file *f = &g_array_index(r->files, struct ranking_file, i);

		if (f->name == name)
			return f;
	}
	return NULL;
}

static void add_ranked_line(struct ranking *r, const struct unit_line *l,
			    struct spectrum_counts counts, const struct ranking_score *scores,
			    const struct image *im)
{
	const char *name = g_string_chunk_insert_const(r->strings, l->file);
	const struct ranking_file *f = find_ranking_file(r, name);
	struct ranking_line line = { .file = name,
				     .number = l->number,
				     .failed = counts.ef,
				     .passed = counts.ep,
				     .scores = scores };

	if (!f) {
		read_ranking_file(r, name, im);
		f = find_ranking_file(r, name);
	}
	if (l->number && l->number <= f->text->len)
		line.text = f->text->pdata[l->number - 1];
	g_array_append_val(r->lines, line);
}

struct ranking *ranking_new(const struct units *u, const struct spectrum *s,
			    const struct technique *techniques, unsigned n_techniques,
			    enum rank_scheme scheme, const struct image *im)
{
	struct ranking *r = new_empty(scheme);
	g_autoptr(GArray) shown = lines_to_rank(u, im);
	g_autofree struct spectrum_counts *counts = count_spectrum_lines(u, s);
	struct ranking_score *scores =
		g_new(struct ranking_score, (gsize)shown->len * n_techniques + 1);

	g_assert(n_techniques);
	g_ptr_array_add(r->scores, scores);
	r->passed = spectrum_n_verdict(s, SPECTRUM_PASSED);
	r->failed = spectrum_n_verdict(s, SPECTRUM_FAILED);
	for (unsigned t = 0; t < n_techniques; t++) {
		g_ptr_array_add(r->techniques, (gpointer)technique_name(&techniques[t]));
		score_lines_by_technique(&techniques[t], u, s, shown, n_techniques, scores + t);
	}
	for (unsigned i = 0; i < shown->len; i++) {
		unsigned line = g_array_index(shown, unsigned, i);

		add_ranked_line(r, &g_array_index(u->lines, struct unit_line, line), counts[line],
				scores + (gsize)i * n_techniques, im);
	}
	g_array_sort(r->lines, compare_ranked_places);
	g_array_sort(r->files, compare_files);
	return r;
}

static double least_score(const struct ranking *r, unsigned technique)
{
	double least = 0;

	for (guint i = 0; i < r->lines->len; i++) {
		double s = g_array_index(r->lines, struct ranking_line, i).scores[technique].score;

		least = i ? MIN(least, s) : s;
	}
	return least;
}

static struct ranking_line *ranking_line_of(const struct ranking *r, const struct ranking_extra *x)
{
	for (guint i = 0; i < r->lines->len; i++) {
		struct ranking_line *l = &g_array_index(r->lines, struct ranking_line, i);

		if (l->number == x->number && strcmp(l->file, x->file) == 0)
			return l;
	}
	return NULL;
}

/* The places of all lines by one technique. */
static void settle_places(struct ranking *r, unsigned technique)
{
	guint n = r->lines->len;
	g_autofree double *scores = g_new(double, n + 1);
	g_autofree struct standing *standings = g_new(struct standing, n + 1);

	for (guint i = 0; i < n; i++)
		scores[i] = g_array_index(r->lines, struct ranking_line, i).scores[technique].score;
	order_standings(scores, n, standings);
	for (guint i = 0; i < n; i++)
		((struct ranking_score *)g_array_index(r->lines, struct ranking_line, i)
			 .scores)[technique]
			.standing = standings[i];
}

void ranking_add_lines(struct ranking *r, const GArray *extras, const struct image *im)
{
	guint n = r->techniques->len;

	for (guint i = 0; i < extras->len; i++) {
		const struct ranking_extra *x = &g_array_index(extras, struct ranking_extra, i);
		const struct unit_line at = { (char *)x->file, x->number };
		struct ranking_line *l = ranking_line_of(r, x);

		if (!l) {
			struct ranking_score *scores = g_new0(struct ranking_score, n);

			for (guint t = 0; t < n; t++)
				scores[t].score = least_score(r, t);
			g_ptr_array_add(r->scores, scores);
			add_ranked_line(r, &at, (struct spectrum_counts){ 0 }, scores, im);
			l = &g_array_index(r->lines, struct ranking_line, r->lines->len - 1);
		}
		((struct ranking_score *)l->scores)[x->technique].score = x->score;
	}
	for (guint t = 0; extras->len && t < n; t++)
		settle_places(r, t);
	g_array_sort(r->lines, compare_ranked_places);
	g_array_sort(r->files, compare_files);
}

static GArray *all_techniques(const struct limits *limits)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct technique));
	struct technique first, t;

	technique_find(RANKING_TECHNIQUE, &first);
	first.limits = limits;
	g_array_append_val(all, first);
	for (unsigned i = 0; technique_at(i, &t); i++) {
		t.limits = limits;
		if (strcmp(technique_name(&t), technique_name(&first)) != 0)
			g_array_append_val(all, t);
	}
	return all;
}

GArray *ranking_techniques(const char *names, const struct limits *limits, char **wrong)
{
	g_auto(GStrv) words = g_strsplit(names, ",", -1);
	GArray *found;

	if (strcmp(names, "all") == 0)
		return all_techniques(limits);
	found = g_array_new(FALSE, FALSE, sizeof(struct technique));
	for (char **w = words; *w; w++) {
		struct technique t;

		if (!technique_find(g_strstrip(*w), &t)) {
			*wrong = g_strdup(*w);
			g_array_unref(found);
			return NULL;
		}
		t.limits = limits;
		g_array_append_val(found, t);
	}
	return found;
}
