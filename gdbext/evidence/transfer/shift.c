/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/transfer/shift.h"

#include "solver/trace/executions.h"

#include <string.h>

struct shift {
	GArray *places;	    /* struct trace_action, each place once */
	GArray *executions; /* struct trace_execution of them */
};

bool shift_is_same_place(const struct trace_action *a, const struct trace_action *b)
{
	return a->kind == b->kind && a->module == b->module && a->addr == b->addr &&
	       a->size == b->size && (a->kind != TRACE_ACTION_REG || a->reg == b->reg);
}

/* Its number; the number of places where it is none of them. */
static guint number_of_place(const struct shift *s, const struct trace_action *a)
{
	guint i = 0;

	while (i < s->places->len &&
	       !shift_is_same_place(a, &g_array_index(s->places, struct trace_action, i)))
		i++;
	return i;
}

struct shift *shift_new(struct trace_run *run, struct lift *lift,
			const struct trace_action *actions, size_t n)
{
	struct shift *s = g_new0(struct shift, 1);

	s->places = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	for (size_t i = 0; i < n; i++)
		if (number_of_place(s, &actions[i]) == s->places->len)
			g_array_append_val(s->places, actions[i]);
	s->executions = trace_executions(run, lift, (const void *)s->places->data, s->places->len);
	if (!s->executions)
		g_clear_pointer(&s, shift_free);
	return s;
}

void shift_free(struct shift *s)
{
	if (!s)
		return;
	g_array_unref(s->places);
	if (s->executions)
		g_array_unref(s->executions);
	g_free(s);
}

/* The executions of the place that are nearest to the step: the last one before it, and the first
 * one behind it; NULL = there is none. */
struct nearest {
	const struct trace_execution *before, *behind;
};

static struct nearest nearest_executions(const struct shift *s, guint place, uint64_t step)
{
	struct nearest n = { 0 };

	for (guint i = 0; i < s->executions->len && !n.behind; i++) {
		const struct trace_execution *e =
			&g_array_index(s->executions, struct trace_execution, i);

		if (e->of != place || e->step == step)
			continue;
		if (e->step < step)
			n.before = e;
		else
			n.behind = e;
	}
	return n;
}

static void append_shifted(GArray *to, const struct trace_action *place,
			   const struct trace_execution *e, uint64_t by)
{
	const uint64_t values[] = { e->value + by, e->value - by };

	for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
		struct trace_action a = *place;

		a.nth = e->nth;
		a.where = place->kind == TRACE_ACTION_MEM ? e->where : place->where;
		memset(a.value, 0, sizeof(values[i])); /* which bits are written stays */
		memcpy(a.value, &values[i], place->size);
		g_array_append_val(to, a);
	}
}

/* By how much the action changes the value, as a signed number of its size. */
static uint64_t difference_made(const struct trace_action *a, const struct trace_execution *e)
{
	unsigned unused = 64 - 8u * a->size;
	uint64_t now = 0;

	memcpy(&now, a->value, a->size);
	return (uint64_t)((int64_t)((now - e->value) << unused) >> unused);
}

GArray *shift_by(const struct shift *s, const struct trace_action *mends,
		 const struct trace_action *place)
{
	GArray *actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	const struct trace_execution *from =
		trace_execution_find(s->executions, number_of_place(s, mends), mends->nth);
	struct nearest n;
	bool behind_first;
	uint64_t by;

	if (!from)
		return actions;
	by = difference_made(mends, from);
	n = nearest_executions(s, number_of_place(s, place), from->step);
	behind_first = n.behind &&
		       (!n.before || n.behind->step - from->step < from->step - n.before->step);
	if (behind_first)
		append_shifted(actions, place, n.behind, by);
	if (n.before)
		append_shifted(actions, place, n.before, by);
	if (n.behind && !behind_first)
		append_shifted(actions, place, n.behind, by);
	return actions;
}
