/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/combine.h"
#include "solver/rank/order.h"

#include <string.h>

static char *place_key_of_line(const char *file, unsigned line)
{
	return g_strdup_printf("%s:%u", file, line);
}

static gint compare_keys(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Its lines, each once. */
static char *key_of_suspect(const struct explanation_suspect *s)
{
	g_autoptr(GPtrArray) keys = g_ptr_array_new_with_free_func(g_free);
	GString *all = g_string_new(NULL);

	for (guint i = 0; i < s->statements->len; i++) {
		const struct explanation_statement *st =
			&g_array_index(s->statements, struct explanation_statement, i);

		g_ptr_array_add(keys, place_key_of_line(st->file, st->line));
	}
	g_ptr_array_sort(keys, compare_keys);
	for (guint i = 0; i < keys->len; i++)
		if (!i || strcmp(keys->pdata[i], keys->pdata[i - 1]) != 0)
			g_string_append_printf(all, "%s\n", (char *)keys->pdata[i]);
	return g_string_free(all, FALSE);
}

static const struct explanation_suspect *find_same(const struct explanation *e, const char *key)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		g_autofree char *other = key_of_suspect(e->suspects->pdata[i]);

		if (strcmp(other, key) == 0)
			return e->suspects->pdata[i];
	}
	return NULL;
}

struct placed {
	struct explanation_suspect *suspect;
	double average; /* of its ranks */
};

static struct placed place_suspect(struct explanation_suspect *s, struct explanation *const *es,
				   unsigned n)
{
	g_autofree char *key = key_of_suspect(s);
	double sum = s->rank;

	s->tests = 1;
	for (unsigned i = 1; i < n; i++) {
		const struct explanation_suspect *same = find_same(es[i], key);

		if (!same || (same->replay != REPLAY_PASSES && s->replay == REPLAY_PASSES))
			continue;
		s->tests++;
		sum += same->rank;
	}
	return (struct placed){ s, sum / s->tests };
}

static gint compare_placed(gconstpointer a, gconstpointer b)
{
	const struct placed *x = a, *y = b;
	int px = x->suspect->replay == REPLAY_PASSES, py = y->suspect->replay == REPLAY_PASSES;

	if (px != py)
		return py - px;
	if (x->suspect->tests != y->suspect->tests)
		return x->suspect->tests > y->suspect->tests ? -1 : 1;
	if (x->suspect->weight != y->suspect->weight)
		return x->suspect->weight < y->suspect->weight ? -1 : 1;
	if (x->average != y->average)
		return x->average < y->average ? -1 : 1;
	return x->suspect->rank < y->suspect->rank ? -1 : x->suspect->rank > y->suspect->rank;
}

static void combine_suspects(struct explanation *const *es, unsigned n)
{
	GPtrArray *suspects = es[0]->suspects;
	g_autoptr(GArray) placed = g_array_new(FALSE, FALSE, sizeof(struct placed));

	for (guint i = 0; i < suspects->len; i++) {
		struct placed p = place_suspect(suspects->pdata[i], es, n);

		g_array_append_val(placed, p);
	}
	g_array_sort(placed, compare_placed);
	for (guint i = 0; i < suspects->len; i++) {
		struct explanation_suspect *s = g_array_index(placed, struct placed, i).suspect;

		suspects->pdata[i] = s;
		s->rank = i + 1;
		s->score *= (double)s->tests / n;
	}
}

/* The lines of all, numbered. */
struct numbering {
	GHashTable *numbers; /* key of a line → number + 1 */
	GArray *lines;	     /* struct explanation_line, of the answer */
};

static unsigned number_of_answer_line(struct numbering *of, struct explanation *e,
				      const struct explanation_line *l)
{
	char *key = place_key_of_line(l->file, l->line);
	unsigned known = GPOINTER_TO_UINT(g_hash_table_lookup(of->numbers, key));
	struct explanation_line line = { explanation_string(e, l->file), l->line, 0, 1, NULL };

	if (known) {
		g_free(key);
		return known - 1;
	}
	g_array_append_val(of->lines, line);
	g_hash_table_insert(of->numbers, key, GUINT_TO_POINTER(of->lines->len));
	return of->lines->len - 1;
}

static struct order_naming name_combined_lines(struct numbering *of, struct explanation *answer,
					       const struct explanation *e)
{
	unsigned n = e->lines->len;
	g_autofree double *scores = g_new(double, n + 1);
	g_autofree struct standing *standings = g_new(struct standing, n + 1);
	unsigned *units = g_new(unsigned, n + 1);
	double *ranks = g_new(double, n + 1);

	for (unsigned i = 0; i < n; i++)
		scores[i] = g_array_index(e->lines, struct explanation_line, i).score;
	order_standings(scores, n, standings);
	for (unsigned i = 0; i < n; i++) {
		units[i] = number_of_answer_line(
			of, answer, &g_array_index(e->lines, struct explanation_line, i));
		ranks[i] = order_rank(standings[i], RANK_AVERAGE);
	}
	return (struct order_naming){ units, ranks, n };
}

/* A line that more explanations name has the higher score, whatever the ranks are. */
static double score_of(const struct order_vote *v, unsigned n)
{
	return (v->n - 1 + 1 / v->average) / n;
}

static void combine_lines(struct explanation *const *es, unsigned n)
{
	struct numbering of = { g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
				g_array_new(FALSE, FALSE, sizeof(struct explanation_line)) };
	g_autofree struct order_naming *namings = g_new(struct order_naming, n);
	g_autofree struct order_vote *votes = NULL;
	unsigned n_votes;

	for (unsigned i = 0; i < n; i++)
		namings[i] = name_combined_lines(&of, es[0], es[i]);
	votes = g_new(struct order_vote, of.lines->len + 1);
	n_votes = order_combine(namings, n, of.lines->len, votes);
	g_array_set_size(es[0]->lines, 0);
	for (unsigned i = 0; i < n_votes; i++) {
		struct explanation_line line =
			g_array_index(of.lines, struct explanation_line, votes[i].unit);

		line.score = score_of(&votes[i], n);
		line.tests = votes[i].n;
		g_array_append_val(es[0]->lines, line);
	}
	for (unsigned i = 0; i < n; i++) {
		g_free((unsigned *)namings[i].units);
		g_free((double *)namings[i].ranks);
	}
	g_array_unref(of.lines);
	g_hash_table_destroy(of.numbers);
}

void combine(struct explanation *const *es, unsigned n)
{
	g_assert(n);
	if (n == 1)
		return;
	combine_lines(es, n);
	combine_suspects(es, n);
}
