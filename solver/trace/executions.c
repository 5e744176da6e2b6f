/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/executions.h"

#include "solver/isa/ir.h"

#include <string.h>

struct walk_of_executions {
	const struct trace_run *run;
	const struct trace_cursor *cursor;
	const struct trace_action *actions;
	size_t n;
	uint64_t *counts; /* one an action */
	GArray *found;
};

static bool is_instruction_of(const struct walk_of_executions *w, const struct trace_step *step,
			      const struct trace_action *a)
{
	return step->insn->addr == a->addr &&
	       trace_run_module_number(w->run, step->module) == a->module;
}

/* Where the step stores by itself; false: nowhere, or at several places. */
static bool find_store(const struct trace_step *step, uint64_t *where)
{
	const struct ir_block *ir = step->ir;
	unsigned n = 0;

	for (uint32_t i = 0; i < step->n_ran; i++) {
		if (ir->ops[i].kind != IR_STORE)
			continue;
		*where = step->temps[ir->ops[i].a].w[0];
		n++;
	}
	return n == 1;
}

/* Reads what is in the place of the action now. */
static bool read_place(const struct walk_of_executions *w, const struct trace_step *step,
		       const struct trace_action *a, struct trace_execution *e)
{
	const unsigned offset = 8u * a->reg;

	if (!a->size || a->size > sizeof(e->value))
		return false;
	if (a->kind == TRACE_ACTION_MEM)
		return find_store(step, &e->where) &&
		       trace_cursor_read(w->cursor, e->where, a->size, (uint8_t *)&e->value);
	if (a->kind != TRACE_ACTION_REG || a->reg >= 16 ||
	    !trace_cursor_state_known(w->cursor, offset, a->size))
		return false;
	memcpy(&e->value, trace_cursor_state(w->cursor) + offset, a->size);
	return true;
}

static void note_executions_of_step(struct walk_of_executions *w, const struct trace_step *step)
{
	for (size_t i = 0; i < w->n; i++) {
		struct trace_execution e = { .of = i, .step = step->number };

		if (!is_instruction_of(w, step, &w->actions[i]))
			continue;
		e.nth = ++w->counts[i];
		if (read_place(w, step, &w->actions[i], &e))
			g_array_append_val(w->found, e);
	}
}

GArray *trace_executions(struct trace_run *run, struct lift *lift,
			 const struct trace_action *actions, size_t n)
{
	struct trace_cursor *cursor = trace_cursor_new(run, trace_run_chosen(run), lift);
	g_autofree uint64_t *counts = g_new0(uint64_t, n);
	struct walk_of_executions w = { .run = run,
					.cursor = cursor,
					.actions = actions,
					.n = n,
					.counts = counts,
					.found = g_array_new(FALSE, FALSE,
							     sizeof(struct trace_execution)) };
	struct trace_step step;
	int more;

	while ((more = trace_cursor_step(cursor, &step, NULL)) == 1)
		note_executions_of_step(&w, &step);
	trace_cursor_free(cursor);
	if (more < 0)
		g_clear_pointer(&w.found, g_array_unref);
	return w.found;
}

const struct trace_execution *trace_execution_find(const GArray *executions, size_t of,
						   uint64_t nth)
{
	for (guint i = 0; i < executions->len; i++) {
		const struct trace_execution *e =
			&g_array_index(executions, struct trace_execution, i);

		if (e->of == of && e->nth == nth)
			return e;
	}
	return NULL;
}
