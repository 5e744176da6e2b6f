/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AUX (AFTER, Alg. 4): what has to be reverted as well so that a set compiles. */
#include "solver/regress/search-private.h"

#include <string.h>

/* So often the compiler is asked what is still missing. */
enum { MOST_COMPLAINTS = 12 };

static bool compiles(struct regress_search *s, const GArray *set)
{
	return regress_note(s, s->oracle->build(s->oracle, set)) == REGRESS_PASSES;
}

static bool compiles_with(struct regress_search *s, const GArray *delta, const GArray *more)
{
	g_autoptr(GArray) both = regress_set_union(delta, more);

	return compiles(s, both);
}

/* Of all known answers for parts of delta.  A new set. */
static GArray *suggested(struct regress_search *s, const GArray *delta)
{
	g_autoptr(GArray) all = regress_set_new();

	g_mutex_lock(&s->lock);
	for (guint i = 0; i < s->completed->len; i++) {
		const struct completed *c = g_ptr_array_index(s->completed, i);

		if (c->auxiliary->len && regress_set_within(c->delta, delta))
			for (guint k = 0; k < c->auxiliary->len; k++)
				regress_set_add(all, regress_set_at(c->auxiliary, k));
	}
	g_mutex_unlock(&s->lock);
	return regress_set_minus(all, delta);
}

static void remember(struct regress_search *s, const GArray *delta, const GArray *auxiliary)
{
	struct completed *c = g_new(struct completed, 1);

	c->delta = regress_set_copy(delta);
	c->auxiliary = regress_set_copy(auxiliary);
	g_mutex_lock(&s->lock);
	g_ptr_array_add(s->completed, c);
	g_mutex_unlock(&s->lock);
}

static bool mentions(struct regress_search *s, unsigned change, GHashTable *words)
{
	GHashTableIter i;
	void *word;
	bool found = false;

	g_mutex_lock(&s->lock);
	if (!s->words[change])
		s->words[change] = regress_change_words(s->changes, change);
	g_hash_table_iter_init(&i, words);
	while (!found && g_hash_table_iter_next(&i, &word, NULL))
		found = g_hash_table_contains(s->words[change], word);
	g_mutex_unlock(&s->lock);
	return found;
}

/* The names that a complaint quotes: error: 'm' undeclared. */
static GHashTable *quoted_names(const char *complaint)
{
	g_autoptr(GRegex) regex = g_regex_new(
		"(?:'|`|\xe2\x80\x98)[^'`]*?([A-Za-z_][A-Za-z0-9_]*)[^'`]*?(?:'|\xe2\x80\x99)",
		G_REGEX_RAW, 0, NULL);
	GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_auto(GStrv) lines = g_strsplit(complaint, "\n", -1);

	for (char **line = lines; *line; line++) {
		g_autoptr(GMatchInfo) match = NULL;

		if (!strstr(*line, "error") && !strstr(*line, "undefined") &&
		    !strstr(*line, "note:") && !strstr(*line, "multiple definition"))
			continue;
		g_regex_match(regex, *line, 0, &match);
		while (g_match_info_matches(match)) {
			g_hash_table_add(names, g_match_info_fetch(match, 1));
			g_match_info_next(match, NULL);
		}
	}
	return names;
}

/* Changes that mention what the compiler misses.  A new set. */
static GArray *wanted(struct regress_search *s, const GArray *set, const char *complaint)
{
	g_autoptr(GHashTable) names = quoted_names(complaint);
	GArray *more = regress_set_new();

	for (guint i = 0; i < s->all->len; i++)
		if (!regress_set_has(set, i) && mentions(s, i, names))
			g_array_append_val(more, i);
	return more;
}

/* Follows the complaints until it compiles.  What was added, NULL = that did not help. */
static GArray *follow_complaints(struct regress_search *s, const GArray *delta)
{
	g_autoptr(GArray) set = regress_set_copy(delta);

	for (int i = 0; i < MOST_COMPLAINTS && !regress_search_stopped(s); i++) {
		g_autofree char *complaint = s->oracle->complaint(s->oracle, set);
		g_autoptr(GArray) more = complaint ? wanted(s, set, complaint) : NULL;
		GArray *larger;

		if (!more || !more->len)
			return NULL;
		larger = regress_set_union(set, more);
		g_array_unref(set);
		set = larger;
		if (compiles(s, set))
			return regress_set_minus(set, delta);
	}
	return NULL;
}

/* Alg. 4 proper: delta with all of `from' compiles.  Takes from over; a new set. */
static GArray *shrink(struct regress_search *s, const GArray *delta, GArray *from)
{
	guint n = 2;

	while (from->len >= n && !regress_search_stopped(s)) {
		GArray *smaller = NULL;

		for (guint i = 0; i < n && !smaller; i++) {
			g_autoptr(GArray) part = regress_part(from, i, n);
			g_autoptr(GArray) rest = regress_without_part(from, i, n);

			if (compiles_with(s, delta, part))
				smaller = g_steal_pointer(&part);
			else if (n > 2 && compiles_with(s, delta, rest))
				smaller = g_steal_pointer(&rest);
		}
		if (smaller) {
			g_array_unref(from);
			from = smaller;
			n = MIN(n, MAX(from->len, 2));
		} else if (n < from->len) {
			n = MIN(2 * n, from->len);
		} else {
			break;
		}
	}
	return from;
}

/* A set that lets delta compile, not yet the least; NULL = none is known. */
static GArray *some_auxiliary(struct regress_search *s, const GArray *delta)
{
	g_autoptr(GArray) known = suggested(s, delta);
	GArray *others;

	if (known->len && compiles_with(s, delta, known))
		return g_steal_pointer(&known);
	others = follow_complaints(s, delta);
	if (others || regress_search_stopped(s))
		return others;
	others = regress_set_minus(s->all, delta);
	if (compiles(s, s->all))
		return others;
	g_array_unref(others);
	return NULL;
}

GArray *regress_auxiliary(struct regress_search *s, const GArray *delta)
{
	GArray *auxiliary;

	if (compiles(s, delta))
		return regress_set_new();
	if (regress_search_stopped(s))
		return NULL;
	auxiliary = some_auxiliary(s, delta);
	if (auxiliary)
		auxiliary = shrink(s, delta, auxiliary);
	if (auxiliary)
		remember(s, delta, auxiliary);
	return auxiliary;
}
