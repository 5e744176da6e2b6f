/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes runs for value mutations of a single statement.  They decide what the formula and the
 * engine leave open. */
#include "solver/search/technique/value-mutation.h"
#include "solver/search/search-private.h"
#include "solver/search/technique.h"

struct varying {
	struct search *s;
	const struct trace_run *run; /* the failing one */
	term_bits *natural;
	uint64_t left; /* runs */
	struct model_path *found;
	GError *error;
};

/* The branch goes that way some times more. */
static void go_on_as_varied(struct model_path *path, unsigned more)
{
	guint last = path->actions->len - 1;
	struct trace_action a = g_array_index(path->actions, struct trace_action, last);
	struct model_path_change c = g_array_index(path->changes, struct model_path_change, last);

	for (unsigned i = 0; i < more; i++) {
		a.nth++;
		g_array_append_val(path->actions, a);
		g_array_append_val(path->changes, c);
	}
}

/* Takes back the last actions that the run did not carry out, because the branch was not
 * executed so often. */
static void take_back_actions(struct model_path *path, unsigned more, uint64_t done)
{
	for (; more && path->actions->len > done; more--) {
		g_array_set_size(path->actions, path->actions->len - 1);
		g_array_set_size(path->changes, path->changes->len - 1);
	}
}

static bool passes_as_varied(struct varying *x, struct model_path *path, unsigned more)
{
	struct search_run run = { 0 };
	bool passed;

	if (!candidate_run(x->s, path->actions, &run, &x->error))
		return false;
	x->s->work += x->s->limits->run_work;
	passed = run.met;
	if (passed)
		take_back_actions(path, more, run.result.actions_done);
	run_result_clear(&run.result);
	return passed;
}

static bool run_value_mutation(void *arg, const struct value_mutation *v)
{
	struct varying *x = arg;
	struct model_path *path = model_path_of_changes(
		x->s->formula, x->natural,
		(const struct model_path_change *)(const void *)v->changes->data, v->changes->len,
		x->run);

	if (path->actions->len)
		go_on_as_varied(path, v->more);
	if (path->actions->len && candidate_is_new(x->s, path->actions)) {
		x->left--;
		if (passes_as_varied(x, path, v->more)) {
			x->found = path;
			return true;
		}
	}
	model_path_free(path);
	return !x->left || x->error || !search_time_left_ms(x->s);
}

/* Once in a search. */
static bool mutations_apply(struct search *s, struct candidate *c)
{
	return c->n == 1 && s->runner && s->options.hijack && s->limits->mutation_runs &&
	       !g_hash_table_contains(s->varied, GUINT_TO_POINTER(*c->set + 1));
}

static void run_mutations(struct search *s, struct candidate *c, GError **error)
{
	struct incremental *w = search_incremental(s);
	struct varying x = { .s = s,
			     .run = search_first_record(s),
			     .left = s->limits->mutation_runs };

	g_hash_table_add(s->varied, GUINT_TO_POINTER(*c->set + 1));
	incremental_change(w, NULL, 0);
	x.natural = incremental_values(w);
	value_mutations_of(s->formula, w, *c->set, s->options.until, run_value_mutation, &x);
	g_free(x.natural);
	g_debug("%.3f s, %" G_GUINT64_FORMAT " value mutations run: %s",
		g_timer_elapsed(s->clock, NULL), s->limits->mutation_runs - x.left,
		x.found ? "found" : "none");
	if (x.error)
		g_propagate_error(error, x.error);
	if (x.found)
		candidate_answer(s, c, x.found, REPLAY_PASSES, NULL);
}

const struct technique technique_value_mutations = {
	.name = "value-mutations",
	.applies = mutations_apply,
	.run = run_mutations,
	.budget = LIMIT_mutation_runs,
	.budget_of_sets = LIMIT_mutation_runs,
};
