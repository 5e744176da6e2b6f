/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/proof.h"

#include "gdbext/specs/specs.h"
#include "gdbext/specs/state.h"
#include "solver/formula/failing-lines.h"
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

struct steps {
	uint64_t first, last;
};

/* The steps of the call in its run; all, if that cannot be found out. */
static struct steps steps_of_call(const struct proof_question *q, const struct run_result *run)
{
	struct steps steps = { 0, G_MAXUINT64 };
	size_t n;
	struct image *const *images = probe_images(q->probe, &n);
	struct extent_question question = { .run = trace_run_open(run->record, images, n, NULL),
					    .program = STUDY_PROGRAM,
					    .specification = SPECIFICATION,
					    .entry = g_array_index(q->probe->spec->functions,
								   struct weave_function,
								   q->function)
							     .function->entry };
	struct extent *e = question.run ? extent_find(&question, q->lift, NULL) : NULL;

	if (e && e->calls->len >= q->test->call) {
		const struct extent_call *c = e->calls->pdata[q->test->call - 1];

		steps = (struct steps){ c->first, c->last };
	}
	extent_free(e);
	trace_run_free(question.run);
	return steps;
}

/* The calls before did what is demanded of them: with another value there, they may not. */
static bool is_of_call(const struct steps *steps, const struct definition *d)
{
	return d->step == DEFINITION_OF_ANOTHER_RUN ||
	       (d->step >= steps->first && d->step <= steps->last);
}

/* ---- runs ---- */

/* The replay's runner; a run ends after so many instructions, however busy the machine is. */
struct bounded_runner {
	struct runner runner; /* first: what the search sees */
	struct runner *inner;
	uint64_t most_insns;
};

static bool run_bounded(struct runner *r, const struct run_request *request,
			struct run_result *result, GError **error)
{
	struct bounded_runner *b = (struct bounded_runner *)r;
	struct run_request bounded = *request;

	if (!bounded.native)
		bounded.max_insns =
			bounded.max_insns ? MIN(bounded.max_insns, b->most_insns) : b->most_insns;
	return b->inner->run(b->inner, &bounded, result, error);
}

/* How many instructions a run with a change may take, by what this run, without one, took. */
static uint64_t most_insns(const struct proof_question *q, const struct run_result *run)
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

/* The same as without it, if that cannot be found out. */
static struct effect effect_of(const struct proof_question *q, const GArray *actions)
{
	struct run_request request = {
		.actions = (const struct trace_action *)(const void *)actions->data,
		.n_actions = actions->len,
		.record = true
	};
	struct runner *runner = replay_runner(q->probe->replay);
	size_t n;
	struct image *const *images = probe_images(q->probe, &n);
	struct extent_question question = { .program = STUDY_PROGRAM,
					    .specification = SPECIFICATION,
					    .entry = g_array_index(q->probe->spec->functions,
								   struct weave_function,
								   q->function)
							     .function->entry,
					    .actions = actions };
	struct run_result result = { 0 };
	struct extent *e = NULL;
	struct effect effect = { g_hash_table_size(q->test->lines), 1 };

	if (runner->run(runner, &request, &result, NULL) &&
	    (question.run = trace_run_open(result.record, images, n, NULL)))
		e = extent_find(&question, q->lift, NULL);
	if (e && e->calls->len >= q->test->call) {
		const struct extent_call *c = e->calls->pdata[q->test->call - 1];

		effect = effect_of_lines(q, c->lines);
	}
	extent_free(e);
	trace_run_free(question.run);
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
static bool is_dodge(const struct proof_question *q, const struct search_answer *a, struct proof *p)
{
	bool turns = false;
	struct effect effect;

	for (guint i = 0; i < a->changed->len; i++)
		turns |= g_array_index(a->changed, struct definition, i).kind == DEF_GUARD;
	if (!turns)
		return false;
	effect = effect_of(q, p->actions);
	p->likeness = effect.likeness;
	return 2 * effect.executed < g_hash_table_size(q->test->lines);
}

static void take_answer(const struct proof_question *q, const struct search *s,
			const struct search_answer *a, const struct steps *steps, GHashTable *lines)
{
	const struct selector_table *t = search_selectors(s);
	const struct image_statement *st;
	bool is_elsewhere = false;
	struct proof *p;

	if (a->replay != REPLAY_PASSES || a->selectors->len != 1 || !a->path)
		return;
	for (guint i = 0; i < a->changed->len; i++) {
		const struct definition *d = &g_array_index(a->changed, struct definition, i);

		if (!is_of_call(steps, d))
			return;
		is_elsewhere |= definition_readability(d) == DEF_READS_AS_PLACE;
	}
	st = t->statements->pdata[g_array_index(a->selectors, unsigned, 0)];
	p = add_proof(lines, failing_lines_key(st),
		      (const struct trace_action *)(const void *)a->path->actions->data,
		      a->path->actions->len);
	if (is_elsewhere)
		p->kind = PROOF_PLACE;
	else if (is_dodge(q, a, p))
		p->kind = PROOF_DODGE;
}

/* The lines that are easy to mend are found soon; the last ones take most of the time, and seldom
 * is the fault among them. */
static uint64_t work_after_a_line(const struct search *s, const struct limits *limits)
{
	return MIN(limits->proof_work, search_work(s) + limits->proof_patience);
}

/* What it finds until its work is done is as true as what comes later. */
static void search(const struct proof_question *q, const struct run_result *run,
		   const struct requirement *requirement, const struct steps *steps,
		   GHashTable *lines)
{
	size_t n;
	struct image *const *images = probe_images(q->probe, &n);
	struct limits limits = *q->o->limits;
	struct bounded_runner runner = { .runner.run = run_bounded,
					 .inner = replay_runner(q->probe->replay),
					 .most_insns = most_insns(q, run) };
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

		take_answer(q, s, a, steps, lines);
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

static bool passes_with(const struct proof_question *q, const struct requirement *requirement,
			const GArray *actions, uint64_t most)
{
	struct runner *runner = replay_runner(q->probe->replay);
	struct run_request request = {
		.actions = (const struct trace_action *)(const void *)actions->data,
		.n_actions = actions->len,
		.max_insns = most
	};
	struct run_result result = { 0 };
	bool passes;

	passes = runner->run(runner, &request, &result, NULL) && result.actions_done &&
		 requirement_is_met(requirement, &result, &request);
	run_result_clear(&result);
	return passes;
}

static bool is_in(const struct steps *steps, const struct pointer_store *s)
{
	return s->step >= steps->first && s->step <= steps->last;
}

/* What changes this store; together: and all others of its line in the call that store the same.
 * NULL: there are no others, or they come before it. */
static GArray *changes_of(const struct pointers *p, guint number, const struct steps *steps,
			  bool together)
{
	const struct pointer_store *s = &g_array_index(p->stores, struct pointer_store, number);
	GArray *actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	bool is_first = true;

	for (guint i = 0; i < p->stores->len; i++) {
		const struct pointer_store *x = &g_array_index(p->stores, struct pointer_store, i);
		struct trace_action action = { .kind = TRACE_ACTION_MEM,
					       .module = STUDY_PROGRAM,
					       .addr = x->addr,
					       .nth = x->nth,
					       .where = x->where,
					       .size = sizeof x->value };

		if (i != number &&
		    (!together || x->line != s->line || x->value != s->value || !is_in(steps, x)))
			continue;
		is_first &= i >= number;
		g_array_append_val(actions, action);
	}
	if (!together || (is_first && actions->len > 1))
		return actions;
	g_array_unref(actions);
	return NULL;
}

/* In .value of actions stands then with what it does. */
static bool any_passes(const struct proof_question *q, const struct requirement *requirement,
		       const struct pointers *p, uint64_t was, uint64_t most, uint64_t *runs,
		       GArray *actions)
{
	for (guint i = 0; i < p->values->len && *runs; i++) {
		uint64_t value = g_array_index(p->values, uint64_t, i);

		if (value == was)
			continue;
		--*runs;
		for (guint k = 0; k < actions->len; k++)
			memcpy(g_array_index(actions, struct trace_action, k).value, &value,
			       sizeof value);
		if (passes_with(q, requirement, actions, most))
			return true;
	}
	return false;
}

static void try_store(const struct proof_question *q, const struct requirement *requirement,
		      const struct pointers *p, guint number, const struct steps *steps,
		      bool together, uint64_t most, uint64_t *runs, GHashTable *lines)
{
	const struct pointer_store *s = &g_array_index(p->stores, struct pointer_store, number);
	const struct proof *known = g_hash_table_lookup(lines, s->line);
	g_autoptr(GArray) actions = NULL;

	if (!is_in(steps, s) || (known && known->kind == PROOF_VALUE) ||
	    !(actions = changes_of(p, number, steps, together)))
		return;
	if (any_passes(q, requirement, p, s->value, most, runs, actions))
		add_proof(lines, g_strdup(s->line),
			  (const struct trace_action *)(const void *)actions->data, actions->len);
}

/* Stores one by one, and then those of a line that store the same together: in a loop, one slip
 * leaves several wrong pointers. */
static bool try_pointers(const struct proof_question *q, const struct run_result *run,
			 const struct requirement *requirement, const struct steps *steps,
			 GHashTable *lines, GError **error)
{
	size_t n;
	struct image *const *images = probe_images(q->probe, &n);
	struct pointers_question question = { .run = trace_run_open(run->record, images, n, error),
					      .program = STUDY_PROGRAM,
					      .lines = q->lines,
					      .limits = q->o->limits };
	struct pointers *p = question.run ? pointers_find(&question, q->lift, error) : NULL;
	uint64_t runs = q->o->limits->pointer_runs;

	for (guint i = 0; p && i < 2 * p->stores->len && !deadline_is_over(q->o->until); i++)
		try_store(q, requirement, p, i % p->stores->len, steps, i >= p->stores->len,
			  most_insns(q, run), &runs, lines);
	trace_run_free(question.run);
	pointers_free(p);
	return p;
}

/* ---- the whole ---- */

/* Of lines that are as plausible, the one after whose change the call does most of what it did
 * comes first: so compared are only those. */
static void measure_likeness(const struct proof_question *q, GHashTable *lines)
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
			p->likeness = effect_of(q, p->actions).likeness;
	}
}

GHashTable *proof_find(const struct proof_question *q, GError **error)
{
	const struct probe_order order = { .kind = PROBE_CALL,
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
	struct steps steps;
	bool ok = false;

	if (probe_run(q->probe, q->test->argv,
		      q->test->stdin_file ? q->test->stdin_file : q->o->stdin_file, &order, &r,
		      error) &&
	    !(requirement = requirement_of(q, &r.run)))
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			    "The call does not end twice in the same way.");
	if (requirement) {
		requirement->reporting = others;
		steps = steps_of_call(q, &r.run);
		search(q, &r.run, requirement, &steps, lines);
		ok = try_pointers(q, &r.run, requirement, &steps, lines, error);
		measure_likeness(q, lines);
	}
	requirement_free(requirement);
	probe_result_clear(&r);
	return ok ? g_steal_pointer(&lines) : NULL;
}
