/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs that are made for a candidate: proofs, and ways that no run went. */
#include "solver/memory/memory.h"
#include "solver/search/search-private.h"
#include "solver/search/technique.h"

#define NO_RUN "rests on a side of a branch that no run took"
#define FAILS_OTHERWISE "with these values the test fails in another way"
#define LED_OUTSIDE \
	"with this change the run uses memory outside of an object, or an uninitialised value"
const char candidate_not_here[] = "nothing could be run";

bool candidate_may_run(struct search *s)
{
	if (!s->runner)
		return false;
	if (search_runs(s) >= s->limits->runs)
		search_cut(s, LIMIT_runs);
	else if (search_is_merged_enough(s))
		search_cut(s, LIMIT_merged_terms);
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

static const char *why_not_proven(const struct search_run *run)
{
	return run->outside ? LED_OUTSIDE : FAILS_OTHERWISE;
}

static bool does_run_touch_outside(struct search *s, const char *folder,
				   const struct memory_options *options)
{
	struct memory_record r = { .folder = folder,
				   .images = s->images,
				   .n_images = s->n_images,
				   .thread = s->options.thread,
				   .until = s->options.until,
				   .most = s->limits->influence_insns,
				   .looked_at = s->looked_at };
	bool does = memory_is_led_outside(&r, options);

	s->looked_at = r.looked_at;
	return does;
}

/* Do the actions lead the run out of an object, by a value that they set or by a branch that
 * they turn?  Such a run touches memory that the program does not mean, so it proves nothing.
 * After a turned branch any access counts, unless the failing run itself leaves an object. */
static bool is_candidate_led_outside(struct search *s, const GArray *actions, const char *directory)
{
	const struct trace_action *first = (const struct trace_action *)(const void *)actions->data;
	const struct memory_options options = {
		.code = s->code,
		.actions = first,
		.n_actions = actions->len,
		.influence = memory_sets_a_value(first, actions->len),
		.tables = true,
	};

	if (!does_run_touch_outside(s, directory, &options))
		return false;
	if (!options.influence && !s->first_looked_at) {
		s->first_outside = does_run_touch_outside(
			s, s->first_record,
			&(struct memory_options){ .code = s->code, .tables = true });
		s->first_looked_at = true;
	}
	return options.influence || !s->first_outside;
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
	s->runs_made++;
	s->actions_done = run->result.actions_done;
	run->met = requirement_is_met(s->options.walk.requirement, &run->result, &request);
	run->outside = run->met && run->result.record && actions->len &&
		       is_candidate_led_outside(s, actions, run->result.record);
	run->met &= !run->outside;
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

/* The run is merged: now or, when the formula is long, after the other candidates were asked. */
static bool merge_run(struct search *s, const GArray *actions, struct search_run *run,
		      GError **error)
{
	const struct trace_action *first = (const struct trace_action *)(const void *)actions->data;

	return s->formula->steps >= s->limits->merge_later_steps
		       ? search_keep_run(s, run, first, actions->len, error)
		       : search_add_run(s, run->result.record, run, first, actions->len, error);
}

/* Without the failing thread's record there is nothing to learn from the run. */
static void learn_nothing(struct search *s, GError *failed, GError **error)
{
	s->no_progress = s->formula && g_error_matches(failed, TRACE_ERROR, TRACE_ERROR_OPEN);
	if (s->no_progress)
		g_error_free(failed);
	else
		g_propagate_error(error, failed);
}

/* Tries changed values that no formula suggests, unless that was done before. */
static void mutate_values(struct search *s, struct candidate *c, GError **error)
{
	if (c->n == 1)
		technique_try(s, &technique_value_mutations, c, error);
}

/* When several runs taught something, the formula knows little, so sides are explored before
 * anybody asks for them. */
static void explore_after_lessons(struct search *s, struct candidate *c, GError **error)
{
	if (++s->learned == s->limits->lessons_before_sides)
		technique_try(s, &technique_unexplored_branches, c, error);
}

/* Runs with floating point are merged several at a time at first, because most failing witnesses
 * there only show another number of rounds.  The candidate's values are varied before it waits
 * for the merge. */
static void learn_later(struct search *s, struct candidate *c, const GArray *actions,
			struct search_run *run, GError **error)
{
	GError *failed = NULL;

	if (!search_keep_run(s, run, (const struct trace_action *)(const void *)actions->data,
			     actions->len, &failed)) {
		learn_nothing(s, failed, error);
		return;
	}
	explore_after_lessons(s, c, &failed);
	if (!failed)
		mutate_values(s, c, &failed);
	if (failed)
		g_propagate_error(error, failed);
	else if (c->state == CANDIDATE_OPEN)
		candidate_defer(s, c, LIMIT_unmerged_runs);
}

/* A candidate for which many runs did not pass waits until the others were asked. */
static void count_vain_run(struct search *s, struct candidate *c)
{
	if (++s->candidate_runs >= search_effort(s, s->limits->candidate_runs))
		candidate_defer(s, c, LIMIT_candidate_runs);
}

/* A run that did not pass shows what the formula did not know: it is merged, and
 * the candidate is to be asked again, now or when the others were. */
static void learn_from_run(struct search *s, struct candidate *c, const GArray *actions,
			   struct search_run *run, GError **error)
{
	uint64_t before = s->formula->steps;
	GError *failed = NULL;

	if (!merge_run(s, actions, run, &failed)) {
		learn_nothing(s, failed, error);
		return;
	}
	s->no_progress = !s->unmerged && s->formula->steps == before;
	if (!s->no_progress)
		explore_after_lessons(s, c, error);
	if (s->unmerged)
		candidate_defer(s, c, LIMIT_merge_later_steps);
	else if (!s->no_progress)
		count_vain_run(s, c);
}

/* The formula is wrong about the path, but no further run may be merged. */
static void give_way(struct search *s, struct candidate *c, GError **error)
{
	model_path_free(c->path);
	if (!*error)
		mutate_values(s, c, error);
	if (c->state == CANDIDATE_OPEN)
		candidate_defer(s, c, N_LIMITS);
}

/* Takes a run that mends only the first of several differences as an answer, where nothing
 * better is to be expected. */
static bool answer_further(struct search *s, struct candidate *c, const struct search_run *run)
{
	const struct requirement *r = s->options.walk.requirement;
	struct expected_progress to;

	if (!r->takes_further || !requirement_gets_further(r, &run->result, &to))
		return false;
	candidate_answer(s, c, c->path, REPLAY_FAILS, NULL);
	candidate_came_further(s, r->end.differs_at.line, to.line);
	return true;
}

/* Replays the path.  A run that meets the requirement is an answer; any other run is merged. */
static void prove_candidate(struct search *s, struct candidate *c, GError **error)
{
	bool is_new = candidate_is_new(s, c->path->actions);
	struct search_run run = { 0 };

	if (!s->runner) {
		candidate_answer(s, c, c->path, REPLAY_NOT_RUN, candidate_not_here);
		return;
	}
	if (!candidate_run(s, c->path->actions, &run, error)) {
		model_path_free(c->path);
		return;
	}
	if (run.met) {
		run_result_clear(&run.result);
		candidate_answer(s, c, c->path, REPLAY_PASSES, NULL);
	} else if (answer_further(s, c, &run)) {
		run_result_clear(&run.result);
	} else if (is_new && !s->no_progress && candidate_may_run(s)) {
		if (s->formula->has_floats && c->n == 1 && !s->pass)
			learn_later(s, c, c->path->actions, &run, error);
		else
			learn_from_run(s, c, c->path->actions, &run, error);
		model_path_free(c->path);
	} else {
		run_result_clear(&run.result);
		if (is_new && !s->no_progress)
			give_way(s, c, error);
		else
			candidate_answer(s, c, c->path, REPLAY_FAILS, why_not_proven(&run));
	}
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

bool candidate_passes(struct search *s, const GArray *actions, GError **error)
{
	struct search_run run = { 0 };
	bool passed = candidate_run(s, actions, &run, error) && run.met;

	run_result_clear(&run.result);
	return passed;
}

/* Replays the witness.  Without WAYS_NEW the witness may change values but turn no branch. */
static void replay_only(struct search *s, struct candidate *c, GError **error)
{
	struct search_run run = { 0 };
	bool turns = turns_a_branch(c->path);

	if (!s->runner && !turns) {
		candidate_answer(s, c, c->path, REPLAY_NOT_RUN, candidate_not_here);
		return;
	}
	if (!candidate_may_run(s) || (!s->options.hijack && turns)) {
		candidate_answer(s, c, c->path, REPLAY_NOT_RUN, NO_RUN);
		return;
	}
	if (!candidate_run(s, c->path->actions, &run, error))
		model_path_free(c->path);
	else
		candidate_answer(s, c, c->path, run.met ? REPLAY_PASSES : REPLAY_FAILS,
				 run.met ? NULL : why_not_proven(&run));
	run_result_clear(&run.result);
}

/* No further run may be merged, so this run can only prove the candidate. */
static void run_at_last(struct search *s, struct candidate *c, GError **error)
{
	if (candidate_is_new(s, c->path->actions) && candidate_passes(s, c->path->actions, error))
		candidate_answer(s, c, c->path, REPLAY_PASSES, NULL);
	else
		give_way(s, c, error);
}

/* The actions for a run to the side that was not made yet; false: the side is avoided.  *own:
 * they are the actions of the path itself. */
static bool choose_actions(struct search *s, const struct candidate *c, GArray *actions, bool *own)
{
	*own = candidate_is_new(s, actions);
	if (*own)
		return true;
	candidate_actions_to(s, c->side, actions);
	if (!s->no_progress && actions->len && candidate_is_new(s, actions))
		return true;
	g_array_append_val(s->avoided, c->side);
	return false;
}

static void explore_side_of_candidate(struct search *s, struct candidate *c, GError **error)
{
	g_autoptr(GArray) actions = g_array_copy(c->path->actions);
	struct search_run run = { 0 };
	bool own;

	if (!s->options.hijack || !s->runner) {
		replay_only(s, c, error);
		return;
	}
	if (c->side < 0) {
		candidate_answer(s, c, c->path, REPLAY_NOT_RUN, NO_RUN);
		return;
	}
	if (!candidate_may_run(s)) {
		run_at_last(s, c, error);
		return;
	}
	if (!choose_actions(s, c, actions, &own)) {
		/* its runs are known: the formula may lead to hundreds of such sides in turn */
		count_vain_run(s, c);
	} else if (candidate_run(s, actions, &run, error)) {
		if (run.met && own) {
			run_result_clear(&run.result);
			candidate_answer(s, c, c->path, REPLAY_PASSES, NULL);
			return;
		}
		if (own && answer_further(s, c, &run)) {
			run_result_clear(&run.result);
			return;
		}
		learn_from_run(s, c, actions, &run, error);
	}
	model_path_free(c->path);
}

static void go_beyond(struct search *s, struct candidate *c, GError **error)
{
	if (!s->options.hijack || !candidate_may_run(s)) {
		replay_only(s, c, error);
	} else if (candidate_passes(s, c->path->actions, error)) {
		candidate_answer(s, c, c->path, REPLAY_PASSES, NULL);
	} else {
		model_path_free(c->path);
		candidate_defer(s, c, N_LIMITS);
	}
}

void candidate_settle(struct search *s, struct candidate *c, GError **error)
{
	static void (*const settle[])(struct search *, struct candidate *, GError **) = {
		[WAYS_KNOWN] = prove_candidate,
		[WAYS_NEW] = explore_side_of_candidate,
		[WAYS_ANYWHERE] = go_beyond,
	};

	c->state = CANDIDATE_OPEN;
	settle[c->ways](s, c, error);
	c->path = NULL;
}
