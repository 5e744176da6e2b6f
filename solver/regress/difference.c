/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DD (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002), on
 * changes: a passing and a failing mixture of both versions come nearer to each other until their
 * difference cannot be made smaller.  A mixture is a set of changes that are applied to the old
 * version.  What is taken out of the failing one is tried first: it is the order of the paper's
 * example, in which {C3, C4} fails, {C4} passes, and {C3} is the answer.
 */
#include "solver/regress/search-private.h"

struct state {
	struct regress_search *search;
	GArray *passing, *failing; /* applied changes; passing is within failing */
};

/* Tests the old version with these changes. */
static enum regress_verdict test_applied_changes(struct regress_search *s, const GArray *applied)
{
	g_autoptr(GArray) reverted = regress_set_minus(s->all, applied);

	return regress_note(s, s->oracle->test(s->oracle, reverted));
}

static void replace_difference(GArray **set, GArray *by)
{
	g_array_unref(*set);
	*set = by;
}

/* One part of the difference, taken out of the failing mixture, then put into the passing one.
 * True with the next *n when either was of use. */
static bool try_part(struct state *t, const GArray *part, guint *n)
{
	g_autoptr(GArray) without = regress_set_minus(t->failing, part);
	g_autoptr(GArray) with = regress_set_union(t->passing, part);
	enum regress_verdict v = test_applied_changes(t->search, without);

	if (v == REGRESS_FAILS) {
		replace_difference(&t->failing, g_steal_pointer(&without));
		*n = MAX(*n - 1, 2);
		return true;
	}
	if (v == REGRESS_PASSES) {
		replace_difference(&t->passing, g_steal_pointer(&without));
		*n = 2;
		return true;
	}
	v = regress_search_stopped(t->search) ? REGRESS_STOPPED
					      : test_applied_changes(t->search, with);
	if (v == REGRESS_FAILS) {
		replace_difference(&t->failing, g_steal_pointer(&with));
		*n = 2;
		return true;
	}
	if (v == REGRESS_PASSES) {
		replace_difference(&t->passing, g_steal_pointer(&with));
		*n = MAX(*n - 1, 2);
		return true;
	}
	return false;
}

static bool is_at_its_ends(const GArray *part, const GArray *whole)
{
	return !part->len || part->len == whole->len;
}

/* One round over n parts; false when the difference stays as it is. */
static bool halve_difference(struct state *t, guint *n)
{
	g_autoptr(GArray) difference = regress_set_minus(t->failing, t->passing);
	g_autoptr(GArray) units = regress_units_first(t->search->changes, difference);
	bool found = false;

	*n = MIN(*n, units->len);
	for (guint i = 0; i < *n && !found && !regress_search_stopped(t->search); i++) {
		g_autoptr(GArray) some = regress_part(units, i, *n);
		g_autoptr(GArray) part = regress_units_close(t->search->changes, some);

		if (!is_at_its_ends(part, difference))
			found = try_part(t, part, n);
	}
	if (found)
		return true;
	if (*n >= units->len)
		return false;
	*n = MIN(2 * *n, units->len);
	return true;
}

/* The passing mixture to begin with: with all changes that are not on the trace, where it passes.
 */
static GArray *passing_beginning(struct regress_search *s, const GArray *start)
{
	g_autoptr(GArray) closed = start ? regress_units_close(s->changes, start) : NULL;
	g_autoptr(GArray) others = closed ? regress_set_minus(s->all, closed) : NULL;

	if (others && others->len && test_applied_changes(s, others) == REGRESS_PASSES)
		return g_steal_pointer(&others);
	return regress_set_new();
}

GArray *regress_difference(struct regress_search *s, const GArray *start, GArray **fails_with)
{
	struct state t = { .search = s };
	GArray *difference = NULL;
	guint n = 2;

	t.passing = passing_beginning(s, start);
	t.failing = regress_set_copy(s->all);
	while (!regress_search_stopped(s) && t.failing->len - t.passing->len > 1 &&
	       halve_difference(&t, &n))
		;
	if (!regress_search_stopped(s)) {
		difference = regress_set_minus(t.failing, t.passing);
		*fails_with = regress_set_minus(s->all, t.failing);
	}
	g_array_unref(t.passing);
	g_array_unref(t.failing);
	return difference;
}
