/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/proof.h"

#include "gdbext/specs/spec/specs.h"
#include "gdbext/specs/state.h"
#include "solver/source/failing-lines.h"
#include "solver/search/search.h"
#include "solver/specs/extent.h"
#include "solver/specs/pointers.h"

#include <string.h>

enum { STUDY_PROGRAM, SPECIFICATION };

/* Whatever is not one of these lines is right. */
static GHashTable *not_asked_about(const struct proof_question *q)
{
	size_t n;
	struct image *const *images = probe_images(q->probe, &n);
	GHashTable *all = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (size_t i = 0; i < n; i++)
		failing_lines_add_all(all, images[i], i == STUDY_PROGRAM ? q->lines : NULL);
	return all;
}

/* What the call does not meet: the first constraint that it is asked about, or that it goes on. */
static struct requirement *requirement_of(const struct proof_question *q,
					  const struct run_result *run)
{
	struct requirement_end end = { .end = run->end,
				       .status = run->status,
				       .signo = run->signo,
				       .signal = replay_signal_name(run->signo) };

	for (unsigned i = 0; i < q->probe->spec->constraints->len; i++) {
		const struct spec_rule *rule = spec_constraint(q->probe->spec, i)->rule;

		if (run->end == RUN_SIGNAL || i >= SPEC_MOST_CONSTRAINTS ||
		    !(q->constraints >> i & 1))
			continue; /* it crashes, in the call or in a predicate */
		end = (struct requirement_end){ .end = RUN_ASSERT,
						.expression = rule->predicate,
						.file = rule->file,
						.line = rule->line };
		break;
	}
	return requirement_can_be_asked(&end) ? requirement_new(&end) : NULL;
}

/* ---- the call ---- */

/* Where the call is.  Its runs are recorded from where the program leaves for its check: the calls
 * before did what is demanded of them, and with another value there, they may not.  So all these
 * runs may be forked from a process that stands there, and the formula is small. */
struct call {
	uint64_t from;	      /* instruction with which records begin; 0 = with the run */
	uint64_t first, last; /* steps; all, if that cannot be found out */
	uint64_t number;      /* among the calls of a record, from 1 */
};

/* The calls in the record of a run that was made with these actions, NULL = none; NULL where that
 * cannot be found out. */
static struct extent *calls_in(const struct proof_question *q, const char *record,
			       const GArray *actions)
{
	size_t n;
	struct image *const *images = probe_images(q->probe, &n);
	struct extent_question question = { .run = trace_run_open(record, images, n, NULL),
					    .program = STUDY_PROGRAM,
					    .specification = SPECIFICATION,
					    .entry = g_array_index(q->probe->spec->functions,
								   struct weave_function,
								   q->function)
							     .function->entry,
					    .actions = actions };
	struct extent *e = question.run ? extent_find(&question, q->lift, NULL) : NULL;

	trace_run_free(question.run);
	return e;
}

static struct call find_tested_call(const struct proof_question *q, const struct run_result *run)
{
	struct call call = { .last = G_MAXUINT64, .number = q->test->call };
	struct extent *e = calls_in(q, run->record, NULL);

	if (e && e->calls->len >= q->test->call) {
		const struct extent_call *c = e->calls->pdata[q->test->call - 1];

		call = (struct call){ c->before + 1, c->first, c->last, 1 };
	}
	extent_free(e);
	return call;
}

static bool is_step_of_call(const struct call *call, uint64_t step)
{
	return step >= call->first && step <= call->last;
}

/* The rest is what led to the call, and its check. */
static bool is_of_call(const struct call *call, const struct definition *d)
{
	return d->step == DEFINITION_OF_ANOTHER_RUN || is_step_of_call(call, d->step);
}

/* ---- runs ---- */

/* The replay's runner; a run ends after so many instructions, however busy the machine is. */
struct bounded_runner {
	struct runner runner; /* first: what the search sees */
	struct runner *inner;
	uint64_t from; /* struct call */
	uint64_t most_insns;
};

static bool run_bounded(struct runner *r, const struct run_request *request,
			struct run_result *result, GError **error)
{
	struct bounded_runner *b = (struct bounded_runner *)r;
	struct run_request bounded = *request;

	bounded.from = b->from;
	if (!bounded.native)
		bounded.max_insns =
			bounded.max_insns ? MIN(bounded.max_insns, b->most_insns) : b->most_insns;
	return b->inner->run(b->inner, &bounded, result, error);
}

/* How many instructions a run with a change may take, by what this run, without one, took. */
static uint64_t most_insns_of_proof(const struct proof_question *q, const struct run_result *run)
{
	return q->o->limits->proof_times * (run->insns + q->o->limits->proof_insns);
}

/* ---- by the formula ---- */

/* What the call executes when it is changed so. */
struct effect {
	guint executed; /* lines */
	double likeness;
};

static struct effect effect_of_lines(const struct proof_question *q, GHashTable *lines)
{
	guint both = 0, n = g_hash_table_size(lines), was = g_hash_table_size(q->test->lines);
	GHashTableIter i;
	gpointer line;

	g_hash_table_iter_init(&i, lines);
	while (g_hash_table_iter_next(&i, &line, NULL))
		both += g_hash_table_contains(q->test->lines, line);
	return (struct effect){ n, n + was > both ? both / (double)(n + was - both) : 1 };
}

/* What the actions change.  When that cannot be found out, it counts as nothing. */
static struct effect effect_of_actions(const struct proof_question *q, const struct call *call,
				       const GArray *actions)
{
	struct run_request request = {
		.actions = (const struct trace_action *)(const void *)actions->data,
		.n_actions = actions->len,
		.record = true,
		.from = call->from,
	};
	struct runner *runner = replay_runner(q->probe->replay);
	struct run_result result = { 0 };
	struct extent *e = NULL;
	struct effect effect = { g_hash_table_size(q->test->lines), 1 };

	if (runner->run(runner, &request, &result, NULL))
		e = calls_in(q, result.record, actions);
	if (e && e->calls->len >= call->number) {
		const struct extent_call *c = e->calls->pdata[call->number - 1];

		effect = effect_of_lines(q, c->lines);
	}
	extent_free(e);
	run_result_clear(&result);
	return effect;
}

static void proof_free(gpointer data)
{
	struct proof *p = data;

	g_array_unref(p->actions);
	g_free(p);
}

/* actions: are copied. */
static struct proof *add_proof(GHashTable *lines, char *line, const struct trace_action *actions,
			       guint n)
{
	struct proof *p = g_new0(struct proof, 1);

	p->kind = PROOF_VALUE;
	p->actions = g_array_new(FALSE, FALSE, sizeof *actions);
	g_array_append_vals(p->actions, actions, n);
	g_hash_table_insert(lines, line, p);
	return p;
}

/* A branch that goes the other way may leave out most of what the call does. */
static bool is_dodge(const struct proof_question *q, const struct call *call,
		     const struct search_answer *a, struct proof *p)
{
	bool turns = false;
	struct effect effect;

	for (guint i = 0; i < a->changed->len; i++)
		turns |= g_array_index(a->changed, struct definition, i).kind == DEF_GUARD;
	if (!turns)
		return false;
	effect = effect_of_actions(q, call, p->actions);
	p->likeness = effect.likeness;
	return 2 * effect.executed < g_hash_table_size(q->test->lines);
}

static void take_proof_answer(const struct proof_question *q, const struct search *s,
			      const struct search_answer *a, const struct call *call,
			      GHashTable *lines)
{
	const struct selector_table *t = search_selectors(s);
	const struct image_statement *st;
	bool is_elsewhere = false;
	struct proof *p;

	if (a->replay != REPLAY_PASSES || a->selectors->len != 1 || !a->path)
		return;
	for (guint i = 0; i < a->changed->len; i++) {
		const struct definition *d = &g_array_index(a->changed, struct definition, i);

		if (!is_of_call(call, d))
			return;
		is_elsewhere |= definition_readability(d) == DEF_READS_AS_PLACE;
	}
	st = t->statements->pdata[g_array_index(a->selectors, unsigned, 0)];
	p = add_proof(lines, failing_lines_key(st),
		      (const struct trace_action *)(const void *)a->path->actions->data,
		      a->path->actions->len);
	if (is_elsewhere)
		p->kind = PROOF_PLACE;
	else if (is_dodge(q, call, a, p))
		p->kind = PROOF_DODGE;
}

/* The lines that are easy to mend are found soon; the last ones take most of the time, and seldom
 * is the fault among them. */
static uint64_t work_after_a_line(const struct search *s, const struct limits *limits)
{
	return MIN(limits->proof_work, search_work(s) + limits->proof_patience);
}

/* What it finds until its work is done is as true as what comes later. */
static void search_proof(const struct proof_question *q, const struct run_result *run,
			 const struct requirement *requirement, const struct call *call,
			 GHashTable *lines)
{
	size_t n;
	struct image *const *images = probe_images(q->probe, &n);
	struct limits limits = *q->o->limits;
	struct bounded_runner runner = { .runner.run = run_bounded,
					 .inner = replay_runner(q->probe->replay),
					 .from = call->from,
					 .most_insns = most_insns_of_proof(q, run) };
	struct search_options options = { .walk = { .granularity = WALK_BY_LINE,
						    .unroll = (unsigned)limits.unroll,
						    .requirement = requirement },
					  .until = q->o->until,
					  .limits = &limits,
					  .most_work = limits.proof_work,
					  .solver = q->o->solver,
					  .hijack = true,
					  /* its patience is about sets of several lines, and how
					   * long a line takes says nothing of the next one here */
					  .thorough = true };
	const struct search_answer *a;
	GError *failed = NULL;
	struct search *s;

	limits.size = 1;
	/* Most sides are of other calls and of predicates, and what follows when they are forced
	 * misleads: each line asks for those that it needs. */
	limits.sides_at_once = 0;
	limits.candidate_runs = limits.proof_line_runs;
	limits.thorough_passes = limits.proof_passes;
	limits.runs = limits.proof_runs;
	s = search_new(images, n, run->record, &runner.runner, &options, &failed);
	while (s && (a = search_next(s, &failed))) {
		guint before = g_hash_table_size(lines);

		take_proof_answer(q, s, a, call, lines);
		if (g_hash_table_size(lines) > before)
			search_give_work(s, work_after_a_line(s, &limits));
	}
	g_debug("the search took %" G_GUINT64_FORMAT " us of counted work", s ? search_work(s) : 0);
	search_free(s);
	if (failed)
		g_debug("the search ended: %s", failed->message);
	g_clear_error(&failed);
}

/* ---- by other pointers ---- */

/* What is tried of one call. */
struct pointer_tries {
	const struct proof_question *q;
	const struct requirement *requirement;
	const struct call *call;
	const struct pointers *p;
	uint64_t most_insns, runs; /* of a run; that may still be made */
	GHashTable *lines;
};

static bool test_passes_with(const struct pointer_tries *t, const GArray *actions)
{
	struct runner *runner = replay_runner(t->q->probe->replay);
	struct run_request request = {
		.actions = (const struct trace_action *)(const void *)actions->data,
		.n_actions = actions->len,
		.max_insns = t->most_insns,
		.from = t->call->from,
	};
	struct run_result result = { 0 };
	bool passes;

	passes = runner->run(runner, &request, &result, NULL) && result.actions_done &&
		 requirement_is_met(t->requirement, &result, &request);
	run_result_clear(&result);
	return passes;
}

/* What changes this store; together: and all others of its line in the call that store the same.
 * NULL: there are no others, or they come before it. */
static GArray *changes_of(const struct pointer_tries *t, guint number, bool together)
{
	const GArray *stores = t->p->stores;
	const struct pointer_store *s = &g_array_index(stores, struct pointer_store, number);
	GArray *actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	bool is_first = true;

	for (guint i = 0; i < stores->len; i++) {
		const struct pointer_store *x = &g_array_index(stores, struct pointer_store, i);
		struct trace_action action = { .kind = TRACE_ACTION_MEM,
					       .module = STUDY_PROGRAM,
					       .addr = x->addr,
					       .nth = x->nth,
					       .where = x->where,
					       .size = sizeof x->value };

		if (i != number && (!together || x->line != s->line || x->value != s->value ||
				    !is_step_of_call(t->call, x->step)))
			continue;
		is_first &= i >= number;
		g_array_append_val(actions, action);
	}
	if (!together || (is_first && actions->len > 1))
		return actions;
	g_array_unref(actions);
	return NULL;
}

/* Tries the values one after the other.  On success .value of the actions is the one with which
 * the call does right. */
static bool any_passes(struct pointer_tries *t, uint64_t was, GArray *actions)
{
	for (guint i = 0; i < t->p->values->len && t->runs; i++) {
		uint64_t value = g_array_index(t->p->values, uint64_t, i);

		if (value == was)
			continue;
		t->runs--;
		for (guint k = 0; k < actions->len; k++)
			memcpy(g_array_index(actions, struct trace_action, k).value, &value,
			       sizeof value);
		if (test_passes_with(t, actions))
			return true;
	}
	return false;
}

static void try_store(struct pointer_tries *t, guint number, bool together)
{
	const struct pointer_store *s = &g_array_index(t->p->stores, struct pointer_store, number);
	const struct proof *known = g_hash_table_lookup(t->lines, s->line);
	g_autoptr(GArray) actions = NULL;

	if (!is_step_of_call(t->call, s->step) || (known && known->kind == PROOF_VALUE) ||
	    !(actions = changes_of(t, number, together)))
		return;
	if (any_passes(t, s->value, actions))
		add_proof(t->lines, g_strdup(s->line),
			  (const struct trace_action *)(const void *)actions->data, actions->len);
}

/* The line stores through another pointer. */
static void try_base(struct pointer_tries *t, const struct pointer_base *b)
{
	struct trace_action action = { .kind = TRACE_ACTION_REG,
				       .module = STUDY_PROGRAM,
				       .reg = b->reg,
				       .addr = b->addr,
				       .nth = b->nth,
				       .size = sizeof b->value };
	const struct proof *known = g_hash_table_lookup(t->lines, b->line);
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof action);

	if (!is_step_of_call(t->call, b->step) || (known && known->kind >= PROOF_PLACE))
		return;
	g_array_append_val(actions, action);
	if (any_passes(t, b->value, actions))
		add_proof(t->lines, g_strdup(b->line),
			  &g_array_index(actions, struct trace_action, 0), 1)
			->kind = PROOF_PLACE;
}

/* Stores one by one, and then those of a line that store the same together: in a loop, one slip
 * leaves several wrong pointers. */
static bool try_pointers(const struct proof_question *q, const struct run_result *run,
			 const struct requirement *requirement, const struct call *call,
			 GHashTable *lines, GError **error)
{
	size_t n;
	struct image *const *images = probe_images(q->probe, &n);
	struct pointers_question question = { .run = trace_run_open(run->record, images, n, error),
					      .program = STUDY_PROGRAM,
					      .lines = q->lines,
					      .limits = q->o->limits };
	struct pointers *p = question.run ? pointers_find(&question, q->lift, error) : NULL;
	struct pointer_tries tries = {
		q,    requirement, call, p, most_insns_of_proof(q, run), q->o->limits->pointer_runs,
		lines
	};

	for (guint i = 0; p && i < 2 * p->stores->len && !deadline_is_over(q->o->until); i++)
		try_store(&tries, i % p->stores->len, i >= p->stores->len);
	for (guint i = 0; p && i < p->bases->len && !deadline_is_over(q->o->until); i++)
		try_base(&tries, &g_array_index(p->bases, struct pointer_base, i));
	g_debug("%" G_GUINT64_FORMAT " runs with other pointers",
		q->o->limits->pointer_runs - tries.runs);
	trace_run_free(question.run);
	pointers_free(p);
	return p;
}

/* ---- the whole ---- */

/* Compares only lines that are equally plausible.  The line after whose change the call still does
 * most of what it did comes first. */
static void measure_likeness(const struct proof_question *q, const struct call *call,
			     GHashTable *lines)
{
	GHashTableIter i;
	gpointer proof;
	guint n = 0;

	g_hash_table_iter_init(&i, lines);
	while (g_hash_table_iter_next(&i, NULL, &proof))
		n += ((struct proof *)proof)->kind == PROOF_VALUE;
	g_hash_table_iter_init(&i, lines);
	while (n > 1 && g_hash_table_iter_next(&i, NULL, &proof) &&
	       !deadline_is_over(q->o->until)) {
		struct proof *p = proof;

		if (p->kind == PROOF_VALUE && p->likeness <= 0)
			p->likeness = effect_of_actions(q, call, p->actions).likeness;
	}
}

static bool run_proving_test(const struct proof_question *q, const struct probe_order *order,
			     struct probe_result *r, GError **error)
{
	const struct study_test *t = q->test;

	return probe_run(q->probe, t->argv, t->stdin_file ? t->stdin_file : q->o->stdin_file, order,
			 r, error);
}

/* Makes the run once more, recorded from the call on.  Where it does not end as it did, all of it
 * is looked at. */
static void record_call(const struct proof_question *q, struct probe_order *order,
			struct call *call, struct run_result *run)
{
	struct probe_result r = { 0 };

	order->from = call->from;
	if (call->from && run_proving_test(q, order, &r, NULL) && r.run.end == run->end &&
	    r.run.signo == run->signo) {
		run_result_clear(run);
		*run = r.run;
		r.run = (struct run_result){ 0 };
	} else {
		call->from = 0;
		call->number = q->test->call;
	}
	probe_result_clear(&r);
}

GHashTable *proof_find(const struct proof_question *q, GError **error)
{
	struct probe_order order = { .kind = PROBE_CALL,
				     .number = q->function,
				     .call = q->test->call,
				     .state = q->test->state ? q->test->state->text : NULL,
				     .left_out = (q->test->violated | q->test->again) &
						 ~q->constraints };
	g_autoptr(GHashTable) lines =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, proof_free);
	g_autoptr(GHashTable) others = not_asked_about(q);
	struct requirement *requirement = NULL;
	struct probe_result r = { 0 };
	struct call call;
	bool ok = false;

	if (run_proving_test(q, &order, &r, error) && !(requirement = requirement_of(q, &r.run)))
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			    "The call does not end twice in the same way.");
	if (requirement) {
		requirement->reporting = others;
		call = find_tested_call(q, &r.run);
		record_call(q, &order, &call, &r.run);
		search_proof(q, &r.run, requirement, &call, lines);
		ok = try_pointers(q, &r.run, requirement, &call, lines, error);
		measure_likeness(q, &call, lines);
	}
	requirement_free(requirement);
	probe_result_clear(&r);
	return ok ? g_steal_pointer(&lines) : NULL;
}
