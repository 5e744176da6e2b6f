/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of an explanation's suspects, its lines, and the sources that it shows. */
#include "solver/answer/chain.h"
#include "solver/answer/describe.h"

#include <string.h>

/* Does it change what the compiler's or the system's headers compute? */
static bool is_in_headers(const struct explanation_suspect *s)
{
	for (guint i = 0; i < s->statements->len; i++) {
		if (image_is_of_system(
			    g_array_index(s->statements, struct explanation_statement, i).file))
			return true;
	}
	return false;
}

/* Proven suspects come first, then likely ones; among equals, those that change the program's
 * own sources, and little. */
static gint proven_first(gconstpointer a, gconstpointer b)
{
	const struct explanation_suspect *x = *(struct explanation_suspect *const *)a;
	const struct explanation_suspect *y = *(struct explanation_suspect *const *)b;
	int px = x->replay == REPLAY_PASSES, py = y->replay == REPLAY_PASSES;

	if (px != py)
		return py - px;
	if (x->further_to != y->further_to)
		return x->further_to > y->further_to ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight < y->weight ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	if (is_in_headers(x) != is_in_headers(y))
		return is_in_headers(x) - is_in_headers(y);
	if (x->statements->len != y->statements->len)
		return x->statements->len < y->statements->len ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void add_line(struct explanation *e, const struct explanation_statement *s, double score)
{
	struct explanation_line line = { s->file, s->line, score, 1, NULL };

	for (guint i = 0; i < e->lines->len; i++) {
		const struct explanation_line *l =
			&g_array_index(e->lines, struct explanation_line, i);

		if (l->line == s->line && strcmp(l->file, s->file) == 0)
			return;
	}
	g_array_append_val(e->lines, line);
}

static bool read_source_lines(const struct image *im, const char *file, GPtrArray *lines)
{
	const char *line;

	while ((line = image_source_line(im, file, lines->len + 1)))
		g_ptr_array_add(lines, g_strdup(line));
	return lines->len > 0;
}

static void add_explained_source(struct explanation *e, struct image *const *images,
				 size_t n_images, const char *file)
{
	struct explanation_source *source;
	bool found = false;

	if (!file || explanation_source(e, file))
		return;
	source = explanation_source_add(e, file);
	for (size_t i = 0; !found && i < n_images; i++)
		found = read_source_lines(images[i], file, source->lines);
}

void describe_sources(struct explanation *e, struct image *const *images, size_t n_images)
{
	add_explained_source(e, images, n_images, e->failure.file);
	for (guint i = 0; i < e->lines->len; i++)
		add_explained_source(e, images, n_images,
				     g_array_index(e->lines, struct explanation_line, i).file);
	for (guint i = 0; i < e->chain->len; i++)
		add_explained_source(e, images, n_images,
				     g_array_index(e->chain, struct explanation_link, i).file);
}

static bool has_statement(const struct explanation_suspect *s,
			  const struct explanation_statement *of)
{
	bool has = false;

	for (guint i = 0; i < s->statements->len && !has; i++) {
		const struct explanation_statement *st =
			&g_array_index(s->statements, struct explanation_statement, i);

		has = st->line == of->line && g_strcmp0(st->file, of->file) == 0 &&
		      g_strcmp0(st->kind, of->kind) == 0;
	}
	return has;
}

/* Does a suspect that mends more change a part of what this one does, or the same? */
static bool is_surpassed(const struct explanation *e, const struct explanation_suspect *s)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *by = e->suspects->pdata[i];
		bool all = (by->replay == REPLAY_PASSES || by->further_to) && by->statements->len;

		for (guint k = 0; all && k < by->statements->len; k++)
			all = has_statement(
				s, &g_array_index(by->statements, struct explanation_statement, k));
		if (all)
			return true;
	}
	return false;
}

/* Values with which the replay fails, or which rest on what no run did, tell nothing where others
 * of the same statements pass. */
static void drop_surpassed(struct explanation *e)
{
	for (guint i = e->suspects->len; i > 0; i--) {
		const struct explanation_suspect *s = e->suspects->pdata[i - 1];

		if ((s->replay == REPLAY_FAILS || (s->needs_run && s->replay != REPLAY_PASSES)) &&
		    !s->further_to && is_surpassed(e, s))
			g_ptr_array_remove_index(e->suspects, i - 1);
	}
}

void describe_finish(struct explanation *e, struct image *const *images, size_t n_images)
{
	drop_surpassed(e);
	g_ptr_array_sort(e->suspects, proven_first);
	g_array_set_size(e->lines, 0);
	for (guint i = 0; i < e->suspects->len; i++) {
		struct explanation_suspect *s = e->suspects->pdata[i];

		s->rank = i + 1;
		for (guint k = 0; k < s->statements->len; k++)
			add_line(e, &g_array_index(s->statements, struct explanation_statement, k),
				 s->score);
	}
	chain_finish(e);
	describe_sources(e, images, n_images);
}
