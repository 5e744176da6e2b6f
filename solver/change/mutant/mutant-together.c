/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One slip of the pen may have got into several instructions of a line: `raised++' that should be
 * `left++' loads and stores the wrong variable, and both letters of `'A', 'Z'' may be of the wrong
 * case.  Or two of its variables were exchanged: `cell[j][k]' for `cell[k][j]'.
 */
#include "solver/change/mutant/instruction-mutants.h"

#include "solver/base/hash.h"

/* What mutants of one slip have in common. */
struct slip {
	enum mutant_kind kind;
	enum mutant_nearness nearness;
	int64_t from,
		to; /* constants go together when they are changed by the same difference: 0, it */
};

static struct slip slip_of(const struct mutant *m)
{
	struct slip s = { .kind = m->kind, .nearness = m->nearness };

	if (m->kind == MUTANT_CONSTANT) {
		s.to = (int64_t)((uint64_t)m->to - (uint64_t)m->from);
	} else {
		s.from = m->from;
		s.to = m->to;
	}
	return s;
}

static guint slip_hash(gconstpointer slip)
{
	const struct slip *s = slip;

	return hash_u64(&s->from) * 31 + hash_u64(&s->to) * 5 + (guint)s->kind * 4 +
	       (guint)s->nearness;
}

static gboolean slip_equal(gconstpointer a, gconstpointer b)
{
	const struct slip *x = a, *y = b;

	return x->kind == y->kind && x->nearness == y->nearness && x->from == y->from &&
	       x->to == y->to;
}

/* Numbers of the mutants of one slip, ascending (guint). */
static void numbers_free(gpointer numbers)
{
	g_array_unref(numbers);
}

/* The groups of mutants that undo the same slip, in the order of their first mutants. */
static GPtrArray *group_mutants(const GArray *all)
{
	GPtrArray *groups = g_ptr_array_new_with_free_func(numbers_free);
	g_autoptr(GHashTable) known = g_hash_table_new_full(slip_hash, slip_equal, g_free, NULL);

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);
		struct slip s = slip_of(m);
		GArray *numbers;

		if (m->also || (m->kind != MUTANT_CONSTANT && m->kind != MUTANT_VARIABLE))
			continue;
		numbers = g_hash_table_lookup(known, &s);
		if (!numbers) {
			numbers = g_array_new(FALSE, FALSE, sizeof(guint));
			g_ptr_array_add(groups, numbers);
			g_hash_table_insert(known, g_memdup2(&s, sizeof s), numbers);
		}
		g_array_append_val(numbers, i);
	}
	return groups;
}

static bool is_changed_by(const struct mutant *m, uint64_t addr)
{
	for (; m; m = m->also)
		if (m->addr == addr)
			return true;
	return false;
}

void mutants_together(GArray *all, GPtrArray *kept)
{
	g_autoptr(GPtrArray) groups = group_mutants(all);

	for (guint i = 0; i < groups->len; i++) {
		const GArray *numbers = groups->pdata[i];
		struct mutant made =
			g_array_index(all, struct mutant, g_array_index(numbers, guint, 0));

		for (guint k = numbers->len - 1; k > 0; k--) {
			const struct mutant *other = &g_array_index(
				all, struct mutant, g_array_index(numbers, guint, k));
			struct mutant *copy;

			if (is_changed_by(&made, other->addr))
				continue;
			copy = g_memdup2(other, sizeof *other);
			copy->also = made.also;
			made.also = copy;
			g_ptr_array_add(kept, copy);
		}
		if (made.also)
			g_array_append_val(all, made);
	}
}

static bool is_of_one_variable(const struct mutant *m)
{
	return m->kind == MUTANT_VARIABLE && !m->also;
}

/* The numbers (guint, ascending) of the mutants that put a variable in the place of another one. */
static GHashTable *by_variables(const GArray *all)
{
	GHashTable *known = g_hash_table_new_full(slip_hash, slip_equal, g_free, numbers_free);

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);
		const struct slip s = { .kind = MUTANT_VARIABLE, .from = m->from, .to = m->to };
		GArray *numbers = is_of_one_variable(m) ? g_hash_table_lookup(known, &s) : NULL;

		if (!is_of_one_variable(m))
			continue;
		if (!numbers) {
			numbers = g_array_new(FALSE, FALSE, sizeof(guint));
			g_hash_table_insert(known, g_memdup2(&s, sizeof s), numbers);
		}
		g_array_append_val(numbers, i);
	}
	return known;
}

static void add_exchange(GArray *all, guint one, guint other, GPtrArray *kept)
{
	struct mutant made = g_array_index(all, struct mutant, one);
	struct mutant *also = g_memdup2(&g_array_index(all, struct mutant, other), sizeof *also);

	made.also = also;
	g_ptr_array_add(kept, also);
	g_array_append_val(all, made);
}

void mutants_exchanged(GArray *all, GPtrArray *kept)
{
	const guint n = all->len;
	g_autoptr(GHashTable) known = by_variables(all);

	for (guint i = 0; i < n; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);
		const uint64_t addr = m->addr;
		const struct slip mirror = { .kind = MUTANT_VARIABLE,
					     .from = m->to,
					     .to = m->from };
		const GArray *others =
			is_of_one_variable(m) ? g_hash_table_lookup(known, &mirror) : NULL;

		for (guint k = 0; others && k < others->len; k++) {
			guint other = g_array_index(others, guint, k);

			if (other > i && g_array_index(all, struct mutant, other).addr != addr)
				add_exchange(all, i, other, kept);
		}
	}
}
