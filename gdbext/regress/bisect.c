/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --bisect-first: the commit that broke the test, in a history of many. */
#include "gdbext/regress/flow-private.h"

#include <glib/gstdio.h>

/* What is known of a commit: not looked at, passes, fails, or cannot be judged. */
enum state { UNSEEN, GOOD, BAD, SKIPPED };

/* The test of a commit, built in a folder of its own. */
static enum regress_verdict judge_commit(struct regression *r, const char *commit, unsigned number,
					 GError **error)
{
	g_autofree char *name = g_strdup_printf("bisect%u", number);
	g_autofree char *room = g_build_filename(r->room, name, NULL);
	enum regress_verdict v = REGRESS_STOPPED;

	g_free(r->bad);
	r->bad = g_strdup(commit);
	if (g_mkdir(room, 0755) == 0 && regression_open(r, room, error)) {
		v = workshop_test_twice(r->workshop, r->none);
		if (v == REGRESS_STOPPED && workshop_error(r->workshop))
			g_propagate_error(error, g_error_copy(workshop_error(r->workshop)));
	}
	regression_close(r);
	if (!r->o->keep)
		folder_remove(room);
	return v;
}

/* The unseen commit nearest to the middle of (good, bad); 0 = none. */
static guint next_probe(const enum state *states, guint good, guint bad)
{
	guint middle = good + (bad - good) / 2;

	for (guint d = 0; d < bad - good; d++) {
		if (middle + d < bad && states[middle + d] == UNSEEN)
			return middle + d;
		if (middle > good + d && states[middle - d] == UNSEEN)
			return middle - d;
	}
	return 0;
}

/* commits[0] is the old version, the last one the new. */
static bool narrow_commits(struct regression *r, const GPtrArray *commits, guint *good, guint *bad,
			   GError **error)
{
	g_autofree enum state *states = g_new0(enum state, commits->len);
	guint at;

	states[0] = GOOD;
	states[commits->len - 1] = BAD;
	while ((at = next_probe(states, *good, *bad))) {
		enum regress_verdict v = judge_commit(r, commits->pdata[at], at, error);

		if (v == REGRESS_STOPPED)
			return false;
		r->judged++;
		states[at] = v == REGRESS_PASSES ? GOOD : v == REGRESS_FAILS ? BAD : SKIPPED;
		if (states[at] == GOOD)
			*good = at;
		else if (states[at] == BAD)
			*bad = at;
		if (r->o->verbose)
			g_printerr("bisect: %.7s %s\n", (char *)commits->pdata[at],
				   regress_verdict_name(v));
	}
	return true;
}

int regression_bisect(struct regression *r, GError **error)
{
	g_autoptr(GPtrArray) commits = regress_commits(r->o->directory, r->good, r->bad, error);
	guint good = 0, bad;
	bool ok;

	if (!commits)
		return OPTIONS_EXIT_USAGE;
	g_ptr_array_insert(commits, 0, g_strdup(r->good));
	r->commits = bad = commits->len - 1;
	ok = narrow_commits(r, commits, &good, &bad, error);
	g_free(r->good);
	g_free(r->bad);
	r->good = g_strdup(commits->pdata[good]);
	r->bad = g_strdup(commits->pdata[bad]);
	if (ok)
		return 0;
	return error && *error ? OPTIONS_EXIT_USAGE : OPTIONS_EXIT_INTERRUPTED;
}
