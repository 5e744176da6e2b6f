/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a proof does not need. */
#include "solver/search/search-private.h"

static term_bits value_as_it_ran(void *arg, uint32_t number)
{
	return g_array_index(((const struct formula *)arg)->definitions, struct definition, number)
		.actual;
}

static const struct definition *definition_of(const struct search *s,
					      const struct model_path_change *c)
{
	return &g_array_index(s->formula->definitions, struct definition, c->def);
}

static const struct model_path_change *change_in_path(const struct model_path *p, guint i)
{
	return &g_array_index(p->changes, struct model_path_change, i);
}

/* The changes that hold a value at what it was in the failing run: another change would let
 * the program compute something else there. */
static bool *held_changes(const struct search *s, const struct model_path *p)
{
	struct term_memo *run =
		term_memo_new(s->formula->pool, value_as_it_ran, (gpointer)s->formula);
	bool *held = g_new0(bool, p->changes->len + 1);

	for (guint i = 0; i < p->changes->len; i++) {
		const struct definition *d = definition_of(s, change_in_path(p, i));

		held[i] = change_in_path(p, i)->value == d->actual && term_eval(run, d->reach);
	}
	term_memo_free(run);
	return held;
}

static void take_out_of_path(struct model_path *p, const bool *without)
{
	guint n = 0;

	for (guint i = 0; i < p->changes->len; i++) {
		if (without[i])
			continue;
		g_array_index(p->changes, struct model_path_change, n) = *change_in_path(p, i);
		g_array_index(p->actions, struct trace_action, n++) =
			g_array_index(p->actions, struct trace_action, i);
	}
	g_array_set_size(p->changes, n);
	g_array_set_size(p->actions, n);
}

/* Does the test pass without these changes, too? */
static bool passes_without(struct search *s, const struct model_path *p, const bool *without)
{
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

	for (guint i = 0; i < p->actions->len; i++)
		if (!without[i])
			g_array_append_val(actions,
					   g_array_index(p->actions, struct trace_action, i));
	/* a proof that is told as it was made is no less complete */
	return actions->len && search_runs(s) < s->limits->runs && search_time_left_ms(s) &&
	       candidate_passes(s, actions, NULL);
}

/* Leaves only those changes of the instruction that are held; are there any? */
static bool held_at(const struct search *s, const struct model_path *p, uint64_t pc, bool *held)
{
	bool any = false;

	for (guint i = 0; i < p->changes->len; i++) {
		held[i] = held[i] && definition_of(s, change_in_path(p, i))->pc == pc;
		any |= held[i];
	}
	return any;
}

/* Takes out the held changes of one instruction after the other, where the test passes without. */
static void leave_out_in_turn(struct search *s, struct model_path *p)
{
	g_autoptr(GArray) pcs = g_array_new(FALSE, FALSE, sizeof(uint64_t));

	for (guint i = 0; i < p->changes->len; i++)
		g_array_append_val(pcs, definition_of(s, change_in_path(p, i))->pc);
	for (guint i = 0; i < pcs->len; i++) {
		const uint64_t pc = g_array_index(pcs, uint64_t, i);
		g_autofree bool *held = held_changes(s, p);
		bool asked = false;

		for (guint k = 0; k < i; k++)
			asked |= g_array_index(pcs, uint64_t, k) == pc;
		if (!asked && held_at(s, p, pc, held) && passes_without(s, p, held))
			take_out_of_path(p, held);
	}
}

static void leave_out_held(struct search *s, struct model_path *p)
{
	g_autofree bool *held = held_changes(s, p);
	bool any = false;

	for (guint i = 0; i < p->changes->len; i++)
		any |= held[i];
	if (!any)
		return;
	if (passes_without(s, p, held))
		take_out_of_path(p, held);
	else
		leave_out_in_turn(s, p);
}

/* The run ended before the last ones: it left a loop earlier than the formula thought. */
static void leave_out_undone(struct search *s, struct model_path *p)
{
	g_autofree bool *undone = g_new0(bool, p->changes->len + 1);

	if (!s->actions_done || s->actions_done >= p->actions->len)
		return;
	for (guint i = (guint)s->actions_done; i < p->actions->len; i++)
		undone[i] = true;
	if (passes_without(s, p, undone))
		take_out_of_path(p, undone);
}

void candidate_leave_out_idle(struct search *s, struct model_path *p)
{
	if (!s->runner)
		return;
	leave_out_undone(s, p);
	leave_out_held(s, p);
}
