/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/search/nearby-private.h"

#include "solver/base/hash.h"
#include "solver/source/expression/assigned-field.h"
#include "solver/source/failing-lines.h"

#include <string.h>

/* ---- runs ---- */

/* The slice's modules are those of the trace point's own run. */
static const struct trace_module *module_of_candidate(const struct nearby *n,
						      const struct candidate_instance *c)
{
	uint64_t link;

	return trace_run_module_at(n->run, c->at.pc, &link);
}

static struct trace_action action_of_instance(const struct nearby *n,
					      const struct candidate_instance *c, uint64_t value)
{
	struct trace_action a = {
		.kind = c->at.decides	     ? TRACE_ACTION_FORCE
			: c->at.place.memory ? TRACE_ACTION_MEM
					     : TRACE_ACTION_REG,
		.module = trace_run_module_number(n->run, module_of_candidate(n, c)),
		.thread = n->options.thread,
		.addr = c->at.insn->addr,
		.nth = c->nth,
	};

	if (!c->at.decides) {
		a.where = c->at.place.memory ? c->at.place.address : 0;
		a.reg = c->at.place.memory ? 0 : (uint16_t)c->at.place.reg;
		a.size = (uint16_t)c->at.place.size;
	}
	if (c->bits) {
		a.reg = TRACE_MEM_BITS;
		memcpy(a.value + TRACE_MEM_MASK, &c->bits, sizeof(c->bits));
	}
	memcpy(a.value, &value, sizeof(value));
	return a;
}

/* FAILS_LATER: the test fails in the same way, later or at about the same time, since runs are
 * not equally long everywhere. */
enum verdict { FAILS, FAILS_LATER, HIDES, PASSES };

/* What the program wrote to standard error when it failed, if it reports failures in that way. */
static void read_message(struct nearby *n)
{
	if (n->options.requirement->end.end != RUN_STATUS || !n->options.err ||
	    !g_file_get_contents(n->options.err, &n->message, &n->message_length, NULL))
		return;
	if (!n->message_length)
		g_clear_pointer(&n->message, g_free);
}

static bool has_same_message(const struct nearby *n, const struct run_result *result)
{
	g_autofree char *path =
		n->message && result->record ? g_build_filename(result->record, "err", NULL) : NULL;
	g_autofree char *text = NULL;
	gsize length;

	return path && g_file_get_contents(path, &text, &length, NULL) &&
	       length == n->message_length && memcmp(text, n->message, length) == 0;
}

/* Did the same mistake come back after the change?  A test that prints something wrong executes
 * about as much whatever is changed, so only its output tells that. */
static bool fails_later(const struct nearby *n, const struct run_result *result)
{
	const struct requirement_end *first = &n->options.requirement->end;
	struct expected_progress now;

	if (!first->expected || !first->differs_at.text_differs)
		return result->end == first->end && result->insns > n->insns - n->insns / 64;
	now = requirement_looks_at_output(n->options.requirement, result);
	return now.text_differs && now.stream == first->differs_at.stream &&
	       now.at > first->differs_at.at;
}

static enum verdict verdict_of_nearby(const struct nearby *n, const struct run_request *request,
				      const struct run_result *result)
{
	if (result->actions_done && requirement_is_met(n->options.requirement, result, request))
		return has_same_message(n, result) ? HIDES : PASSES;
	return result->actions_done == request->n_actions && fails_later(n, result) ? FAILS_LATER
										    : FAILS;
}

/* A run from a checkpoint counts executions from the checkpoint on. */
static struct trace_action *actions_from(const struct nearby *n, const struct candidate_instance *c)
{
	struct trace_action *actions =
		g_memdup2(n->actions->data, n->actions->len * sizeof(struct trace_action));

	for (guint i = 0; i < n->actions->len; i++)
		actions[i].nth -= c->before;
	return actions;
}

/* A changed run may go on for much longer than until the failure, or never end.  As long as few
 * runs were stopped in vain, each may take its time. */
static uint64_t most_insns_of_nearby(const struct nearby *n)
{
	const struct limits *l = n->limits;

	return n->stopped < l->nearby_stopped
		       ? l->run_insns + l->run_insns_times * n->insns
		       : l->run_insns + n->insns + n->insns * l->nearby_slack / 100;
}

/* Keeps, for each statement, the change whose run gets furthest. */
static void note_further(struct nearby *n, const struct candidate_instance *c,
			 const struct run_result *result)
{
	struct kept_change *best = NULL;
	struct expected_progress to;

	if (!requirement_gets_further(n->options.requirement, result, &to))
		return;
	n->came_to = to.at;
	for (guint i = 0; i < n->further->len && !best; i++) {
		struct kept_change *k = n->further->pdata[i];

		if (nearby_statement(&k->candidate->at) == nearby_statement(&c->at))
			best = k;
	}
	if (!best) {
		best = g_new0(struct kept_change, 1);
		g_ptr_array_add(n->further, best);
	}
	if (best->to.at >= to.at)
		return;
	best->candidate = c;
	best->to = to;
	best->value = c->values[c->tried - 1];
	g_clear_pointer(&best->actions, g_array_unref);
	best->actions = g_array_copy(n->actions);
	g_array_set_size(best->actions, (guint)MIN(result->actions_done, best->actions->len));
}

/* A run that is not recorded tells how it ended, which is all that most requirements ask. */
static bool run_nearby_once(struct nearby *n, const struct candidate_instance *c,
			    enum verdict *verdict, GError **error)
{
	uint64_t most = most_insns_of_nearby(n);
	g_autofree struct trace_action *actions = actions_from(n, c);
	struct run_request request = {
		.actions = actions,
		.n_actions = n->actions->len,
		.record = n->options.requirement->kind->looks_at_record,
		.max_insns = most,
		.from = c->from,
		.thread = n->options.thread,
	};
	struct run_result result = { 0 };

	if (!n->options.runner->run(n->options.runner, &request, &result, error))
		return false;
	*verdict = verdict_of_nearby(n, &request, &result);
	n->came_to = 0;
	if (*verdict == FAILS_LATER)
		note_further(n, c, &result);
	n->runs++;
	n->done = result.actions_done;
	n->last_insns = result.insns;
	if (result.end == RUN_LIMIT || result.end == RUN_TIMEOUT)
		n->stopped += most - c->from;
	n->executed +=
		(result.end == RUN_LIMIT || result.end == RUN_TIMEOUT ? most : n->insns) - c->from;
	run_result_clear(&result);
	return true;
}

/* Changes this execution and all later ones, as if the source line were different.  Without
 * success the actions are put back. */
static bool run_with_all(struct nearby *n, const struct candidate_instance *c,
			 enum verdict *verdict, GError **error)
{
	guint before = n->actions->len;
	struct trace_action action = g_array_index(n->actions, struct trace_action, before - 1);

	while (n->actions->len < n->limits->nearby_each) {
		action.nth++;
		g_array_append_val(n->actions, action);
	}
	if (!run_nearby_once(n, c, verdict, error))
		return false;
	if (*verdict == PASSES || *verdict == HIDES) {
		g_array_set_size(n->actions, (guint)MIN(n->done, n->actions->len));
	} else {
		g_array_set_size(n->actions, before);
		*verdict = FAILS_LATER;
	}
	return true;
}

/* Adds a later execution to the change, with which the output is right for longer than until
 * *came_to.  *found: there is such an execution. */
static bool add_later(struct nearby *n, const struct candidate_instance *c, uint64_t *came_to,
		      enum verdict *verdict, bool *found, GError **error)
{
	const guint before = n->actions->len;
	struct trace_action action = g_array_index(n->actions, struct trace_action, before - 1);

	*found = false;
	for (uint64_t i = 0; i < n->limits->nearby_gap && !deadline_is_over(n->options.until);
	     i++) {
		action.nth++;
		g_array_append_val(n->actions, action);
		if (!run_nearby_once(n, c, verdict, error))
			return false;
		*found = *verdict == PASSES || *verdict == HIDES || n->came_to > *came_to;
		*came_to = MAX(*came_to, n->came_to);
		if (*found)
			break;
		g_array_set_size(n->actions, before);
	}
	return true;
}

/* A loop that ends too late does so for each line of the output, with other executions between. */
static bool run_with_later(struct nearby *n, const struct candidate_instance *c,
			   struct trace_action action, uint64_t came_to, enum verdict *verdict,
			   GError **error)
{
	bool found = true;

	g_array_set_size(n->actions, 0);
	g_array_append_val(n->actions, action);
	while (found && n->actions->len < n->limits->nearby_repeats) {
		if (!add_later(n, c, &came_to, verdict, &found, error))
			return false;
		if (*verdict == PASSES || *verdict == HIDES)
			break;
	}
	return true;
}

/* Changes each execution that makes the same mistake. */
static bool run_with_repeats(struct nearby *n, const struct candidate_instance *c,
			     struct trace_action action, enum verdict *verdict, GError **error)
{
	const struct trace_action first = action;
	unsigned most = (unsigned)n->limits->nearby_repeats;
	uint64_t came_to = 0;

	g_array_set_size(n->actions, 0);
	do {
		g_array_append_val(n->actions, action);
		action.nth++;
		if (!run_nearby_once(n, c, verdict, error))
			return false;
		if (n->actions->len == 1)
			came_to = n->came_to;
		if (*verdict == FAILS_LATER && n->actions->len == 2 && most > 2 &&
		    !run_with_all(n, c, verdict, error))
			return false;
	} while (*verdict == FAILS_LATER && n->actions->len < most &&
		 !deadline_is_over(n->options.until));
	if (!came_to || *verdict == PASSES || *verdict == HIDES)
		return true;
	return run_with_later(n, c, first, came_to, verdict, error);
}

static const struct nearby_answer *answer_with(struct nearby *n, const struct candidate_instance *c,
					       const GArray *actions, uint64_t value)
{
	n->answer = (struct nearby_answer){
		.definition = {
			.kind = c->at.decides	     ? DEF_GUARD
				: c->at.place.memory ? DEF_MEMORY
						     : DEF_REGISTER,
			.selector = SELECTOR_HARD,
			.statement = nearby_statement(&c->at),
			.actual = c->at.decides ? c->at.value
						: nearby_cut(c->at.value, c->at.place.size),
			.pc = c->at.pc,
			.step = c->at.step,
			.address = c->at.place.address,
			.rbp = c->at.rbp,
			.rsp = c->at.rsp,
			.reg = (uint8_t)(c->at.place.memory ? 0 : c->at.place.reg),
			.size = (uint8_t)c->at.place.size,
		},
		.value = value,
		.actions = (const struct trace_action *)(const void *)actions->data,
		.n_actions = actions->len,
		.executions = c->executions,
		.distance = c->at.distance,
		.avoids = c->at.leads_to_end,
	};
	return &n->answer;
}

/* Other values of this execution would hide it in the same way. */
static void note_hidden(struct nearby *n, struct candidate_instance *c, uint64_t value)
{
	struct kept_change *h = g_new0(struct kept_change, 1);

	h->candidate = c;
	h->value = value;
	h->actions = g_array_copy(n->actions);
	g_ptr_array_add(n->hidden, h);
	c->tried = c->n_values;
	c->looked_back = true;
}

static gint furthest_first(gconstpointer a, gconstpointer b)
{
	const struct kept_change *x = *(struct kept_change *const *)a;
	const struct kept_change *y = *(struct kept_change *const *)b;

	if (x->to.at != y->to.at)
		return x->to.at > y->to.at ? -1 : 1;
	return (x->candidate->at.distance > y->candidate->at.distance) -
	       (x->candidate->at.distance < y->candidate->at.distance);
}

/* A statement is given only once, with its first proven change. */
static const struct nearby_answer *next_further(struct nearby *n)
{
	guint i = n->given - n->hidden->len;
	const struct kept_change *k;

	if (i == 0)
		g_ptr_array_sort(n->further, furthest_first);
	if (i >= MIN(n->further->len, n->limits->nearby_further))
		return NULL;
	k = n->further->pdata[i];
	n->given++;
	answer_with(n, k->candidate, k->actions, k->value);
	n->answer.further_from = n->options.requirement->end.differs_at.line;
	n->answer.further_to = k->to.line;
	return &n->answer;
}

/* When nothing else is there. */
static const struct nearby_answer *next_kept(struct nearby *n)
{
	if (n->has_answer || n->options.decisions)
		return NULL;
	while (n->given < n->hidden->len) {
		const struct kept_change *h = n->hidden->pdata[n->given++];

		if (g_hash_table_add(n->proven, (gpointer)nearby_statement(&h->candidate->at)))
			return answer_with(n, h->candidate, h->actions, h->value);
	}
	return next_further(n);
}

/* Branches are turned and values get what they should be first.  All other values come
 * afterwards, because they are many and rarely point to a fault. */
static bool is_of_turn(const struct nearby *n, const struct candidate_instance *c)
{
	return n->second || c->at.decides || (n->options.wanted && !c->tried);
}

static bool has_candidate_left(struct nearby *n)
{
	if (n->at == n->candidates->len && !n->second) {
		n->second = true;
		n->at = 0;
	}
	return n->at < n->candidates->len;
}

static void note_in_vain(struct nearby *n, uint64_t pc, uint64_t insns, unsigned runs)
{
	struct vain_runs *vain = g_hash_table_lookup(n->vain, GSIZE_TO_POINTER(pc));

	if (!vain) {
		vain = g_new0(struct vain_runs, 1);
		g_hash_table_insert(n->vain, GSIZE_TO_POINTER(pc), vain);
	}
	vain->insns += insns;
	vain->runs += runs;
}

/* Other executions of its instruction were changed in vain, for long enough. */
static bool has_had_its_share(const struct nearby *n, const struct candidate_instance *c)
{
	const struct vain_runs *vain = g_hash_table_lookup(n->vain, GSIZE_TO_POINTER(c->at.pc));

	if (!vain)
		return false;
	if (n->options.mended && vain->runs >= n->limits->nearby_mended_runs) {
		limits_reached(n->limits, LIMIT_nearby_mended_runs);
		return true;
	}
	if (vain->insns <= n->limits->nearby_place_insns)
		return false;
	limits_reached(n->limits, LIMIT_nearby_place_insns);
	return true;
}

/* The nearest candidate with a value that was not tried, of a statement that is not proven
 * yet; NULL when there is none, or a limit is reached. */
static struct candidate_instance *next_nearby_candidate(struct nearby *n)
{
	for (; has_candidate_left(n); n->at++) {
		struct candidate_instance *c = n->candidates->pdata[n->at];

		if (!is_of_turn(n, c) || !c->nth || has_had_its_share(n, c) ||
		    g_hash_table_contains(n->proven, nearby_statement(&c->at)))
			continue;
		if (c->tried == c->n_values && !c->at.decides && !c->looked_back)
			nearby_add_earlier(n, c);
		if (c->tried == c->n_values)
			continue;
		if (n->runs >= n->limits->nearby_runs) {
			limits_reached(n->limits, LIMIT_nearby_runs);
			return NULL;
		}
		if (n->executed > n->limits->nearby_insns) {
			limits_reached(n->limits, LIMIT_nearby_insns);
			return NULL;
		}
		return deadline_is_over(n->options.until) ? NULL : c;
	}
	return NULL;
}

const struct nearby_answer *nearby_next(struct nearby *n, GError **error)
{
	static const char *const words[] = { "fails", "fails later", "hides the failure",
					     "passes" };
	struct candidate_instance *c;

	while ((c = next_nearby_candidate(n))) {
		uint64_t value = c->values[c->tried++], before = n->executed;
		const unsigned runs = n->runs;
		enum verdict verdict;

		if (!run_with_repeats(n, c, action_of_instance(n, c, value), &verdict, error))
			return NULL;
		g_debug("nearby: %s:%u, distance %u, execution %" G_GUINT64_FORMAT
			", %#" G_GINT64_MODIFIER "x -> %#" G_GINT64_MODIFIER
			"x, %u times: %s, with %" G_GUINT64_FORMAT " instructions",
			nearby_statement(&c->at)->file, nearby_statement(&c->at)->line,
			c->at.distance, c->nth, c->at.value, value, n->actions->len, words[verdict],
			n->last_insns);
		if (verdict == HIDES)
			note_hidden(n, c, value);
		if (verdict != PASSES) {
			note_in_vain(n, c->at.pc, n->executed - before, n->runs - runs);
			continue;
		}
		g_hash_table_add(n->proven, (gpointer)nearby_statement(&c->at));
		n->has_answer = true;
		return answer_with(n, c, n->actions, value);
	}
	return next_kept(n);
}

/* ---- life ---- */

static void candidate_free(gpointer candidate)
{
	g_free(((struct candidate_instance *)candidate)->earlier);
	g_free(candidate);
}

static void kept_change_free(gpointer kept)
{
	g_clear_pointer(&((struct kept_change *)kept)->actions, g_array_unref);
	g_free(kept);
}

struct nearby *nearby_new(const struct nearby_options *options, GError **error)
{
	struct nearby *n = g_new0(struct nearby, 1);

	n->options = *options;
	n->limits = limits_or_default(options->limits);
	n->actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	n->candidates = g_ptr_array_new_with_free_func(candidate_free);
	n->hidden = g_ptr_array_new_with_free_func(kept_change_free);
	n->further = g_ptr_array_new_with_free_func(kept_change_free);
	read_message(n);
	n->failing_lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	n->proven = g_hash_table_new(NULL, NULL);
	n->vain = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	n->sources = assigned_sources_new();
	n->decided = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	for (size_t i = 0; i < options->n_images; i++)
		failing_lines_add(n->failing_lines, options->images[i]);
	n->run = trace_run_open(options->record, options->images, options->n_images, error);
	if (n->run)
		trace_run_end_at(n->run, options->until);
	if (n->run && trace_run_choose(n->run, options->thread, error)) {
		nearby_find_candidates(n);
		if (!n->candidates->len || nearby_count(n, error))
			return n;
	}
	nearby_free(n);
	return NULL;
}

void nearby_free(struct nearby *n)
{
	if (!n)
		return;
	trace_run_free(n->run);
	g_ptr_array_free(n->candidates, TRUE);
	g_array_free(n->actions, TRUE);
	g_ptr_array_free(n->hidden, TRUE);
	g_ptr_array_free(n->further, TRUE);
	g_free(n->message);
	g_hash_table_destroy(n->failing_lines);
	g_hash_table_destroy(n->proven);
	g_hash_table_destroy(n->vain);
	g_hash_table_destroy(n->decided);
	g_hash_table_unref(n->sources);
	g_free(n);
}

unsigned nearby_instances(const struct nearby *n)
{
	return n->candidates->len;
}
