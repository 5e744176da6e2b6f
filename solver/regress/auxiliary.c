/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AUX (AFTER, Alg. 4): what has to be reverted as well so that a set compiles. */
#include "solver/regress/search-private.h"

#include <string.h>

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

static char *last_group(GMatchInfo *match)
{
	return g_match_info_fetch(match, g_match_info_get_match_count(match) - 1);
}

/* What a compiler complains about. */
struct complaint {
	GHashTable *names; /* that it quotes: error: 'm' undeclared */
	GHashTable *files; /* last parts of the files that it complains about: f.c:12: error: ... */
};

static void note_file(struct complaint *c, const char *line)
{
	g_autoptr(GRegex) regex = g_regex_new("([^/:\\s]+):[0-9]+", G_REGEX_RAW, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	if (g_regex_match(regex, line, 0, &match))
		g_hash_table_add(c->files, g_match_info_fetch(match, 1));
}

static void note_names(struct complaint *c, const char *line)
{
	g_autoptr(GRegex) regex = g_regex_new(
		"(?:'|`|\xe2\x80\x98)[^'`]*?([A-Za-z_][A-Za-z0-9_]*)[^'`]*?(?:'|\xe2\x80\x99)"
		"|fatal error: (?:[^:]*/)?([A-Za-z_][A-Za-z0-9_]*)[^:/]*: No such file",
		G_REGEX_RAW, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	g_regex_match(regex, line, 0, &match);
	while (g_match_info_matches(match)) {
		g_hash_table_add(c->names, last_group(match));
		g_match_info_next(match, NULL);
	}
}

static void complaint_init(struct complaint *c, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	c->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	c->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (char **line = lines; *line; line++) {
		if (!strstr(*line, "error") && !strstr(*line, "undefined") &&
		    !strstr(*line, "note:") && !strstr(*line, "multiple definition") &&
		    !strstr(*line, "No rule to make"))
			continue;
		note_names(c, *line);
		note_file(c, *line);
	}
}

static void complaint_deinit(struct complaint *c)
{
	g_hash_table_unref(c->names);
	g_hash_table_unref(c->files);
}

/* How near a change is to a complaint, the nearest first. */
enum nearness {
	PROVIDES_HERE, /* its old side declares what is missed, in that file or a header */
	PROVIDES,      /* in another file */
	MENTIONS_HERE,
	MENTIONS,
	MENTIONS_ANYHOW, /* in a file that is no source of C */
	N_NEARNESS
};

static bool is_here(struct regress_search *s, const struct complaint *c, unsigned change)
{
	const char *path = regress_change_path(s->changes, change);
	g_autofree char *name = g_path_get_basename(path);

	return g_hash_table_contains(c->files, name) || g_str_has_suffix(name, ".h");
}

static enum nearness nearness_of(struct regress_search *s, const struct complaint *c,
				 unsigned change)
{
	bool here = is_here(s, c, change);

	if (!mentions(s, change, c->names))
		return N_NEARNESS;
	if (!regress_change_is_c(s->changes, change))
		return MENTIONS_ANYHOW;
	if (regress_change_provides(s->changes, change, c->names))
		return here ? PROVIDES_HERE : PROVIDES;
	return here ? MENTIONS_HERE : MENTIONS;
}

/* The changes outside of the set that are nearest to the complaint.  A new set. */
static GArray *wanted(struct regress_search *s, const GArray *set, const char *text)
{
	enum nearness nearest = N_NEARNESS;
	GArray *more = regress_set_new();
	struct complaint c;

	complaint_init(&c, text);
	for (guint i = 0; i < s->all->len; i++) {
		enum nearness n = regress_set_has(set, i) ? N_NEARNESS : nearness_of(s, &c, i);

		if (n < nearest) {
			g_array_set_size(more, 0);
			nearest = n;
		}
		if (n < N_NEARNESS && n == nearest)
			g_array_append_val(more, i);
	}
	complaint_deinit(&c);
	return more;
}

/* Follows the complaints until it compiles.  What was added, NULL = that did not help. */
static GArray *follow_complaints(struct regress_search *s, const GArray *delta)
{
	g_autoptr(GArray) set = regress_set_copy(delta);

	for (uint64_t i = 0; i < s->limits->regress_complaints && !regress_search_stopped(s); i++) {
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
