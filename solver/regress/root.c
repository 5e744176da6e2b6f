/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DYN (AFTER, Alg. 2): asymmetric delta debugging. */
#include "solver/regress/search-private.h"

static void test_completed(struct regress_candidate *c)
{
	struct regress_search *s = c->search;
	g_autoptr(GArray) reverted = regress_set_union(c->set, c->auxiliary);

	c->verdict = regress_note(s, s->oracle->test(s->oracle, reverted));
}

/*
 * Completes the candidate and runs the test: did it pass?  What completes it is made as small as it
 * can be only where it does: with too much reverted a candidate hardly fails that would pass
 * without, but it may pass because of what completes it.
 */
static bool passes_with_candidate(void *item)
{
	struct regress_candidate *c = item;
	struct regress_search *s = c->search;
	g_autoptr(GArray) more = NULL;

	if (regress_search_stopped(s))
		return false;
	c->auxiliary = regress_completion(s, c->set);
	if (!c->auxiliary)
		return false;
	test_completed(c);
	if (c->verdict != REGRESS_PASSES || !c->auxiliary->len)
		return c->verdict == REGRESS_PASSES;
	more = regress_set_copy(c->auxiliary);
	c->auxiliary = regress_completion_shrink(s, c->set, c->auxiliary);
	if (c->auxiliary->len < more->len)
		test_completed(c);
	if (c->verdict == REGRESS_FAILS && c->auxiliary->len < more->len)
		c->with_more = g_steal_pointer(&more);
	return c->verdict == REGRESS_PASSES;
}

/* Each of the n parts is a candidate, and so is what is left without it where that is another
 * set. */
static GPtrArray *candidates_of_parts(struct regress_search *s, const GArray *list, guint n)
{
	GPtrArray *candidates = g_ptr_array_new_with_free_func(regress_candidate_free);

	for (guint i = 0; i < n; i++) {
		g_ptr_array_add(candidates, regress_candidate_new(s, regress_part(list, i, n)));
		if (n > 2) /* of two parts each is what is left without the other */
			g_ptr_array_add(candidates,
					regress_candidate_new(s, regress_without_part(list, i, n)));
	}
	return candidates;
}

/* The first of them that passes; NULL = none does. */
static struct regress_candidate *first_that(struct regress_search *s, const GPtrArray *candidates,
					    bool (*judge)(void *))
{
	/* the first of two is the more suspicious one: a build of the other would often be wasted
	 */
	if (candidates->len == 2)
		regress_each_in_turn(s->oracle, judge, candidates->pdata, 2);
	else
		s->oracle->each(s->oracle, judge, candidates->pdata, candidates->len);
	for (guint i = 0; i < candidates->len; i++) {
		struct regress_candidate *c = g_ptr_array_index(candidates, i);

		if (c->verdict == REGRESS_PASSES)
			return c;
	}
	return NULL;
}

static void take_candidate(struct regress_candidate *c, GArray **list, GArray **auxiliary)
{
	g_array_unref(*list);
	*list = g_steal_pointer(&c->list);
	c->list = regress_set_new();
	g_clear_pointer(auxiliary, g_array_unref);
	*auxiliary = c->auxiliary ? g_steal_pointer(&c->auxiliary) : NULL;
}

/* Without completion: it compiles and passes as it is. */
static bool passes_alone(void *item)
{
	struct regress_candidate *c = item;
	struct regress_search *s = c->search;

	if (!regress_search_stopped(s))
		c->verdict = regress_note(s, s->oracle->test(s->oracle, c->set));
	return c->verdict == REGRESS_PASSES;
}

/* Goes over to a smaller list that still passes, until there is none. */
static void split_candidates(struct regress_search *s, GArray **list, GArray **auxiliary,
			     bool (*judge)(void *))
{
	for (guint n = 2; (*list)->len >= 2 && n <= (*list)->len && !regress_search_stopped(s);) {
		g_autoptr(GPtrArray) candidates = candidates_of_parts(s, *list, n);
		struct regress_candidate *c = first_that(s, candidates, judge);

		if (c) {
			take_candidate(c, list, auxiliary);
			n = 2;
		} else if (n < (*list)->len) {
			n = MIN(2 * n, (*list)->len);
		} else {
			break;
		}
	}
}

/* Once more, where several are left: some parts of them may not have compiled with what complaints
 * name. */
static void split_thoroughly(struct regress_search *s, GArray **list, GArray **auxiliary)
{
	if ((*list)->len < 2)
		return;
	s->thorough = true;
	split_candidates(s, list, auxiliary, passes_with_candidate);
	s->thorough = false;
}

/*
 * Two changes may need each other to compile.  The one that is looked at first then becomes the
 * root, and the other one its auxiliary, even where the other one alone is enough:
 *
 *     +	long margin = 9;		compiles only with the other: {1} and auxiliary {2}
 *     -	x > LIMIT
 *     +	x + margin > LIMIT		compiles and passes alone: {2}
 *
 * So the whole set is looked at once more, without completion.
 */
static void prefer_without_auxiliary(struct regress_search *s, GArray **root, GArray **auxiliary)
{
	g_autoptr(GArray) together = regress_set_union(*root, *auxiliary);
	GArray *fewer = regress_units_first(s->changes, together), *none = NULL;
	guint n = fewer->len;

	split_candidates(s, &fewer, &none, passes_alone);
	g_clear_pointer(&none, g_array_unref);
	if (fewer->len < n) {
		g_autoptr(GArray) set = regress_closed_set_of(s, fewer);
		g_autoptr(GArray) both = regress_set_common(set, *root);
		GArray *rest = both->len ? regress_set_minus(set, both) : regress_set_new();

		g_array_unref(*root);
		g_array_unref(*auxiliary);
		*root = both->len ? g_steal_pointer(&both) : g_steal_pointer(&set);
		*auxiliary = rest;
	}
	g_array_unref(fewer);
}

static struct regress_candidate *candidate_between(struct regress_search *s, const GArray *list,
						   guint from, guint to)
{
	GArray *some = regress_set_new();

	g_array_append_vals(some, &g_array_index(list, unsigned, from), to - from);
	return regress_candidate_new(s, some);
}

/*
 * A candidate that passes only with more than it needs to compile: these are changes of one
 * function mostly, of which hardly any compiles without the others.  So one that does, and passes,
 * is looked for first, else all of them are the candidate.
 */
static void widen_candidate(struct regress_candidate *c)
{
	struct regress_search *s = c->search;
	g_autoptr(GPtrArray) members = g_ptr_array_new_with_free_func(regress_candidate_free);
	g_autoptr(GArray) more = regress_units_first(s->changes, c->with_more);
	struct regress_candidate *single;

	for (guint i = 0; i < more->len; i++) {
		GArray *one = regress_set_new();

		g_array_append_val(one, g_array_index(more, unsigned, i));
		g_ptr_array_add(members, regress_candidate_new(s, one));
	}
	single = first_that(s, members, passes_alone);
	if (single)
		g_array_set_size(c->list, 0);
	g_array_append_vals(c->list, single ? single->list->data : more->data,
			    single ? single->list->len : more->len);
	g_array_set_size(c->auxiliary, 0);
	c->verdict = REGRESS_PASSES;
}

/* The list's members from one to another, when they pass; NULL = they do not. */
static struct regress_candidate *if_passing(struct regress_search *s, const GArray *list,
					    guint from, guint to)
{
	struct regress_candidate *c = candidate_between(s, list, from, to);

	if (passes_with_candidate(c))
		return c;
	if (c->with_more) {
		widen_candidate(c);
		return c;
	}
	regress_candidate_free(c);
	return NULL;
}

/*
 * Some members of the list that pass when they are reverted.  The order is by suspicion, so mostly
 * one is enough, and that one of the first: each of these by itself (a set of them that passes
 * would have to be taken apart again), then the first sixteen, sixty-four ... or all.  NULL = not
 * even all do.  *failed: so many of the first are no single member that is enough.
 */
static struct regress_candidate *first_members(struct regress_search *s, const GArray *order,
					       guint *failed)
{
	guint growth = (guint)s->limits->regress_growth;
	guint n = order->len > growth ? growth : 1;
	struct regress_candidate *c = NULL;

	*failed = 0;
	for (guint i = 0; i < MIN(growth, order->len) && !c && !regress_search_stopped(s); i++) {
		c = if_passing(s, order, i, i + 1);
		*failed = c ? 1 : i + 1; /* of the list that goes on */
	}
	while (n < order->len && !c && !regress_search_stopped(s)) {
		n = MIN(n * growth, order->len);
		c = if_passing(s, order, 0, n);
		if (!c)
			*failed = n;
	}
	return c;
}

/*
 * One member that is enough, found as if there were one: the list passes, its first members fail,
 * so it is looked for among the others, and in the second half when the first fails.  DYN would
 * test both halves.  NULL = there is no such member, or not there; what was tested on the way is
 * known to DYN, which decides then.
 */
static struct regress_candidate *single_member(struct regress_search *s, const GArray *list,
					       guint failed)
{
	guint low = failed, high = list->len;

	while (low < high && !regress_search_stopped(s)) {
		guint middle = high - low > 1 ? low + (high - low) / 2 : high;
		struct regress_candidate *c = candidate_between(s, list, low, middle);

		if (passes_with_candidate(c) && middle - low == 1)
			return c;
		if (c->verdict == REGRESS_PASSES)
			high = middle;
		else
			low = middle;
		regress_candidate_free(c);
	}
	return NULL;
}

GArray *regress_root(struct regress_search *s, const GArray *order, GArray **auxiliary)
{
	GArray *list = regress_units_first(s->changes, order), *aux = NULL, *root = NULL;
	guint failed;
	struct regress_candidate *some = first_members(s, list, &failed), *single = NULL;

	if (some) {
		take_candidate(some, &list, &aux);
		if (list->len > 1)
			single = single_member(s, list, failed);
		if (single)
			take_candidate(single, &list, &aux);
		split_candidates(s, &list, &aux, passes_with_candidate);
		split_thoroughly(s, &list, &aux);
		root = regress_closed_set_of(s, list);
		if (aux->len && !regress_search_stopped(s))
			prefer_without_auxiliary(s, &root, &aux);
	}
	g_clear_pointer(&some, regress_candidate_free);
	g_clear_pointer(&single, regress_candidate_free);
	g_array_unref(list);
	*auxiliary = aux;
	return root;
}
