/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * With a change that keeps the program from reading its input, or from comparing its results,
 * every test passes, and says nothing: it passes vacuously, as a specification that holds whatever
 * a model does (Beer, Ben-David, Eisner, Rodeh: Efficient Detection of Vacuity in Temporal Model
 * Checking, 2001).  What shows it is a second change, of another line, that by itself makes a
 * passing test fail: a killer.  Where several killers do no harm any more together with the change,
 * it is vacuous.
 *
 * A change that weakens one check of many is told by killers that only this check finds: they do no
 * harm when it lets everything pass, and none with the change either.
 *
 * A change may also lead runs another way, as between two methods, so that killers on the old way
 * are not executed any more.  Of a check that is weakened this says nothing; and where some other
 * killers still do harm, the program still does its work.
 */
#include "gdbext/evidence/mutation/mutation-private.h"

#include "gdbext/replay/interrupt.h"
#include "solver/rank/units.h"

struct killer {
	unsigned line;			/* the plan's number */
	GArray *actions;		/* struct trace_action */
	const struct neighbour *victim; /* a passing test that fails with it */
	GPtrArray *others; /* const struct neighbour *: the same; NULL = not looked for */
	bool at_check;	   /* … by the check that the failing tests fail by */
};

static void killer_free(gpointer killer)
{
	struct killer *k = killer;

	g_array_unref(k->actions);
	g_clear_pointer(&k->others, g_ptr_array_unref);
	g_free(k);
}

static GPtrArray *passing_that_execute(const struct mutation *m, unsigned line)
{
	GPtrArray *all = g_ptr_array_new();

	for (guint i = 0; i < m->tests->passing->len; i++)
		if (((const struct neighbour *)m->tests->passing->pdata[i])->lines[line])
			g_ptr_array_add(all, m->tests->passing->pdata[i]);
	return all;
}

/* A passing test that fails with the actions, of a few that are evenly spread: those nearest to the
 * failing ones may fail by way of what is to be mended.  NULL = none of them. */
static const struct neighbour *victim_of(struct mutation *m, const GPtrArray *tests,
					 const GArray *actions)
{
	guint n = (guint)MIN(m->limits->vacuity_tests, tests->len);

	for (guint i = 0; i < n; i++) {
		const struct neighbour *t = tests->pdata[(i + 1) * tests->len / n - 1];

		if (!mutation_passes(m, &m->plain, t, actions))
			return t;
	}
	return NULL;
}

/* Would the victim pass if the check that failed let everything pass? */
static bool fails_at_check(struct mutation *m, const struct neighbour *victim,
			   const GArray *actions)
{
	return m->excused.base->len && mutation_passes(m, &m->excused, victim, actions);
}

static guint killers_at_check(const struct mutation *m)
{
	guint n = 0;

	for (guint i = 0; i < m->killers->len; i++)
		n += ((const struct killer *)m->killers->pdata[i])->at_check;
	return n;
}

static bool has_enough(const struct mutation *m, bool at_check)
{
	return (at_check ? killers_at_check(m) : m->killers->len) >= m->limits->vacuity_killers;
}

/* Makes a killer of one of the line's mutants that stay in their place: the first of a few with
 * which a passing test fails.  With two mutants, the second one is at the check. */
static void add_killers(struct mutation *m, const struct unit_line *at, unsigned number)
{
	g_autoptr(GArray) all = mutator_line(m->mutator, at->file, at->number);
	g_autoptr(GPtrArray) tests = passing_that_execute(m, number);
	guint most = (guint)MIN(m->limits->vacuity_tries, all->len), before = m->killers->len;

	for (guint i = 0; i < most; i++) {
		const struct mutant *with = &g_array_index(all, struct mutant, i * all->len / most);
		g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
		struct killer k = { .line = number };

		if (with->piece || with->link_to)
			continue;
		mutant_actions(with, actions);
		k.victim = victim_of(m, tests, actions);
		if (!k.victim)
			continue;
		k.at_check = fails_at_check(m, k.victim, actions);
		if (!k.at_check && (m->killers->len > before || has_enough(m, false)))
			continue;
		k.actions = g_steal_pointer(&actions);
		g_ptr_array_add(m->killers, g_memdup2(&k, sizeof k));
		if (k.at_check || !m->excused.base->len)
			return;
	}
}

/* Lines that explanations name come first, since what goes wrong there is found by the check that
 * failed; then others, evenly spread. */
static void find_killers(struct mutation *m)
{
	const struct neighbours *tests = m->tests;
	const struct units *u = tests->r ? profile_plan_units(tests->r->plan) : NULL;
	guint n = u ? u->lines->len : 0, lines = (guint)MIN(m->limits->vacuity_lines, n);

	m->killers = g_ptr_array_new_with_free_func(killer_free);
	for (guint i = 0; i < m->named->len + lines && !has_enough(m, m->excused.base->len > 0);
	     i++) {
		guint number = i < m->named->len ? g_array_index(m->named, unsigned, i)
						 : (i - m->named->len) * n / lines;

		add_killers(m, &g_array_index(u->lines, struct unit_line, number), number);
	}
}

/* How many killers could do harm, how many of them were not run yet, how many did none though they
 * were executed, and how many were not executed. */
struct harm {
	unsigned all, left, harmless, astray;
};

static bool is_most(struct harm h, uint64_t least, uint64_t share)
{
	return h.harmless >= least && 100 * h.harmless > share * h.all;
}

static bool may_become_most(struct harm h, uint64_t least, uint64_t share)
{
	h.harmless += h.astray + h.left;
	return is_most(h, least, share);
}

/* Killers that were not executed count only where too few others do harm. */
static struct harm with_astray(struct harm h, uint64_t least)
{
	if (h.all - h.left - h.harmless - h.astray >= least)
		h.all -= h.astray;
	else
		h.harmless += h.astray;
	return h;
}

static struct harm without_astray(struct harm h)
{
	h.all -= h.astray;
	return h;
}

/* Is the line in the file of the check that failed, so that a change of it may weaken the check? */
static bool is_beside_check(const struct mutation *m, guint line)
{
	const struct units *u = profile_plan_units(m->tests->r->plan);

	return m->file &&
	       g_strcmp0(g_array_index(u->lines, struct unit_line, line).file, m->file) == 0;
}

static uint64_t vacuity_share_of(const struct mutation *m, guint line)
{
	const struct limits *l = m->limits;
	guint tests = m->tests->failing->len + m->tests->passing->len;

	return tests >= l->vacuity_few && is_beside_check(m, line) ? l->vacuity_share
								   : l->vacuity_share_far;
}

/* Does the killer tell anything about a change of the line?  A killer in the same line does not,
 * nor does a test that never comes to the line. */
static bool concerns_line(const struct killer *k, guint line)
{
	return k->line != line && k->victim->lines[line];
}

static bool passes_with_both(struct mutation *m, const struct killer *k,
			     const struct neighbour *victim, const GArray *changes)
{
	g_autoptr(GArray) both = g_array_copy((GArray *)changes);

	g_array_append_vals(both, k->actions->data, k->actions->len);
	return mutation_passes(m, &m->plain, victim, both);
}

static bool is_victim(struct mutation *m, const struct killer *k, const struct neighbour *t)
{
	return !mutation_passes(m, &m->plain, t, k->actions) &&
	       (!k->at_check || fails_at_check(m, t, k->actions));
}

/* Collects other victims, which fail by the same check.  Those least like the failing tests come
 * first, because the nearest ones may fail through the fault itself. */
static const GPtrArray *others_of(struct mutation *m, struct killer *k)
{
	const GPtrArray *passing = m->tests->passing;
	uint64_t tried = 0;

	if (k->others)
		return k->others;
	k->others = g_ptr_array_new();
	for (guint i = passing->len; i > 0 && tried < m->limits->vacuity_tests &&
				     k->others->len < m->limits->vacuity_victims;
	     i--) {
		const struct neighbour *t = passing->pdata[i - 1];

		if (t == k->victim || !t->lines[k->line])
			continue;
		tried++;
		if (is_victim(m, k, t))
			g_ptr_array_add(k->others, (gpointer)t);
	}
	return k->others;
}

/* With a vacuous change none of its victims fails. */
static bool does_no_harm(struct mutation *m, struct killer *k, guint line, const GArray *changes)
{
	const GPtrArray *others;

	if (!passes_with_both(m, k, k->victim, changes))
		return false;
	others = others_of(m, k);
	for (guint i = 0; i < others->len; i++) {
		const struct neighbour *t = others->pdata[i];

		if (t->lines[line] && !passes_with_both(m, k, t, changes))
			return false;
	}
	return true;
}

/* Does the killer's victim still execute the killer's place with the change? */
static bool victim_comes_there(struct mutation *m, const struct killer *k, const GArray *changes)
{
	struct trace_action stop = g_array_index(k->actions, struct trace_action, 0);
	g_autoptr(GArray) both = g_array_copy((GArray *)changes);

	stop.value[0] = 0xf4; /* hlt, which no program may execute */
	stop.size = 1;
	g_array_append_val(both, stop);
	return !mutation_passes(m, &m->plain, k->victim, both);
}

static void run_killer(struct mutation *m, struct killer *k, guint line, const GArray *changes,
		       struct harm *all, struct harm *at_check)
{
	bool harmless = does_no_harm(m, k, line, changes),
	     astray = harmless && !victim_comes_there(m, k, changes);
	struct harm *counts[] = { all, k->at_check ? at_check : NULL };

	for (size_t i = 0; i < G_N_ELEMENTS(counts) && counts[i]; i++) {
		counts[i]->left--;
		counts[i]->astray += astray;
		counts[i]->harmless += harmless && !astray;
	}
}

static bool most_do_no_harm(struct mutation *m, guint line, const GArray *changes)
{
	const uint64_t least = m->limits->vacuity_least, share = vacuity_share_of(m, line),
		       check_share = m->limits->vacuity_check_share;
	struct harm all = { 0 }, at_check = { 0 };
	bool may = true;

	for (guint i = 0; i < m->killers->len; i++) {
		const struct killer *k = m->killers->pdata[i];

		all.all += concerns_line(k, line);
		at_check.all += k->at_check && concerns_line(k, line);
	}
	all.left = all.all;
	at_check.left = at_check.all;
	for (guint i = 0; i < m->killers->len && may; i++) {
		struct killer *k = m->killers->pdata[i];

		if (!concerns_line(k, line))
			continue;
		run_killer(m, k, line, changes, &all, &at_check);
		may = may_become_most(all, least, share) ||
		      may_become_most(at_check, least, check_share);
	}
	g_debug("of %u killers %u do no harm with it, %u are not executed; of %u at the check %u, "
		"%u; %u not run",
		all.all, all.harmless, all.astray, at_check.all, at_check.harmless, at_check.astray,
		all.left);
	return may && (is_most(with_astray(all, least), least, share) ||
		       is_most(without_astray(at_check), least, check_share));
}

bool mutation_is_vacuous(struct mutation *m, const struct trial *t, const GArray *changes)
{
	if (!m->limits->vacuity_least || t->line == UNIT_NONE)
		return false;
	if (!m->killers)
		find_killers(m);
	if (!most_do_no_harm(m, t->line, changes))
		/* when the time is up, nobody knows */
		return !replay_check_interrupt(NULL);
	m->vacuous = t->line;
	return true;
}
