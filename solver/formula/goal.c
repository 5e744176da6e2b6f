/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/goal.h"

#include <string.h>

bool goal_is_next(const struct walk_goal *g, const struct run_walker *l)
{
	uint64_t pc = trace_cursor_pc(l->cursor), passed = 0;
	bool here = false;

	for (unsigned i = 0; i < g->n_pcs; i++)
		here |= g->pcs[i] == pc;
	for (unsigned i = 0; here && i < g->n_pcs; i++)
		passed += walker_count(l, g->pcs[i]);
	return here && passed + 1 == g->count;
}

/* The condition as if it stood in the program there, in an instance of its own, so
 * that what statements before it left in registers may be changed. */
static void stand_there(struct walk *w, struct run_walker *l, struct trace_step *step)
{
	struct instance in = { .selector = SELECTOR_HARD, .reach = w->reach };
	uint32_t entry = w->f->path->len;
	uint64_t link;

	*step = (struct trace_step){ .pc = trace_cursor_pc(l->cursor) };
	step->module = trace_run_module_at(l->run->record, step->pc, &link);
	step->insn = image_insn_at(step->module->image, link);
	w->cursor = l->cursor;
	w->step_run = l->run->record;
	w->step = step;
	for (unsigned i = 0; i < 16; i++)
		w->before[i] = trace_cursor_reg(l->cursor, (enum trace_reg)i);
	w->info = w->next_info = insn_info_at(w, step->pc, step->module, step->insn);
	in.statement = w->info->statement;
	in.pc = step->pc;
	in.rbp = w->before[TRACE_RBP];
	in.rsp = w->before[TRACE_RSP];
	w->instance = w->instances->len;
	g_array_append_val(w->instances, in);
	g_array_append_val(w->f->instance_end, entry);
}

void goal_require(struct walk *w, struct run_walker *l, const struct walk_goal *g)
{
	struct image_frame frame = trace_cursor_frame(l->cursor);
	g_autoptr(GPtrArray) alone = g_ptr_array_new();
	GPtrArray *others = w->active;
	struct trace_step step;
	uint32_t term;

	stand_there(w, l, &step);
	expression_run(g->code, &frame, l->cursor);
	step.ir = &g->code->ir;
	step.temps = g->code->temps;
	step.n_ran = g->code->ir.n_ops;
	g_ptr_array_add(alone, l);
	w->active = alone;
	exec_step(w);
	w->active = others;
	term = w->terms[g->truth];
	walk_require(w, term ? term : term_false(w->p), true);
	w->step = &l->step;
}
