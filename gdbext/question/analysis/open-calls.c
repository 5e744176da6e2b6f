/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/analysis/open-calls.h"

uint64_t open_calls_outer(struct reverse_index *index, uint64_t step)
{
	const uint32_t depth = reverse_index_at(index, step)->depth;
	uint64_t call;

	reverse_index_find_branch(index, step, depth, NULL, 0, &call);
	return call;
}

/* The steps of the calls that are open at the end of the run, innermost first. */
static GArray *open_calls_of(struct reverse_index *index, uint64_t most)
{
	GArray *calls = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	uint64_t at = reverse_index_steps(index) - 1;

	while (calls->len < most) {
		at = open_calls_outer(index, at);
		if (at == UINT64_MAX)
			break;
		g_array_append_val(calls, at);
	}
	return calls;
}

/* The last step of the run that executed an instruction which the proof changes; UINT64_MAX = it
 * is not known. */
static uint64_t last_of_actions(const struct question *q, const struct explanation_suspect *s)
{
	const uint64_t steps = reverse_index_steps(q->index);
	uint64_t last = UINT64_MAX, bias;

	for (guint i = 0; s->actions && i < s->actions->len; i++) {
		const struct trace_action *a = &g_array_index(s->actions, struct trace_action, i);
		uint64_t pc, step;

		if (a->module >= q->run.n_images ||
		    !trace_point_bias_of(q->point, q->run.images[a->module], &bias))
			continue;
		pc = a->addr + bias;
		step = reverse_index_find_insn(q->index, 0, steps, &pc, 1);
		if (step != UINT64_MAX && (last == UINT64_MAX || step > last))
			last = step;
	}
	return last;
}

static uint64_t last_change_of(const struct question *q, const struct explanation_suspect *s)
{
	uint64_t last = UINT64_MAX;

	for (guint i = 0; i < s->instances->len; i++) {
		const struct explanation_instance *x =
			&g_array_index(s->instances, struct explanation_instance, i);

		if (x->at.pc && (last == UINT64_MAX || x->at.step > last))
			last = x->at.step;
	}
	return last == UINT64_MAX ? last_of_actions(q, s) : last;
}

static unsigned count_calls_since(const GArray *calls, uint64_t step)
{
	unsigned n = 0;

	while (n < calls->len && g_array_index(calls, uint64_t, n) > step)
		n++;
	return n;
}

void open_calls_note(struct question *q)
{
	g_autoptr(GArray) calls = NULL;

	if (g_strcmp0(q->e->failure.kind, "signal") != 0 || !q->point || !q->index ||
	    !reverse_index_steps(q->index))
		return;
	calls = open_calls_of(q->index, q->o->limits.order_calls);
	for (guint i = 0; calls->len && i < q->e->suspects->len; i++) {
		struct explanation_suspect *s = q->e->suspects->pdata[i];
		const uint64_t last = last_change_of(q, s);

		s->calls_since = last == UINT64_MAX ? 0 : count_calls_since(calls, last);
	}
}
