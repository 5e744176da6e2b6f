/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs that are made for a candidate: proofs, and ways that no run went. */
#include "solver/search/search-private.h"

#define NO_RUN "rests on a side of a branch that no run took"
static const char not_here[] = "nothing could be run";

bool candidate_may_run(struct search *s)
{
	if (!s->runner)
		return false;
	if (s->runs->len >= s->limits->runs)
		search_cut(s, LIMIT_runs);
	else if (search_time_left_ms(s))
		return true;
	s->complete = false;
	return false;
}

void candidate_actions_to(const struct search *s, int side, GArray *actions)
{
	const struct unexplored *u =
		&g_array_index(s->formula->unexplored, struct unexplored, (guint)side);
	const struct known_run *k = s->runs->pdata[u->run];
	struct trace_action turn = { .kind = TRACE_ACTION_FORCE, .nth = u->nth };
	uint64_t link;
	const struct trace_module *m = trace_run_module_at(k->record, u->pc, &link);

	g_array_set_size(actions, 0);
	if (!m || u->indirect)
		return;
	turn.module = trace_run_module_number(k->record, m);
	turn.thread = trace_run_chosen(k->record);
	turn.addr = link;
	turn.value[0] = u->outcome;
	g_array_append_vals(actions, k->actions->data, k->actions->len);
	g_array_append_val(actions, turn);
}

bool candidate_run(struct search *s, const GArray *actions, struct search_run *run, GError **error)
{
	struct run_request request = {
		.actions = (const struct trace_action *)(const void *)actions->data,
		.n_actions = actions->len,
		.record = true,
		.max_insns =
			s->limits->run_insns + s->limits->run_insns_times * search_first_insns(s),
	};

	if (!s->runner->run(s->runner, &request, &run->result, error))
		return false;
	run->met = requirement_is_met(s->options.walk.requirement, &run->result, &request);
	g_debug("%.3f s, run with %u changes: %s, end %d, status %d, %lu done",
		g_timer_elapsed(s->clock, NULL), actions->len, run->met ? "met" : "not met",
		run->result.end, run->result.status, run->result.actions_done);
	return true;
}

char *candidate_sum(const GArray *actions)
{
	return g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)actions->data,
					   actions->len * sizeof(struct trace_action));
}

bool candidate_is_new(struct search *s, const GArray *actions)
{
	return g_hash_table_add(s->tried, candidate_sum(actions));
}

void candidate_is_done(struct search *s)
{
	s->candidate_runs = 0;
	s->no_progress = false;
}

void candidate_defer(struct search *s, enum limit because)
{
	if (because < N_LIMITS)
		limits_reached(s->limits, because);
	comss_defer(s->comss);
	candidate_is_done(s);
}

static struct search_answer *answer_new(struct search *s, const unsigned *set, unsigned n,
					struct model_path *path)
{
	struct search_answer *a = g_new0(struct search_answer, 1);

	a->selectors = g_array_new(FALSE, FALSE, sizeof(unsigned));
	if (n)
		g_array_append_vals(a->selectors, set, n);
	a->replay = REPLAY_NOT_RUN;
	a->path = path;
	a->changed = g_array_new(FALSE, FALSE, sizeof(struct definition));
	for (guint i = 0; i < path->changes->len; i++) {
		uint32_t d = g_array_index(path->changes, struct model_path_change, i).def;

		g_array_append_val(a->changed,
				   g_array_index(s->formula->definitions, struct definition, d));
	}
	g_ptr_array_add(s->answers, a);
	comss_accept(s->comss);
	candidate_is_done(s);
	return a;
}

const struct search_answer *candidate_answer(struct search *s, const struct encoding_question *q,
					     struct model_path *path,
					     enum explanation_replay replay, const char *note)
{
	struct search_answer *a = answer_new(s, q->relaxed, q->n, path);

	a->replay = replay;
	a->needs_run = replay == REPLAY_NOT_RUN && note != not_here;
	a->note = note;
	return a;
}

/* The run is merged, now or, where the formula is long, when the others were asked. */
static bool merge_run(struct search *s, const GArray *actions, struct search_run *run,
		      GError **error)
{
	const struct trace_action *first = (const struct trace_action *)(const void *)actions->data;

	return s->formula->steps >= s->limits->merge_later_steps
		       ? search_keep_run(s, run, first, actions->len, error)
		       : search_add_run(s, run->result.record, run, first, actions->len, error);
}

/* Without the thread that failed there is nothing to learn. */
static void learn_nothing(struct search *s, GError *failed, GError **error)
{
	s->no_progress = g_error_matches(failed, TRACE_ERROR, TRACE_ERROR_OPEN);
	if (s->no_progress)
		g_error_free(failed);
	else
		g_propagate_error(error, failed);
}

/* Where there is floating point most witnesses that fail show but another number of
 * rounds: at first such runs are merged several at a time, and the candidate is varied
 * before it waits for that. */
static const struct search_answer *learn_later(struct search *s, const struct encoding_question *q,
					       const GArray *actions, struct search_run *run,
					       GError **error)
{
	const struct search_answer *found;
	GError *failed = NULL;

	if (!search_keep_run(s, run, (const struct trace_action *)(const void *)actions->data,
			     actions->len, &failed)) {
		learn_nothing(s, failed, error);
		return NULL;
	}
	if (++s->learned == s->limits->lessons_before_sides)
		search_explore_all(s, &failed);
	found = failed ? NULL : candidate_vary(s, q, &failed);
	if (failed)
		g_propagate_error(error, failed);
	else if (!found)
		candidate_defer(s, LIMIT_unmerged_runs);
	return found;
}

/* A run that did not pass shows what the formula did not know: it is merged, and
 * the candidate is to be asked again, now or when the others were. */
static void learn(struct search *s, const GArray *actions, struct search_run *run, GError **error)
{
	uint64_t before = s->formula->steps;
	GError *failed = NULL;

	if (!merge_run(s, actions, run, &failed)) {
		learn_nothing(s, failed, error);
		return;
	}
	s->no_progress = !s->unmerged && s->formula->steps == before;
	if (!s->no_progress && ++s->learned == s->limits->lessons_before_sides)
		search_explore_all(s, error);
	if (s->unmerged)
		candidate_defer(s, LIMIT_merge_later_steps);
	else if (!s->no_progress &&
		 ++s->candidate_runs >= search_effort(s, s->limits->candidate_runs))
		candidate_defer(s, LIMIT_candidate_runs);
}

/* The formula is wrong about the path, and no more runs are to be learned from. */
static const struct search_answer *give_way(struct search *s, const struct encoding_question *q,
					    struct model_path *path, GError **error)
{
	const struct search_answer *found = NULL;

	model_path_free(path);
	if (q->n == 1 && !(error && *error))
		found = candidate_vary(s, q, error);
	if (!found)
		candidate_defer(s, N_LIMITS);
	return found;
}

const struct search_answer *candidate_prove(struct search *s, const struct encoding_question *q,
					    struct model_path *path, GError **error)
{
	bool is_new = candidate_is_new(s, path->actions);
	const struct search_answer *found;
	struct search_run run = { 0 };

	if (!s->runner)
		return candidate_answer(s, q, path, REPLAY_NOT_RUN, not_here);
	if (!candidate_run(s, path->actions, &run, error)) {
		model_path_free(path);
		return NULL;
	}
	if (run.met) {
		run_result_clear(&run.result);
		return candidate_answer(s, q, path, REPLAY_PASSES, NULL);
	}
	if (is_new && !s->no_progress && candidate_may_run(s)) {
		found = NULL;
		if (s->formula->has_floats && q->n == 1 && !s->pass)
			found = learn_later(s, q, path->actions, &run, error);
		else
			learn(s, path->actions, &run, error);
		model_path_free(path);
		return found;
	}
	run_result_clear(&run.result);
	if (is_new && !s->no_progress)
		return give_way(s, q, path, error);
	return candidate_answer(s, q, path, REPLAY_FAILS,
				"with these values the test fails in another way");
}

/* Does the path turn a branch, not only change values? */
static bool turns_a_branch(const struct model_path *path)
{
	for (guint i = 0; i < path->actions->len; i++) {
		unsigned kind = g_array_index(path->actions, struct trace_action, i).kind;

		if (kind == TRACE_ACTION_FORCE || kind == TRACE_ACTION_JUMP)
			return true;
	}
	return false;
}

/* Replays the witness and learns nothing from it.  Where no new ways are wanted
 * it may only change values. */
static const struct search_answer *replay_only(struct search *s, const struct encoding_question *q,
					       struct model_path *path, GError **error)
{
	struct search_run run = { 0 };
	bool passed;

	if (!s->runner && !turns_a_branch(path))
		return candidate_answer(s, q, path, REPLAY_NOT_RUN, not_here);
	if (!candidate_may_run(s) || (!s->options.hijack && turns_a_branch(path)))
		return candidate_answer(s, q, path, REPLAY_NOT_RUN, NO_RUN);
	if (!candidate_run(s, path->actions, &run, error)) {
		model_path_free(path);
		return NULL;
	}
	passed = run.met;
	run_result_clear(&run.result);
	return candidate_answer(s, q, path, passed ? REPLAY_PASSES : REPLAY_FAILS,
				passed ? NULL : "with these values the test fails in another way");
}

/* No more runs are to be learned from: this one proves the candidate, or not. */
static const struct search_answer *run_at_last(struct search *s, const struct encoding_question *q,
					       struct model_path *path, GError **error)
{
	struct search_run run = { 0 };
	bool passed;

	passed = candidate_is_new(s, path->actions) &&
		 candidate_run(s, path->actions, &run, error) && run.met;
	run_result_clear(&run.result);
	if (passed)
		return candidate_answer(s, q, path, REPLAY_PASSES, NULL);
	return give_way(s, q, path, error);
}

const struct search_answer *candidate_explore(struct search *s, const struct encoding_question *q,
					      struct model_path *path, int side, GError **error)
{
	g_autoptr(GArray) actions = g_array_copy(path->actions);
	struct search_run run = { 0 };

	if (!s->options.hijack || !s->runner)
		return replay_only(s, q, path, error);
	if (side < 0)
		return candidate_answer(s, q, path, REPLAY_NOT_RUN, NO_RUN);
	if (!candidate_may_run(s))
		return run_at_last(s, q, path, error);
	if (!candidate_is_new(s, actions)) {
		candidate_actions_to(s, side, actions);
		if (s->no_progress || !actions->len || !candidate_is_new(s, actions)) {
			g_array_append_val(s->avoided, side);
			model_path_free(path);
			return NULL;
		}
	}
	if (candidate_run(s, actions, &run, error)) {
		if (run.met && actions->len == path->actions->len) {
			run_result_clear(&run.result);
			return candidate_answer(s, q, path, REPLAY_PASSES, NULL);
		}
		learn(s, actions, &run, error);
	}
	model_path_free(path);
	return NULL;
}

const struct search_answer *candidate_go_beyond(struct search *s, const struct encoding_question *q,
						struct model_path *path, GError **error)
{
	struct search_run run = { 0 };
	bool passed;

	if (!s->options.hijack || !candidate_may_run(s))
		return replay_only(s, q, path, error);
	passed = candidate_run(s, path->actions, &run, error) && run.met;
	run_result_clear(&run.result);
	if (passed)
		return candidate_answer(s, q, path, REPLAY_PASSES, NULL);
	model_path_free(path);
	candidate_defer(s, N_LIMITS);
	return NULL;
}
