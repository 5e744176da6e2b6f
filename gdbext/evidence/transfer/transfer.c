/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/transfer/transfer-private.h"

#include "gdbext/evidence/transfer/shift.h"
#include "gdbext/replay/folder.h"
#include "gdbext/replay/interrupt.h"
#include "solver/isa/lift.h"
#include "solver/memory/memory.h"

#include <string.h>

static void transfer_change_clear(gpointer p)
{
	g_byte_array_unref(((struct change *)p)->outcomes);
}

static enum outcome outcome_in(const struct change *c, unsigned test)
{
	return test < c->outcomes->len ? (enum outcome)c->outcomes->data[test] : UNKNOWN;
}

static void set_outcome(struct change *c, unsigned test, enum outcome outcome)
{
	guint before = c->outcomes->len;

	if (before <= test) {
		g_byte_array_set_size(c->outcomes, test + 1);
		memset(c->outcomes->data + before, UNKNOWN, test + 1 - before);
	}
	c->outcomes->data[test] = (guint8)outcome;
}

static void group_free(gpointer p)
{
	struct group *g = p;

	g_free(g->lines);
	g_array_unref(g->changes);
	g_free(g);
}

struct transfer *transfer_new(const struct limits *limits)
{
	struct transfer *x = g_new0(struct transfer, 1);

	x->limits = limits;
	x->max_insns = limits->run_insns;
	x->groups = g_ptr_array_new_with_free_func(group_free);
	x->lift = lift_new();
	x->code = memory_code_new(x->lift);
	return x;
}

void transfer_free(struct transfer *x)
{
	if (!x)
		return;
	g_ptr_array_unref(x->groups);
	memory_code_free(x->code);
	lift_free(x->lift);
	g_free(x);
}

unsigned transfer_runs(const struct transfer *x)
{
	return x->runs;
}

static gint compare_words(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines that it changes, as a word. */
static char *lines_of(const struct explanation_suspect *s)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < s->statements->len; i++) {
		const struct explanation_statement *st =
			&g_array_index(s->statements, struct explanation_statement, i);
		char *word = g_strdup_printf("%s:%u", st->file, st->line);

		if (g_ptr_array_find_with_equal_func(words, word, g_str_equal, NULL))
			g_free(word);
		else
			g_ptr_array_add(words, word);
	}
	g_ptr_array_sort(words, compare_words);
	g_ptr_array_add(words, NULL);
	return g_strjoinv(" ", (char **)words->pdata);
}

static struct group *group_of_suspect(struct transfer *x, const struct explanation_suspect *s)
{
	g_autofree char *lines = lines_of(s);
	struct group *g;

	for (guint i = 0; i < x->groups->len; i++) {
		g = x->groups->pdata[i];
		if (strcmp(g->lines, lines) == 0)
			return g;
	}
	g = g_new0(struct group, 1);
	g->lines = g_steal_pointer(&lines);
	g->changes = g_array_new(FALSE, FALSE, sizeof(struct change));
	g_array_set_clear_func(g->changes, transfer_change_clear);
	g_ptr_array_add(x->groups, g);
	return g;
}

static bool is_the_same(const GArray *a, const GArray *b)
{
	return a->len == b->len &&
	       !memcmp(a->data, b->data, a->len * g_array_get_element_size((GArray *)a));
}

static bool sets_memory(const GArray *actions)
{
	for (guint i = 0; i < actions->len; i++)
		if (g_array_index(actions, struct trace_action, i).kind == TRACE_ACTION_MEM)
			return true;
	return false;
}

/* It has mended this test. */
static void note_change(struct group *g, const struct explanation_suspect *s, unsigned test)
{
	struct change c = { .of = s, .sets_memory = sets_memory(s->actions) };

	for (guint i = 0; i < g->changes->len; i++) {
		struct change *known = &g_array_index(g->changes, struct change, i);

		if (is_the_same(known->of->actions, s->actions)) {
			set_outcome(known, test, MENDED);
			return;
		}
	}
	c.outcomes = g_byte_array_new();
	set_outcome(&c, test, MENDED);
	g_array_append_val(g->changes, c);
}

void transfer_note(struct transfer *x, const struct explanation *e)
{
	if (!x->attempted)
		x->test++;
	x->attempted = false;
	x->stack = x->stack ? x->stack : e->stack;
	transfer_note_more(x, e);
	x->max_insns = MAX(x->max_insns, x->limits->run_insns + x->limits->run_insns_times *
									e->stats.instructions);
}

void transfer_note_more(struct transfer *x, const struct explanation *e)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		if (s->replay == REPLAY_PASSES && s->actions && s->actions->len &&
		    (e->stack == x->stack || !sets_memory(s->actions)))
			note_change(group_of_suspect(x, s), s, x->test);
	}
}

/* ---- runs ---- */

/* A record from which that is not known says no. */
static bool does_attempt_touch_outside(struct attempt *a, const char *record,
				       const struct memory_options *options)
{
	const struct run_source *run = &a->first->run;
	struct memory_record r = { .folder = record,
				   .images = run->images,
				   .n_images = run->n_images,
				   .thread = run->failing.thread,
				   .until = &a->first->until,
				   .most = a->x->limits->influence_insns,
				   .looked_at = a->looked_at };
	bool does = memory_is_led_outside(&r, options);

	a->looked_at = r.looked_at;
	return does;
}

/* Does the change do what it did in the test that it was made for?  The search asks of its own
 * runs, too, whether they are led out of an object (solver/search/candidate-run.c).  Where a run is
 * too long to be looked at, nobody knows whether a store is the same one. */
static bool is_meant(struct attempt *a, const GArray *actions, const char *record)
{
	const struct trace_action *changes = (const void *)actions->data;
	const struct memory_options options = { .code = a->x->code,
						.actions = changes,
						.n_actions = actions->len,
						.influence =
							memory_sets_a_value(changes, actions->len),
						.own_places = true,
						.tables = true };
	const struct memory_options none = { .code = a->x->code, .tables = true };

	if (does_attempt_touch_outside(a, record, &options))
		return !options.influence && does_attempt_touch_outside(a, a->failing, &none);
	return a->looked_at <= a->x->limits->influence_insns || !sets_memory(actions);
}

bool transfer_passes(struct attempt *a, const GArray *actions, uint64_t *done)
{
	const struct run_request request = {
		.record = true,
		.actions = actions ? (const void *)actions->data : NULL,
		.n_actions = actions ? actions->len : 0,
		.max_insns = a->x->max_insns,
		.from = 1,
		.repeats = true,
		.in_place = actions != NULL, /* the record without actions is kept */
	};
	const struct expected_output *expected = a->test->expected;
	struct runner *runner = replay_runner(a->first->run.replay);
	struct run_result result = { 0 };
	bool passed;

	a->runs++;
	a->x->runs++;
	*done = 0;
	if (!runner->run(runner, &request, &result, NULL))
		return false;
	passed = expected ? expected_look_at_run(expected, result.record, result.end, result.status)
				    .met
			  : result.end == RUN_PASSED;
	*done = result.actions_done;
	passed = passed && (!actions || is_meant(a, actions, result.record));
	if (!actions)
		a->failing = g_steal_pointer(&result.record);
	run_result_clear(&result);
	return passed;
}

struct explanation_suspect *transfer_copy(const struct explanation_suspect *from)
{
	struct explanation_suspect *s = explanation_suspect_new();

	s->replay = REPLAY_PASSES;
	s->score = from->score;
	s->weight = from->weight;
	s->tests = 1;
	s->size = from->size;
	s->needs_run = from->needs_run;
	s->unchecked = from->unchecked;
	g_array_append_vals(s->statements, from->statements->data, from->statements->len);
	return s;
}

void transfer_add(struct explanation *to, const struct explanation *from)
{
	for (guint i = 0; i < from->suspects->len; i++) {
		const struct explanation_suspect *s = from->suspects->pdata[i];

		if (s->replay == REPLAY_PASSES)
			g_ptr_array_add(to->suspects, transfer_copy(s));
	}
}

/* ---- in which order ---- */

struct estimate transfer_estimate(const struct attempt *a, const struct change *c)
{
	struct estimate e = { 0 };

	for (unsigned test = 0; test < c->outcomes->len && test < a->x->test; test++) {
		enum outcome outcome = outcome_in(c, test);

		if (outcome != MENDED && outcome != FAILED)
			continue;
		e.mended += outcome == MENDED ? a->weights[test] : 0;
		e.all += a->weights[test];
	}
	return e;
}

/* Is the change worth a run?  In the first round a test about which nothing is known counts for
 * the change, and later against it. */
static bool is_worth_a_run(const struct attempt *a, const struct estimate *e)
{
	double likely = (double)a->x->limits->joint_likely / 100;

	return (e->mended + (a->round ? 0 : 1)) / (e->all + 1) >= likely;
}

/* A test in which the change came out differently is less like this one. */
static void weigh_tests(struct attempt *a, const struct change *c, enum outcome outcome)
{
	for (unsigned test = 0; test < c->outcomes->len && test < a->x->test; test++)
		if (outcome_in(c, test) != UNKNOWN && outcome_in(c, test) != outcome)
			a->weights[test] *= (double)a->x->limits->joint_unlike / 100;
}

struct change *transfer_next(const struct attempt *a, const struct group *g)
{
	struct change *next = NULL;
	double best = 0;

	for (guint i = 0; i < g->changes->len; i++) {
		struct change *c = &g_array_index(g->changes, struct change, i);
		struct estimate e = transfer_estimate(a, c);
		double likelihood = e.mended / (e.all + 1);

		if (outcome_in(c, a->x->test) != UNKNOWN || (c->sets_memory && !a->same_stack) ||
		    !is_worth_a_run(a, &e) || (next && likelihood <= best))
			continue;
		next = c;
		best = likelihood;
	}
	return next;
}

static bool try_transferred_change(struct attempt *a, struct change *c)
{
	enum outcome outcome;
	uint64_t done;

	if (transfer_passes(a, c->of->actions, &done))
		outcome = MENDED;
	else
		outcome = done ? FAILED : UNREACHED;
	weigh_tests(a, c, outcome);
	set_outcome(c, a->x->test, outcome);
	if (outcome != MENDED)
		return false;
	if (transfer_sets_one_value(c))
		g_array_append_vals(a->mends, c->of->actions->data, 1);
	g_ptr_array_add(a->e->suspects, transfer_copy(c->of));
	return true;
}

/* Does one of a few of the group's changes mend the test? */
static bool group_mends(struct attempt *a, struct group *g)
{
	const struct limits *limits = a->x->limits;
	struct change *c;

	if (transfer_is_shift_likelier(a, g) && transfer_shifts_mend(a, g))
		return true;
	for (unsigned tried = 0; tried < limits->joint_changes && a->runs < limits->joint_runs &&
				 (c = transfer_next(a, g));
	     tried++)
		if (try_transferred_change(a, c))
			return true;
	return transfer_shifts_mend(a, g);
}

/* Did the test execute one of the lines?  Otherwise no run comes to the changes. */
static bool is_group_executed(const struct attempt *a, const struct group *g)
{
	const struct transfer_test *test = a->test;
	const GArray *changed = g_array_index(g->changes, struct change, 0).of->statements;

	for (guint i = 0; test->lines && i < changed->len; i++) {
		const struct explanation_statement *st =
			&g_array_index(changed, struct explanation_statement, i);
		unsigned line = units_find_line(test->units, st->file, st->line);

		if (line == UNIT_NONE || test->lines[line])
			return true;
	}
	return !test->lines;
}

/* Tries what is part of the set, until something mends the test. */
static void try_set(struct attempt *a, unsigned set)
{
	const GPtrArray *groups = a->x->groups;
	bool mended = joint_is_explained(a->joint, set, a->e);

	for (guint i = 0; !mended && i < groups->len; i++) {
		struct group *g = groups->pdata[i];

		mended = is_group_executed(a, g) &&
			 joint_includes(a->joint, set,
					g_array_index(g->changes, struct change, 0).of) &&
			 group_mends(a, g);
	}
}

/* Tries the sets in several rounds, so that all of them get a share of the runs, and because
 * results of later sets show what is likely for earlier ones.  Returns false with *error when it
 * was interrupted. */
static bool try_sets(struct attempt *a, GError **error)
{
	unsigned n = joint_sets(a->joint), before;

	for (a->round = 0, before = 0; a->round < 2 || a->runs > before; a->round++) {
		before = a->runs;
		for (unsigned i = 0; i < n && a->runs < a->x->limits->joint_runs; i++) {
			if (!replay_check_interrupt(error))
				return false;
			try_set(a, i);
		}
	}
	return true;
}

static void transfer_all_suspects(struct attempt *a, GError **error)
{
	unsigned n = a->x->test;

	a->same_stack = replay_stack_is_kept(a->first->run.replay);
	a->e = explanation_new();
	a->mends = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	a->tried = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	a->weights = g_new(double, n);
	for (unsigned i = 0; i < n; i++)
		a->weights[i] = 1;
	if (!try_sets(a, error))
		g_clear_pointer(&a->e, explanation_free);
	g_free(a->weights);
	shift_free(a->shift);
	g_array_unref(a->tried);
	g_array_unref(a->mends);
}

struct explanation *transfer_try(struct transfer *x, const struct joint *j,
				 const struct question *first, const struct transfer_test *test,
				 GError **error)
{
	struct attempt a = { .x = x, .joint = j, .first = first, .test = test };
	uint64_t done;

	x->test++;
	x->attempted = true;
	if (replay_turn_to(first->run.replay, test->argv, test->stdin_file, NULL) &&
	    !transfer_passes(&a, NULL, &done))
		transfer_all_suspects(&a, error);
	folder_remove(a.failing);
	g_free(a.failing);
	return a.e;
}
