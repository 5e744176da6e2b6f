/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EXPLAIN (AFTER, Alg. 1): generations of candidates, until reverting some of them is enough. */
#include "gdbext/regress/flow-private.h"
#include "solver/regress/set.h"

static bool is_new_candidate(const struct regress_answer *a, const GArray *order)
{
	return order->len &&
	       (!a->candidates->len ||
		order->len > g_array_index(a->candidates, unsigned, a->candidates->len - 1));
}

static void replace_set(GArray **set, GArray *by)
{
	g_array_unref(*set);
	*set = by;
}

bool regression_try(struct regression *r, const GArray *order, enum regress_basis basis)
{
	struct regress_answer *a = r->answer;
	g_autoptr(GArray) auxiliary = NULL, root = NULL;

	if (!is_new_candidate(a, order) || regress_search_stopped(r->search))
		return false;
	g_array_append_val(a->candidates, order->len);
	root = regress_root(r->search, order, &auxiliary);
	if (!root)
		return false;
	replace_set(&a->root, g_steal_pointer(&root));
	replace_set(&a->auxiliary, g_steal_pointer(&auxiliary));
	a->basis = basis;
	a->outcome = REGRESS_FOUND;
	return true;
}

/* Which lines both versions execute; what cannot be told is said. */
static void compare_coverage(struct regression *r)
{
	r->new_coverage = coverage_new(r->workshop, r->none);
	r->old_coverage = coverage_new(r->workshop, r->all);
	if (!r->new_coverage)
		regress_answer_note(r->answer,
				    "No program of the tree that the test runs has debug info, so "
				    "all changes count as candidates; build with -g.");
}

/* Adds what is not among them yet, at the end.  Of idle changes the compiler made the same code, so
 * that they can wait. */
static void append_new(GArray *order, const GArray *more, const GArray *suspicions)
{
	for (guint i = 0; i < more->len; i++) {
		unsigned x = g_array_index(more, unsigned, i);
		bool known = g_array_index(suspicions, struct suspicion, x).is_idle;

		for (guint k = 0; k < order->len; k++)
			known |= g_array_index(order, unsigned, k) == x;
		if (!known)
			g_array_append_val(order, x);
	}
}

/* The changes that the causes hold, a generation of critical predicates after the other. */
static bool try_causes(struct regression *r, const GArray *suspicions)
{
	const struct regress_answer *a = r->answer;
	g_autoptr(GArray) order = regress_set_new();

	for (guint i = 0; i < a->causes->len; i++) {
		const struct regress_cause *c = regress_answer_cause(a, i);
		bool last = i + 1 == a->causes->len ||
			    regress_answer_cause(a, i + 1)->generation > c->generation;

		append_new(order, c->changes, suspicions);
		if (last && regression_try(r, order, REGRESS_BY_CAUSES))
			return true;
	}
	return false;
}

static bool has_other_code(const struct regression *r, const GArray *suspicions, unsigned unit)
{
	const GArray *root = r->answer->root;

	for (guint i = 0; i < root->len; i++) {
		unsigned x = g_array_index(root, unsigned, i);

		if (regress_change_at(r->versions->changes, x)->unit == unit &&
		    !g_array_index(suspicions, struct suspicion, x).is_same)
			return true;
	}
	return false;
}

/* Some changes come only together, as where a name was changed.  Those of which the compiler made
 * the same code cannot be to blame; they are reverted with the others so that these compile. */
static void set_same_code_apart(struct regression *r, const GArray *suspicions)
{
	struct regress_answer *a = r->answer;
	g_autoptr(GArray) apart = regress_set_new();

	for (guint i = 0; i < a->root->len; i++) {
		unsigned x = g_array_index(a->root, unsigned, i);
		unsigned unit = regress_change_at(r->versions->changes, x)->unit;

		if (g_array_index(suspicions, struct suspicion, x).is_same &&
		    has_other_code(r, suspicions, unit))
			g_array_append_val(apart, x);
	}
	if (!apart->len)
		return;
	replace_set(&a->root, regress_set_minus(a->root, apart));
	replace_set(&a->auxiliary, regress_set_union(a->auxiliary, apart));
}

void regression_search_after(struct regression *r)
{
	g_autoptr(GArray) suspicions = NULL, active = NULL, executed = NULL, sources = NULL,
			  all = NULL;

	compare_coverage(r);
	regression_find_causes(r);
	suspicions = suspicions_new(r->versions->changes, r->old_coverage, r->new_coverage,
				    &r->o->limits);
	active = suspicions_order(suspicions, SUSPICION_ACTIVE);
	executed = suspicions_order(suspicions, SUSPICION_EXECUTED);
	sources = suspicions_order(suspicions, SUSPICION_EXECUTED | SUSPICION_SOURCES);
	all = suspicions_order(suspicions,
			       SUSPICION_EXECUTED | SUSPICION_SOURCES | SUSPICION_OTHERS);
	if (try_causes(r, suspicions) || regression_try(r, active, REGRESS_BY_CODE) ||
	    regression_try(r, executed, REGRESS_BY_EXECUTED) ||
	    regression_try(r, sources, REGRESS_BY_SOURCES) ||
	    regression_try(r, all, REGRESS_BY_ALL)) {
		set_same_code_apart(r, suspicions);
		return;
	}
	if (regress_search_stopped(r->search))
		r->answer->outcome = REGRESS_CUT;
}

void regression_search_dd(struct regression *r, bool augmented)
{
	struct regress_answer *a = r->answer;
	g_autoptr(GArray) suspicions = NULL, start = NULL, difference = NULL, mixture = NULL;
	guint n = regress_changes_count(r->versions->changes);

	if (augmented) {
		compare_coverage(r);
		suspicions =
			suspicions_new(a->changes, r->old_coverage, r->new_coverage, &r->o->limits);
		start = suspicions_order(suspicions, SUSPICION_EXECUTED);
		replace_set(&start, regress_set_of((const unsigned *)(const void *)start->data,
						   start->len));
	}
	n = start && start->len ? start->len : n;
	g_array_append_val(a->candidates, n);
	difference = regress_difference(r->search, start && start->len ? start : NULL, &mixture);
	a->basis = start && start->len ? REGRESS_BY_EXECUTED : REGRESS_BY_ALL;
	if (!difference) {
		a->outcome = REGRESS_CUT;
		return;
	}
	replace_set(&a->root, g_steal_pointer(&difference));
	a->outcome = REGRESS_FOUND;
}
