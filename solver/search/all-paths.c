/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formula of all paths, as BugAssist (Jose and Majumdar, PLDI 2011) has it, in place of one
 * that grows on demand: before anything is asked, every side of every branch is gone down, and
 * every side that shows up there, loops up to the unroll bound.  A side is gone down by a forced
 * run, which tells what the code alone cannot: where pointers point, and what calls return.  The
 * runs of one round are merged together.
 */
#include "solver/search/search-private.h"
#include "solver/search/technique.h"

/* Sets nothing where the side cannot be forced, or was. */
static bool find_way(struct search *s, guint side, GArray *actions)
{
	const struct unexplored *u =
		&g_array_index(s->formula->unexplored, struct unexplored, side);

	if (u->cut)
		return false;
	candidate_actions_to(s, (int)side, actions);
	return actions->len && candidate_is_new(s, actions);
}

static bool may_go_on(struct search *s)
{
	if (s->runs->len >= s->limits->path_runs)
		search_cut(s, LIMIT_path_runs);
	else if (search_time_left_ms(s))
		return true;
	s->complete = false;
	return false;
}

static bool keep(struct search *s, const GArray *actions, struct search_run *run, GError **error)
{
	const struct trace_action *first = (const struct trace_action *)(const void *)actions->data;
	GError *failed = NULL;

	if (search_append_run(s, run->result.record, run, first, actions->len, &failed)) {
		s->unmerged++;
		return true;
	}
	/* without the thread that failed, the run shows nothing */
	if (g_error_matches(failed, TRACE_ERROR, TRACE_ERROR_OPEN)) {
		g_error_free(failed);
		return true;
	}
	g_propagate_error(error, failed);
	return false;
}

/* One run for each side of the formula as it is now. */
static bool go_down_all(struct search *s, GError **error)
{
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

	for (guint side = 0; side < s->formula->unexplored->len && may_go_on(s); side++) {
		struct search_run run = { 0 };

		if (!find_way(s, side, actions))
			continue;
		if (!deadline_check(s->options.until, error) ||
		    !candidate_run(s, actions, &run, error) || !keep(s, actions, &run, error))
			return false;
	}
	return true;
}

bool search_all_paths(struct search *s, GError **error)
{
	bool more = s->runner;

	while (more) {
		if (!go_down_all(s, error))
			return false;
		more = s->unmerged > 0 && may_go_on(s);
		if (!search_merge(s, error))
			return false;
	}
	for (guint i = 0; i < s->formula->unexplored->len; i++)
		if (g_array_index(s->formula->unexplored, struct unexplored, i).cut)
			search_cut(s, LIMIT_unroll);
	return true;
}
