/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formula of all paths, as BugAssist (Jose and Majumdar, PLDI 2011) has it, in place of one
 * that grows on demand: before anything is asked, every side of every branch is gone down, and
 * every side that shows up there, into calls, and round loops up to the unroll bound.
 *
 *     side of a branch -- go_down_by_code: what the code alone tells (static-run.h)
 *       it comes to the end, or to where other ways are known   that is all
 *       the code does not tell how it goes on                   go_down_by_run: a forced run does
 *
 * The sides of one round are merged together.
 */
#include "solver/search/search-private.h"
#include "solver/search/technique.h"

static const struct known_run *run_number(const struct search *s, guint i)
{
	return s->runs->pdata[i];
}

static bool may_explore_further(struct search *s)
{
	if (s->runs->len >= s->limits->path_runs)
		search_cut(s, LIMIT_path_runs);
	else if (search_time_left_ms(s))
		return true;
	s->complete = false;
	return false;
}

/* Was this way gone down by the code before? */
static bool is_new_way(struct search *s, const GArray *actions)
{
	return g_hash_table_add(s->ways, candidate_sum(actions));
}

/* Returns false when the side cannot be gone down by a run.  *error is set only when the record
 * of that run makes no sense. */
static bool go_down_by_code(struct search *s, const struct unexplored *u, const GArray *actions,
			    GError **error)
{
	const struct known_run *k = run_number(s, u->run);
	const struct static_run_request request = {
		.actions = (const struct trace_action *)(const void *)k->actions->data,
		.n_actions = k->actions->len,
		.pc = u->pc,
		.nth = u->nth,
		.taken = u->outcome,
		.summary = s->summary,
		.rounds = s->options.walk.unroll,
		.max_insns =
			s->limits->run_insns + s->limits->run_insns_times * search_first_insns(s),
		.output_counts = s->options.walk.requirement->end.expected != NULL,
	};
	struct static_run_result result;
	struct trace_run *record = static_run_new(k->record, &request, s->lift, &result, error);

	if (!record)
		return false;
	if (result.end == STATIC_RUN_UNKNOWN)
		g_debug("after %" G_GUINT64_FORMAT " instructions the code does not tell %s",
			result.insns, result.why);
	search_append_static_run(s, record, &result, actions);
	s->unmerged++;
	return true;
}

/* The run is made, with these actions. */
static bool go_down_by_run(struct search *s, const GArray *actions, GError **error)
{
	const struct trace_action *first = (const struct trace_action *)(const void *)actions->data;
	struct search_run run = { 0 };
	GError *failed = NULL;

	if (!s->runner || !s->options.hijack || !candidate_is_new(s, actions))
		return true;
	if (!candidate_run(s, actions, &run, error))
		return false;
	if (search_append_run(s, run.result.record, &run, first, actions->len, &failed)) {
		s->unmerged++;
		s->paths.by_run++;
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

/* actions: room for those of a run. */
static bool explore_path_side(struct search *s, guint side, GArray *actions, GError **error)
{
	const struct unexplored u = g_array_index(s->formula->unexplored, struct unexplored, side);
	const struct known_run *k = run_number(s, u.run);
	g_autoptr(GArray) of_run = NULL;
	GError *failed = NULL;

	if (u.cut) {
		of_run = k->open ? g_array_copy(k->actions) : NULL;
		return !of_run || go_down_by_run(s, of_run, error);
	}
	candidate_actions_to(s, (int)side, actions);
	if (!actions->len || !is_new_way(s, actions) || go_down_by_code(s, &u, actions, &failed))
		return true;
	if (failed && !g_error_matches(failed, TRACE_ERROR, TRACE_ERROR_FORMAT)) {
		g_propagate_error(error, failed);
		return false;
	}
	g_clear_error(&failed);
	return go_down_by_run(s, actions, error);
}

/* Each side of the formula as it is now. */
static bool go_down_all(struct search *s, GError **error)
{
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

	for (guint side = 0; side < s->formula->unexplored->len && may_explore_further(s); side++)
		if (!deadline_check(s->options.until, error) ||
		    !explore_path_side(s, side, actions, error))
			return false;
	return true;
}

/* Counts the places where the formula ends before the program does. */
static void count_ends(struct search *s)
{
	for (guint i = 0; i < s->formula->unexplored->len; i++) {
		const struct unexplored *u =
			&g_array_index(s->formula->unexplored, struct unexplored, i);
		bool is_open = u->cut && run_number(s, u->run)->open;

		s->paths.open += is_open;
		s->paths.looping += u->cut && !is_open;
	}
	if (s->paths.looping)
		search_cut(s, LIMIT_unroll);
	if (s->paths.open)
		s->complete = false;
}

bool search_all_paths(struct search *s, GError **error)
{
	bool more = true;

	while (more) {
		if (!go_down_all(s, error))
			return false;
		more = s->unmerged > 0 && may_explore_further(s);
		if (!search_merge(s, error))
			return false;
	}
	count_ends(s);
	return true;
}
