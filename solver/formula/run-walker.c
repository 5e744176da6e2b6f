/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/run-walker.h"

#include "solver/base/hash.h"

struct row {
	uint64_t pc;
	uint64_t of[]; /* each walker's */
};

struct walker_counts {
	unsigned walkers;
	GHashTable *rows; /* &row.pc → struct row, owned */
	struct row *last; /* NULL = none was asked for */
};

struct walker_counts *walker_counts_new(unsigned walkers)
{
	struct walker_counts *c = g_new0(struct walker_counts, 1);

	c->walkers = walkers;
	c->rows = g_hash_table_new_full(hash_u64, g_int64_equal, NULL, g_free);
	return c;
}

void walker_counts_free(struct walker_counts *c)
{
	if (!c)
		return;
	g_hash_table_destroy(c->rows);
	g_free(c);
}

/* NULL: no walker was there. */
static struct row *row_of_walker(struct walker_counts *c, uint64_t pc)
{
	struct row *row =
		c->last && c->last->pc == pc ? c->last : g_hash_table_lookup(c->rows, &pc);

	if (row)
		c->last = row;
	return row;
}

static struct row *new_row(struct walker_counts *c, uint64_t pc)
{
	struct row *row = g_malloc0(sizeof(*row) + c->walkers * sizeof(*row->of));

	row->pc = pc;
	g_hash_table_insert(c->rows, &row->pc, row);
	c->last = row;
	return row;
}

struct run_walker *walker_new(const struct walk_run *run, unsigned number,
			      struct walker_counts *counts, const struct limits *limits,
			      struct lift *lift)
{
	struct run_walker *l = g_new0(struct run_walker, 1);

	l->number = number;
	l->run = run;
	l->counts = counts;
	if (trace_run_left_out(run->record, trace_run_chosen(run->record)))
		l->around = (unsigned)limits->calls_around;
	l->cursor = trace_cursor_new(run->record, trace_run_chosen(run->record), lift);
	trace_cursor_set_actions(l->cursor, run->actions, run->n_actions);
	l->frames = g_array_new(FALSE, FALSE, sizeof(struct walker_frame));
	l->at_work = g_array_new(FALSE, TRUE, sizeof(struct walker_execution));
	return l;
}

void walker_free(struct run_walker *l)
{
	if (!l)
		return;
	trace_cursor_free(l->cursor);
	g_array_free(l->frames, TRUE);
	g_array_free(l->at_work, TRUE);
	g_free(l);
}

static void count_execution(struct run_walker *l, uint64_t pc)
{
	struct row *row = row_of_walker(l->counts, pc);

	if (!row)
		row = new_row(l->counts, pc);
	row->of[l->number]++;
}

uint64_t walker_count(const struct run_walker *l, uint64_t pc)
{
	const struct row *row = row_of_walker(l->counts, pc);

	return row ? row->of[l->number] : 0;
}

uint64_t walker_execution(struct run_walker *l, const struct image_statement *statement)
{
	struct walker_execution *e;

	g_array_set_size(l->at_work, l->depth + 1);
	e = &g_array_index(l->at_work, struct walker_execution, l->depth);
	if (e->statement != statement || l->step.pc < e->pc ||
	    (l->step.pc == e->pc && !l->step.insn->rep)) {
		e->statement = statement;
		e->nth = walker_count(l, l->step.pc);
	}
	e->pc = l->step.pc;
	return e->nth;
}

static struct walker_frame frame_of_call(const struct run_walker *l, bool called)
{
	struct walker_frame f = { .slot = trace_cursor_reg(l->cursor, TRACE_RSP) };

	if (!called)
		return f;
	f.module = l->step.module;
	f.caller = trace_cursor_frame(l->cursor);
	f.caller.pc = l->step.insn->addr;
	f.caller.bias = f.module->bias;
	for (unsigned i = 0; i < 16; i++)
		f.caller.regs[i] = l->before[i];
	return f;
}

/* A frame is gone once the stack pointer is above its return address: by ret,
 * by a tail call's callee, or by longjmp. */
static void follow_frames(struct run_walker *l)
{
	uint64_t sp = trace_cursor_reg(l->cursor, TRACE_RSP);
	unsigned flow = l->step.insn->flow;
	bool called = (flow == TRACE_FLOW_CALL || flow == TRACE_FLOW_CALL_IND) &&
		      l->step.exit_kind == TRACE_EXIT_ON;
	bool entered =
		(l->step.exit_kind == TRACE_EXIT_NATIVE && l->step.enter.why == TRACE_WHY_CALL) ||
		l->step.signal;

	if (flow == TRACE_FLOW_RET && !l->frames->len && l->around)
		l->around--;
	while (l->frames->len &&
	       g_array_index(l->frames, struct walker_frame, l->frames->len - 1).slot < sp)
		g_array_set_size(l->frames, l->frames->len - 1);
	if (called || entered) {
		struct walker_frame f = frame_of_call(l, called);

		g_array_append_val(l->frames, f);
	}
}

const struct walker_frame *walker_frame_around(const struct run_walker *l, uint64_t address)
{
	for (guint i = 0; i < l->frames->len; i++) {
		const struct walker_frame *f = &g_array_index(l->frames, struct walker_frame, i);

		if (address > f->slot)
			return f->module ? f : NULL;
	}
	return NULL;
}

unsigned walker_depth(const struct run_walker *l)
{
	return l->around + l->frames->len;
}

int walker_step(struct run_walker *l, GError **error)
{
	int r;

	for (unsigned i = 0; i < 16; i++)
		l->before[i] = trace_cursor_reg(l->cursor, (enum trace_reg)i);
	r = trace_cursor_step(l->cursor, &l->step, error);
	if (r != 1) {
		l->ended = true;
		return r;
	}
	count_execution(l, l->step.pc);
	l->depth = walker_depth(l);
	follow_frames(l);
	return 1;
}
