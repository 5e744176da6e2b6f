/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/evaluate/letters.h"

#include <glib.h>
#include <string.h>

/* Sets of groups are the bits of a number: bit i is the group with the i-th smallest mean rank. */
struct cliques {
	guint64 similar[LETTERS_GROUPS_MOST]; /* without itself */
	GArray *found;			      /* guint64 */
};

static unsigned lowest_letter(guint64 set)
{
	return (unsigned)__builtin_ctzll(set);
}

/* Bron and Kerbosch: all maximal cliques that hold chosen, and of the rest only candidates. */
static void find_cliques(struct cliques *c, guint64 chosen, guint64 candidates, guint64 excluded)
{
	guint64 others;

	if (!candidates && !excluded) {
		g_array_append_val(c->found, chosen);
		return;
	}
	/* Neighbours of a pivot need not be tried: the pivot, or one that is no neighbour of it,
	 * is in each clique, too. */
	others = candidates & ~c->similar[lowest_letter(candidates | excluded)];
	for (; others; others &= others - 1) {
		guint64 bit = others & -others;
		guint64 near = c->similar[lowest_letter(others)];

		find_cliques(c, chosen | bit, candidates & near, excluded & near);
		candidates &= ~bit;
		excluded |= bit;
	}
}

static gint by_mean_rank(gconstpointer a, gconstpointer b, gpointer arg)
{
	const struct kruskal *k = arg;
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	if (k->mean_ranks[x] != k->mean_ranks[y])
		return k->mean_ranks[x] < k->mean_ranks[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Compares two columns as lists of places: the one with the earlier place at the first
 * difference is first. */
static gint by_places(gconstpointer a, gconstpointer b)
{
	guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
	guint64 differ = x ^ y;

	if (!differ)
		return 0;
	return x & (differ & -differ) ? -1 : 1;
}

static void find_similar(struct cliques *c, const struct kruskal *k, const unsigned *order,
			 double critical)
{
	for (unsigned i = 0; i < k->n_groups; i++) {
		for (unsigned j = i + 1; j < k->n_groups; j++) {
			if (kruskal_compare(k, order[i], order[j], critical).significant)
				continue;
			c->similar[i] |= (guint64)1 << j;
			c->similar[j] |= (guint64)1 << i;
		}
	}
}

static void label_techniques(struct letters *l, const GArray *found, const unsigned *order)
{
	l->n_letters = found->len;
	for (unsigned place = 0; place < l->n_groups; place++) {
		unsigned group = order[place];

		l->labels[group] = g_new(unsigned, found->len);
		for (unsigned i = 0; i < found->len; i++)
			if (g_array_index(found, guint64, i) >> place & 1)
				l->labels[group][l->n_labels[group]++] = i;
	}
}

struct letters *letters_new(const struct kruskal *k, double alpha)
{
	struct letters *l = g_new0(struct letters, 1);
	struct cliques c = { .found = g_array_new(FALSE, FALSE, sizeof(guint64)) };
	g_autofree unsigned *order = g_new(unsigned, k->n_groups);
	guint64 all = k->n_groups == 64 ? ~(guint64)0 : ((guint64)1 << k->n_groups) - 1;

	g_assert(k->n_groups <= LETTERS_GROUPS_MOST);
	l->n_groups = k->n_groups;
	l->labels = g_new0(unsigned *, k->n_groups);
	l->n_labels = g_new0(unsigned, k->n_groups);
	for (unsigned i = 0; i < k->n_groups; i++)
		order[i] = i;
	g_qsort_with_data(order, (gint)k->n_groups, sizeof(*order), by_mean_rank, (gpointer)k);
	find_similar(&c, k, order, kruskal_critical(k->n_groups, alpha));
	find_cliques(&c, 0, all, 0);
	g_array_sort(c.found, by_places);
	label_techniques(l, c.found, order);
	g_array_unref(c.found);
	return l;
}

void letters_free(struct letters *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < l->n_groups; i++)
		g_free(l->labels[i]);
	g_free(l->labels);
	g_free(l->n_labels);
	g_free(l);
}

enum letters_relation letters_compare(const struct letters *l, unsigned first, unsigned second)
{
	const unsigned *a = l->labels[first], *b = l->labels[second];
	unsigned n = l->n_labels[first], m = l->n_labels[second];

	if (n == m && memcmp(a, b, n * sizeof(*a)) == 0)
		return LETTERS_SAME;
	if (a[n - 1] < b[0])
		return LETTERS_MORE;
	if (a[0] > b[m - 1])
		return LETTERS_LESS;
	return LETTERS_NEAR;
}

char *letters_text(const struct letters *l, unsigned group)
{
	GString *text = g_string_new(NULL);

	for (unsigned i = 0; i < l->n_labels[group]; i++) {
		unsigned letter = l->labels[group][i];

		if (letter < 52)
			g_string_append_c(text,
					  (char)(letter < 26 ? 'A' + letter : 'a' + letter - 26));
		else
			g_string_append_printf(text, "(%u)", letter + 1);
	}
	return g_string_free(text, FALSE);
}
