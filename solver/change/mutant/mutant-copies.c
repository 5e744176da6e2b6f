/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The compiler may have made several copies of a line's code: of a function that it put into its
 * callers, and of a template.  A change of the source changes all of them.
 */
#include "solver/change/mutant/instruction-mutants.h"

#include "solver/base/hash.h"
#include "solver/change/mutant/mutant-operator.h"

/* Kinds whose mutants of all copies are the same change of the source.  (Those of constants and
 * variables go together in any case; what guards are put before stays single.) */
static bool is_change_of_source(const struct mutant *m)
{
	switch (m->kind) {
	case MUTANT_CONDITION:
	case MUTANT_OPERATOR:
	case MUTANT_EXPRESSION:
	case MUTANT_EXCHANGED:
	case MUTANT_CALLEE:
	case MUTANT_MIRRORED:
	case MUTANT_ONE_MORE:
		return !m->also;
	default:
		return false;
	}
}

/* What two mutants have in common that are the same change; free it.  The instructions for an
 * operator depend on the type. */
static char *change_key(const struct mutant *m)
{
	g_autofree char *written = m->kind == MUTANT_OPERATOR ? mutant_operator_words(m) : NULL;

	return g_strdup_printf("%u %u %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %s", m->kind,
			       m->nearness, written ? 0 : m->from, written ? 0 : m->to,
			       written	  ? written
			       : m->words ? m->words
					  : "");
}

uint64_t mutants_copy_at(const struct image *im, uint64_t addr)
{
	const struct image_function *f = image_function_at(im, addr);

	if (image_inlined_at(im, addr))
		return image_block_of_variables(im, addr);
	return f ? f->entry : 0;
}

static unsigned count_copies(const struct image *im, const GArray *addrs)
{
	g_autoptr(GHashTable) copies = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);

	for (guint i = 0; i < addrs->len; i++) {
		const uint64_t copy = mutants_copy_at(im, g_array_index(addrs, uint64_t, i));

		g_hash_table_add(copies, g_memdup2(&copy, sizeof(copy)));
	}
	return g_hash_table_size(copies);
}

static void copies_free(gpointer numbers)
{
	g_array_unref(numbers);
}

/* The keys of changes → GArray of guint: the numbers of their mutants. */
static GHashTable *group_changes(const GArray *all)
{
	GHashTable *groups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, copies_free);

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);
		g_autofree char *key = is_change_of_source(m) ? change_key(m) : NULL;
		GArray *numbers = key ? g_hash_table_lookup(groups, key) : NULL;

		if (key && !numbers) {
			numbers = g_array_new(FALSE, FALSE, sizeof(guint));
			g_hash_table_insert(groups, g_steal_pointer(&key), numbers);
		}
		if (numbers)
			g_array_append_val(numbers, i);
	}
	return groups;
}

/* Their numbers, copy by copy: arrays of guint. */
static GPtrArray *numbers_by_copy(const struct image *im, const GArray *all, const GArray *numbers)
{
	GPtrArray *copies = g_ptr_array_new_with_free_func(copies_free);
	g_autoptr(GHashTable) known = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);

	for (guint i = 0; i < numbers->len; i++) {
		const guint number = g_array_index(numbers, guint, i);
		const uint64_t copy =
			mutants_copy_at(im, g_array_index(all, struct mutant, number).addr);
		GArray *of_copy = g_hash_table_lookup(known, &copy);

		if (!of_copy) {
			of_copy = g_array_new(FALSE, FALSE, sizeof(guint));
			g_ptr_array_add(copies, of_copy);
			g_hash_table_insert(known, g_memdup2(&copy, sizeof(copy)), of_copy);
		}
		g_array_append_val(of_copy, number);
	}
	return copies;
}

/* The n-th of the first copy becomes that of all copies. */
static void join_copies(GArray *all, const GPtrArray *copies, guint n, GPtrArray *kept, bool *gone)
{
	struct mutant *first = &g_array_index(all, struct mutant,
					      g_array_index((GArray *)copies->pdata[0], guint, n));

	for (guint i = copies->len - 1; i > 0; i--) {
		const guint number = g_array_index((GArray *)copies->pdata[i], guint, n);
		struct mutant *copy =
			g_memdup2(&g_array_index(all, struct mutant, number), sizeof(*copy));

		copy->also = first->also;
		first->also = copy;
		gone[number] = true;
		g_ptr_array_add(kept, copy);
	}
}

/* Where each copy has as many of them, they stand in the same order. */
static void join_same_changes(const struct image *im, GArray *all, const GArray *numbers,
			      GPtrArray *kept, bool *gone)
{
	g_autoptr(GPtrArray) copies = numbers_by_copy(im, all, numbers);
	const guint n = ((GArray *)copies->pdata[0])->len;

	for (guint i = 1; i < copies->len; i++)
		if (((GArray *)copies->pdata[i])->len != n)
			return;
	for (guint i = 0; copies->len > 1 && i < n; i++)
		join_copies(all, copies, i, kept, gone);
}

void mutants_of_copies(const struct image *im, const GArray *addrs, GArray *all, GPtrArray *kept)
{
	g_autofree bool *gone = g_new0(bool, all->len);
	g_autoptr(GHashTable) groups = NULL;
	GHashTableIter next;
	gpointer numbers;
	guint n = 0;

	if (count_copies(im, addrs) < 2)
		return;
	groups = group_changes(all);
	g_hash_table_iter_init(&next, groups);
	while (g_hash_table_iter_next(&next, NULL, &numbers))
		join_same_changes(im, all, numbers, kept, gone);
	for (guint i = 0; i < all->len; i++)
		if (!gone[i])
			g_array_index(all, struct mutant, n++) =
				g_array_index(all, struct mutant, i);
	g_array_set_size(all, n);
}
