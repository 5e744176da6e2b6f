/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/model/replay-check.h"
#include "solver/formula/model/model-path.h"

#include <string.h>

/* A register's new value, given after the step of this entry. */
struct given {
	uint32_t entry;
	const struct trace_action *action;
};

struct follower {
	const struct formula *f;
	const struct walk_run *run;
	const struct trace_run *first;
	term_bits *values;
	struct term_memo *memo;
	uint64_t *counts; /* by number of the pc */
	GArray *given;	  /* struct given */
	uint64_t pc;
	uint32_t pc_number;
	struct replay_check *result;
};

static term_bits value_in_replay_so_far(void *arg, uint32_t number)
{
	return ((term_bits *)arg)[number];
}

static const struct definition *definition_in_replay(const struct follower *w, uint32_t number)
{
	return &g_array_index(w->f->definitions, struct definition, number);
}

/* before: the value without the action. */
static term_bits low_bits_of_action(const struct trace_action *a, unsigned width, term_bits before)
{
	uint8_t bytes[sizeof(before)];
	term_bits v;

	memcpy(bytes, &before, sizeof(bytes));
	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = a->kind == TRACE_ACTION_MEM ? trace_action_byte(a, i, bytes[i])
						       : a->value[i];
	memcpy(&v, bytes, sizeof(v));
	return width < 128 ? v & (((term_bits)1 << width) - 1) : v;
}

static bool is_action_here(const struct follower *w, const struct trace_action *a)
{
	uint64_t link;
	const struct trace_module *m = trace_run_module_at(w->first, w->pc, &link);

	return m && a->addr == link && a->module == trace_run_module_number(w->first, m) &&
	       a->nth == w->counts[w->pc_number];
}

/* The action that changes this definition here, if there is one. */
static const struct trace_action *action_for(const struct follower *w, const struct definition *d)
{
	unsigned kind = d->kind == DEF_GUARD ? TRACE_ACTION_FORCE : TRACE_ACTION_MEM;

	for (size_t i = 0; i < w->run->n_actions; i++) {
		const struct trace_action *a = &w->run->actions[i];

		if (a->kind == kind && is_action_here(w, a) &&
		    (kind != TRACE_ACTION_MEM || a->where == d->address))
			return a;
	}
	return NULL;
}

/* Registers were given their value when their instance ended. */
static const struct trace_action *register_action(const struct follower *w,
						  const struct definition *d)
{
	uint32_t end = g_array_index(w->f->instance_end, uint32_t, d->instance);

	for (guint i = 0; i < w->given->len; i++) {
		const struct given *g = &g_array_index(w->given, struct given, i);

		if (g->entry == end && g->action->reg == d->reg)
			return g->action;
	}
	return NULL;
}

static void pass_replayed_step(struct follower *w, uint32_t at, uint32_t pc_number)
{
	w->pc_number = pc_number;
	w->pc = g_array_index(w->f->pcs, uint64_t, pc_number);
	w->counts[pc_number]++;
	for (size_t i = 0; i < w->run->n_actions; i++) {
		struct given g = { at, &w->run->actions[i] };

		if (g.action->kind == TRACE_ACTION_REG && is_action_here(w, g.action))
			g_array_append_val(w->given, g);
	}
}

static void give_replayed_value(struct follower *w, uint32_t number, const struct trace_action *a)
{
	if (a)
		w->values[number] = low_bits_of_action(
			a, term_width(w->f->pool, definition_in_replay(w, number)->variable),
			w->values[number]);
}

static void pass_replayed_definition(struct follower *w, uint32_t number)
{
	const struct definition *d = definition_in_replay(w, number);

	if (d->kind != DEF_REGISTER)
		give_replayed_value(w, number, action_for(w, d));
}

static uint32_t pass_replayed_branch(struct follower *w, uint32_t at, const struct path_entry *e)
{
	pass_replayed_definition(w, e->index);
	if (model_path_outcome(e, w->values) == e->first)
		return at + 1;
	if (e->other < e->join)
		return e->other;
	if (e->joins)
		return e->join;
	w->result->leaves = true;
	w->result->guard = e->index;
	return w->f->path->len;
}

/* Definitions are numbered in the order of the walk, so all before the entry at
 * hand have their values.  A register's is made when it is read, maybe at a join
 * of which the log passes another side: what was given to it is known by then. */
static void evaluate_up_to(struct follower *w, uint32_t *done, uint32_t end)
{
	for (; *done < end; ++*done) {
		const struct definition *d = definition_in_replay(w, *done);

		w->values[*done] = d->expr ? term_eval(w->memo, d->expr) : d->actual;
		if (d->kind == DEF_REGISTER)
			give_replayed_value(w, *done, register_action(w, d));
	}
}

static void follow_run(struct follower *w)
{
	g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint32_t at = 0, done = 0;

	while (at < w->f->path->len) {
		const struct path_entry *e = &g_array_index(w->f->path, struct path_entry, at);
		uint32_t next = at + 1;

		if (ends->len && g_array_index(ends, uint32_t, ends->len - 2) == at) {
			at = g_array_index(ends, uint32_t, ends->len - 1);
			g_array_set_size(ends, ends->len - 2);
			continue;
		}
		if (e->kind == PATH_STEP) {
			pass_replayed_step(w, at, e->index);
		} else if (e->kind == PATH_END) {
			w->result->leaves = e->open;
			next = w->f->path->len;
		} else {
			evaluate_up_to(w, &done, e->index + 1);
			if (e->kind == PATH_DEF)
				pass_replayed_definition(w, e->index);
			else
				next = pass_replayed_branch(w, at, e);
			if (e->kind == PATH_BRANCH &&
			    model_path_outcome(e, w->values) == e->first && e->other < e->join) {
				g_array_append_val(ends, e->other);
				g_array_append_val(ends, e->join);
			}
		}
		at = next;
	}
	evaluate_up_to(w, &done, w->f->definitions->len);
}

struct replay_check replay_check_run(const struct formula *f, const struct walk_run *run,
				     const struct trace_run *first)
{
	struct replay_check t = { .values = g_new0(term_bits, MAX(f->definitions->len, 1)) };
	struct follower w = {
		.f = f, .run = run, .first = first, .values = t.values, .result = &t
	};

	w.memo = term_memo_new(f->pool, value_in_replay_so_far, t.values);
	w.counts = g_new0(uint64_t, MAX(f->pcs->len, 1));
	w.given = g_array_new(FALSE, FALSE, sizeof(struct given));
	follow_run(&w);
	g_array_free(w.given, TRUE);
	term_memo_free(w.memo);
	g_free(w.counts);
	w.memo = term_memo_new(f->pool, value_in_replay_so_far, t.values);
	for (guint i = 0; !t.leaves && !t.violated && i < f->constraints->len; i++) {
		const struct constraint *h = &g_array_index(f->constraints, struct constraint, i);

		if (!term_eval(w.memo, h->term))
			t.violated = h;
	}
	term_memo_free(w.memo);
	return t;
}

void replay_check_clear(struct replay_check *t)
{
	g_clear_pointer(&t->values, g_free);
}
