/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/transfer/transfer-private.h"

#include "solver/memory/memory.h"

#include <string.h>

bool transfer_sets_one_value(const struct change *c)
{
	const GArray *actions = c->of->actions;

	return actions->len == 1 && memory_sets_a_value((const void *)actions->data, 1);
}

/* The actions of all changes that set one value. */
static GArray *actions_of_one_value(const struct transfer *x)
{
	GArray *actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

	for (guint i = 0; i < x->groups->len; i++) {
		const struct group *g = x->groups->pdata[i];

		for (guint k = 0; k < g->changes->len; k++) {
			const struct change *c = &g_array_index(g->changes, struct change, k);

			if (transfer_sets_one_value(c))
				g_array_append_vals(actions, c->of->actions->data, 1);
		}
	}
	return actions;
}

/* What the failing run has in the places of all changes; NULL: that is not known. */
static const struct shift *shift_of_attempt(struct attempt *a)
{
	const struct run_source *from = &a->first->run;
	g_autoptr(GArray) actions = NULL;
	struct trace_run *run;

	if (a->shift_known)
		return a->shift;
	a->shift_known = true;
	run = a->failing ? trace_run_open(a->failing, from->images, from->n_images, NULL) : NULL;
	if (run && trace_run_choose(run, from->failing.thread, NULL) &&
	    trace_run_head(run, from->failing.thread)->insns <= a->x->limits->influence_insns) {
		trace_run_end_at(run, &a->first->until);
		actions = actions_of_one_value(a->x);
		a->shift = shift_new(run, a->x->lift, (const void *)actions->data, actions->len);
	}
	trace_run_free(run);
	return a->shift;
}

static bool was_value_tried(const struct attempt *a, const struct trace_action *action)
{
	for (guint i = 0; i < a->tried->len; i++)
		if (!memcmp(&g_array_index(a->tried, struct trace_action, i), action,
			    sizeof *action))
			return true;
	return false;
}

static bool suggested_value_mends(struct attempt *a, const struct trace_action *action)
{
	g_autoptr(GArray) one = NULL;
	uint64_t done;

	if (was_value_tried(a, action))
		return false;
	g_array_append_vals(a->tried, action, 1);
	one = g_array_new(FALSE, FALSE, sizeof(*action));
	g_array_append_vals(one, action, 1);
	return transfer_passes(a, one, &done);
}

/* Tries the values that an action which mends the test suggests for the place of a change. */
static bool suggested_values_mend(struct attempt *a, struct group *g,
				  const struct trace_action *mends, const struct change *c)
{
	const struct trace_action *place = (const void *)c->of->actions->data;
	g_autoptr(GArray) actions = shift_by(a->shift, mends, place);
	const guint n = actions->len, usual = g->usual_shift < n ? g->usual_shift : 0;

	for (guint i = 0; i < n && a->runs < a->x->limits->joint_runs; i++) {
		guint number = !i ? usual : i - (i <= usual);

		if (!suggested_value_mends(a, &g_array_index(actions, struct trace_action, number)))
			continue;
		g->usual_shift = number;
		g_ptr_array_add(a->e->suspects, transfer_copy(c->of));
		return true;
	}
	return false;
}

/* The first change of the group about its place. */
static bool is_first_of_place(const struct group *g, guint number)
{
	const GArray *actions = g_array_index(g->changes, struct change, number).of->actions;

	for (guint i = 0; i < number; i++) {
		const struct change *before = &g_array_index(g->changes, struct change, i);

		if (transfer_sets_one_value(before) &&
		    shift_is_same_place((const void *)before->of->actions->data,
					(const void *)actions->data))
			return false;
	}
	return true;
}

static bool shift_mends(struct attempt *a, struct group *g, const struct trace_action *mends)
{
	for (guint i = 0; i < g->changes->len; i++) {
		const struct change *c = &g_array_index(g->changes, struct change, i);

		if (transfer_sets_one_value(c) && is_first_of_place(g, i) &&
		    suggested_values_mend(a, g, mends, c))
			return true;
	}
	return false;
}

bool transfer_shifts_mend(struct attempt *a, struct group *g)
{
	bool mended = false;

	if (g->shift_test != a->x->test)
		g->shifted_by = 0;
	g->shift_test = a->x->test;
	for (; !mended && g->shifted_by < a->mends->len && shift_of_attempt(a); g->shifted_by++) {
		mended = shift_mends(a, g,
				     &g_array_index(a->mends, struct trace_action, g->shifted_by));
		g->shifts++;
		g->shifted += mended;
	}
	return mended;
}

bool transfer_is_shift_likelier(const struct attempt *a, const struct group *g)
{
	double likelihood = (g->shifted + 1.0) / (g->shifts + 2.0);
	const struct change *c = transfer_next(a, g);
	struct estimate e;

	if (!c)
		return true;
	e = transfer_estimate(a, c);
	return likelihood > e.mended / (e.all + 1);
}
