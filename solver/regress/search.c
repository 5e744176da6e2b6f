/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/regress/search-private.h"

bool regress_each_in_turn(struct regress_oracle *o, bool (*try)(void *item), void *const *items,
			  guint n)
{
	(void)o;
	for (guint i = 0; i < n; i++)
		if (try(items[i]))
			return true;
	return false;
}

static void free_completed(void *pointer)
{
	struct completed *c = pointer;

	g_array_unref(c->delta);
	g_array_unref(c->auxiliary);
	g_free(c);
}

struct regress_search *regress_search_new(const struct regress_changes *c,
					  struct regress_oracle *oracle,
					  const struct limits *limits)
{
	struct regress_search *s = g_new0(struct regress_search, 1);

	s->changes = c;
	s->oracle = oracle;
	s->limits = limits;
	s->all = regress_set_all(regress_changes_count(c));
	s->words = g_new0(GHashTable *, s->all->len + 1);
	s->completed = g_ptr_array_new_with_free_func(free_completed);
	g_mutex_init(&s->lock);
	return s;
}

void regress_search_free(struct regress_search *s)
{
	if (!s)
		return;
	for (guint i = 0; i < s->all->len; i++)
		g_clear_pointer(&s->words[i], g_hash_table_unref);
	g_free(s->words);
	g_array_unref(s->all);
	g_ptr_array_unref(s->completed);
	g_mutex_clear(&s->lock);
	g_free(s);
}

bool regress_search_stopped(const struct regress_search *s)
{
	return g_atomic_int_get(&s->stopped) != 0;
}

enum regress_verdict regress_note(struct regress_search *s, enum regress_verdict v)
{
	if (v == REGRESS_STOPPED)
		g_atomic_int_set(&s->stopped, 1);
	return v;
}

static GArray *pick_part(const GArray *list, guint i, guint n, bool inside)
{
	guint from = (guint)((guint64)list->len * i / n);
	guint to = (guint)((guint64)list->len * (i + 1) / n);
	GArray *part = regress_set_new();

	for (guint k = 0; k < list->len; k++) {
		unsigned x = regress_set_at(list, k);

		if ((k >= from && k < to) == inside)
			g_array_append_val(part, x);
	}
	return part;
}

GArray *regress_part(const GArray *list, guint i, guint n)
{
	return pick_part(list, i, n, true);
}

GArray *regress_without_part(const GArray *list, guint i, guint n)
{
	return pick_part(list, i, n, false);
}

GArray *regress_closed_set_of(const struct regress_search *s, const GArray *list)
{
	g_autoptr(GArray) set =
		regress_set_of((const unsigned *)(const void *)list->data, list->len);

	return regress_units_close(s->changes, set);
}

struct regress_candidate *regress_candidate_new(struct regress_search *s, GArray *list)
{
	struct regress_candidate *c = g_new0(struct regress_candidate, 1);

	c->search = s;
	c->list = list;
	c->set = regress_closed_set_of(s, list);
	c->verdict = REGRESS_UNKNOWN;
	return c;
}

void regress_candidate_free(void *candidate)
{
	struct regress_candidate *c = candidate;

	g_array_unref(c->list);
	g_array_unref(c->set);
	g_clear_pointer(&c->auxiliary, g_array_unref);
	g_clear_pointer(&c->with_more, g_array_unref);
	g_free(c);
}
