/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AUX (AFTER, Alg. 4): what has to be reverted as well so that a set compiles. */
#include "solver/regress/search-private.h"

static bool does_set_compile(struct regress_search *s, const GArray *set)
{
	return regress_note(s, s->oracle->build(s->oracle, set)) == REGRESS_PASSES;
}

/* Both, and what they come with only.  A new set. */
static GArray *closed_union(struct regress_search *s, const GArray *a, const GArray *b)
{
	g_autoptr(GArray) both = regress_set_union(a, b);

	return regress_units_close(s->changes, both);
}

static bool compiles_with(struct regress_search *s, const GArray *delta, const GArray *more)
{
	g_autoptr(GArray) both = closed_union(s, delta, more);

	return does_set_compile(s, both);
}

/* A new set: what all known answers about parts of delta suggest. */
static GArray *suggested_set(struct regress_search *s, const GArray *delta)
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

/* Replaces what is known for the same set. */
static void remember_auxiliary(struct regress_search *s, const GArray *delta,
			       const GArray *auxiliary)
{
	struct completed *c = NULL;

	g_mutex_lock(&s->lock);
	for (guint i = 0; i < s->completed->len && !c; i++) {
		struct completed *known = g_ptr_array_index(s->completed, i);

		if (regress_set_equal(known->delta, delta))
			c = known;
	}
	if (!c) {
		c = g_new0(struct completed, 1);
		c->delta = regress_set_copy(delta);
		g_ptr_array_add(s->completed, c);
	}
	g_clear_pointer(&c->auxiliary, g_array_unref);
	c->auxiliary = regress_set_copy(auxiliary);
	g_mutex_unlock(&s->lock);
}

/* Follows the complaints about delta with more until it compiles: line by line at first; where they
 * do not come to an end, file by file.  What has to be added to delta, NULL = that did not help. */
static GArray *follow_complaints(struct regress_search *s, const GArray *delta, const GArray *more,
				 uint64_t rounds)
{
	g_autoptr(GArray) set = closed_union(s, delta, more);

	for (uint64_t i = 0; !does_set_compile(s, set); i++) {
		g_autofree char *complaint = s->oracle->complaint(s->oracle, set);
		bool whole_files = i >= s->limits->regress_complaints_lines;
		g_autoptr(GArray) wanted = NULL, before = NULL;

		if (i >= rounds || !complaint || regress_search_stopped(s))
			return NULL;
		wanted = regress_wanted(s, set, complaint, whole_files);
		if (!wanted->len)
			return NULL;
		before = set;
		set = closed_union(s, before, wanted);
	}
	return regress_set_minus(set, delta);
}

/* One of n parts of from, or what is left without it, with which delta compiles; NULL = there is
 * none, or *builds are used up. */
static GArray *smaller_of(struct regress_search *s, const GArray *delta, const GArray *from,
			  guint n, uint64_t *builds)
{
	for (guint i = 0; *builds && i < n; i++) {
		g_autoptr(GArray) part = regress_part(from, i, n);
		g_autoptr(GArray) rest = regress_without_part(from, i, n);

		*builds -= MIN(*builds, n > 2 ? 2 : 1);
		if (compiles_with(s, delta, part))
			return g_steal_pointer(&part);
		if (n > 2 && compiles_with(s, delta, rest))
			return g_steal_pointer(&rest);
	}
	return NULL;
}

/* What the complaints about delta alone lead to, where that is less: it is mostly the least
 * already, and halving a larger set takes many builds, most of which fail.  Takes from over. */
static GArray *or_less_by_complaints(struct regress_search *s, const GArray *delta, GArray *from)
{
	g_autoptr(GArray) none = regress_set_new();
	GArray *less =
		from->len > 2 ? follow_complaints(s, delta, none, s->limits->regress_complaints / 4)
			      : NULL;

	if (less && less->len < from->len) {
		g_array_unref(from);
		return less;
	}
	g_clear_pointer(&less, g_array_unref);
	return from;
}

GArray *regress_completion_shrink(struct regress_search *s, const GArray *delta, GArray *from)
{
	/* for a proof any such set will do; in a search a part of it could be the root */
	uint64_t builds = s->applying ? s->limits->regress_auxiliary_builds : UINT64_MAX;
	guint n = 2;
	g_autoptr(GArray) whole = or_less_by_complaints(s, delta, from), together = NULL;

	from = regress_units_first(s->changes, whole);
	while (from->len >= n && builds && !regress_search_stopped(s)) {
		GArray *smaller = smaller_of(s, delta, from, n, &builds);

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
	together = closed_union(s, delta, from);
	g_array_unref(from);
	from = regress_set_minus(together, delta);
	remember_auxiliary(s, delta, from);
	return from;
}

static bool is_in_function_of(struct regress_search *s, unsigned change, const GArray *delta)
{
	const struct regress_change *x = regress_change_at(s->changes, change);

	for (guint i = 0; i < delta->len; i++) {
		const struct regress_change *y =
			regress_change_at(s->changes, regress_set_at(delta, i));

		if (x->file == y->file && x->function && g_strcmp0(x->function, y->function) == 0)
			return true;
	}
	return false;
}

/* The other changes of its functions, and what is complained about then: who rewrites a function
 * changes lines that need each other.  NULL = it does not compile, or there are none. */
static GArray *of_its_functions(struct regress_search *s, const GArray *delta)
{
	g_autoptr(GArray) others = regress_set_new();

	for (guint i = 0; i < s->all->len; i++)
		if (!regress_set_has(delta, i) && is_in_function_of(s, i, delta))
			g_array_append_val(others, i);
	return others->len ? follow_complaints(s, delta, others, s->limits->regress_complaints / 4)
			   : NULL;
}

/* A set that lets delta compile, not yet the least; NULL = none is known. */
static GArray *some_auxiliary(struct regress_search *s, const GArray *delta)
{
	g_autoptr(GArray) known = suggested_set(s, delta), none = regress_set_new();
	GArray *others;

	if (known->len && compiles_with(s, delta, known))
		return g_steal_pointer(&known);
	others = of_its_functions(s, delta);
	if (!others && !regress_search_stopped(s))
		others = follow_complaints(s, delta, none, s->limits->regress_complaints);
	if (others || !s->thorough || regress_search_stopped(s))
		return others;
	others = regress_set_minus(s->all, delta);
	if (does_set_compile(s, s->all))
		return others;
	g_array_unref(others);
	return NULL;
}

GArray *regress_completion(struct regress_search *s, const GArray *delta)
{
	GArray *auxiliary;

	if (does_set_compile(s, delta))
		return regress_set_new();
	if (regress_search_stopped(s))
		return NULL;
	auxiliary = some_auxiliary(s, delta);
	if (auxiliary && auxiliary->len + delta->len < s->all->len)
		remember_auxiliary(s, delta, auxiliary);
	return auxiliary;
}

GArray *regress_auxiliary(struct regress_search *s, const GArray *delta)
{
	g_autoptr(GArray) closed = regress_units_close(s->changes, delta), together = NULL;
	GArray *auxiliary;

	s->thorough = true;
	auxiliary = regress_completion(s, closed);
	if (!auxiliary)
		return NULL;
	if (auxiliary->len)
		auxiliary = regress_completion_shrink(s, closed, auxiliary);
	together = regress_set_union(closed, auxiliary);
	g_array_unref(auxiliary);
	return regress_set_minus(together, delta);
}

GArray *regress_auxiliary_applied(struct regress_search *s, const GArray *delta)
{
	s->applying = true;
	return regress_auxiliary(s, delta);
}
