/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/specs/pointers.h"

#include "solver/base/hash.h"
#include "solver/source/failing-lines.h"

#include <string.h>

enum { POINTER = 8 };

struct finder {
	const struct pointers_question *q;
	const struct trace_module *program;
	struct pointers *p;
	GHashTable *counts; /* uint64_t *, address of an instruction → how often (GUINT) */
	GHashTable *looked; /* uint64_t *: words that were read or written */
	GHashTable *seen;   /* uint64_t *: what was read or written as a pointer could be */
	GArray *order;	    /* uint64_t: .seen, in order */
	uint64_t regs[16];  /* after the last step */
	GArray *reads;	    /* struct pointer_base: pointers that the line at hand read */
};

static void add_pointer_value(GHashTable *set, uint64_t value)
{
	g_hash_table_add(set, g_memdup2(&value, sizeof value));
}

static void see_pointer(struct finder *f, uint64_t value)
{
	if (g_hash_table_contains(f->seen, &value))
		return;
	add_pointer_value(f->seen, value);
	g_array_append_val(f->order, value);
}

static bool is_on_stack_of_call(const struct finder *f, uint64_t value, uint64_t sp)
{
	uint64_t around = f->q->limits->pointer_stack;

	return value + around > sp && value < sp + around;
}

static uint64_t count_pointer_executions(struct finder *f, uint64_t addr)
{
	guint n = GPOINTER_TO_UINT(g_hash_table_lookup(f->counts, &addr)) + 1;

	g_hash_table_insert(f->counts, g_memdup2(&addr, sizeof addr), GUINT_TO_POINTER(n));
	return n;
}

/* The key of the statement, if it is one of the call's. */
static const char *line_key_of(const struct finder *f, const struct trace_step *step)
{
	const struct image *im = f->program->image;
	const struct image_row *row = image_row_at(im, step->insn->addr);
	g_autofree char *key = NULL;
	gpointer mine = NULL;

	if (!row || row->prologue)
		return NULL;
	key = failing_lines_key(image_statement(im, row->statement));
	return g_hash_table_lookup_extended(f->q->lines, key, &mine, NULL) ? mine : NULL;
}

static void note_pointer_reads(struct finder *f, const struct trace_step *step, uint64_t sp)
{
	for (unsigned i = 0; i < step->n_reads; i++) {
		uint64_t value;

		add_pointer_value(f->looked, step->reads[i].address / POINTER);
		if (step->reads[i].size != POINTER)
			continue;
		memcpy(&value, step->reads[i].bytes, sizeof value);
		if (!is_on_stack_of_call(f, value, sp))
			see_pointer(f, value);
	}
}

static void add_base_read(struct finder *f, struct pointer_base b)
{
	if (f->reads->len && g_array_index(f->reads, struct pointer_base, 0).line != b.line)
		g_array_set_size(f->reads, 0);
	g_array_append_val(f->reads, b);
}

/* The step changed a register to what it read. */
static void note_read_pointer(struct finder *f, const struct trace_cursor *c,
			      const struct trace_step *step, const struct pointer_store *s)
{
	uint64_t read = 0;

	if (s->line && step->n_reads == 1 && step->reads[0].size == sizeof read)
		memcpy(&read, step->reads[0].bytes, sizeof read);
	for (uint16_t r = 0; r < G_N_ELEMENTS(f->regs); r++) {
		uint64_t now = trace_cursor_reg(c, r);

		if (read && now == read && now != f->regs[r])
			add_base_read(f, (struct pointer_base){ s->line, s->addr, s->nth, s->step,
								read, r });
		f->regs[r] = now;
	}
}

/* The last pointer of its line that leads there. */
static void note_base(struct finder *f, const struct pointer_store *s)
{
	for (guint i = f->reads->len; i-- > 0;) {
		const struct pointer_base *b = &g_array_index(f->reads, struct pointer_base, i);

		if (b->line != s->line || s->where < b->value ||
		    s->where - b->value >= f->q->limits->pointer_object)
			continue;
		g_array_append_val(f->p->bases, *b);
		g_array_remove_index(f->reads, i);
		return;
	}
}

static void note_stores(struct finder *f, const struct trace_step *step, uint64_t sp,
			struct pointer_store s)
{
	for (uint32_t k = 0; k < step->n_ran; k++) {
		const struct ir_op *op = &step->ir->ops[k];

		if (op->kind != IR_STORE || !step->temps[op->a].known)
			continue;
		s.where = step->temps[op->a].w[0];
		if (s.line && !is_on_stack_of_call(f, s.where, sp))
			note_base(f, &s);
		if (step->ir->ops[op->b].width != POINTER * 8)
			continue;
		s.value = step->temps[op->b].w[0];
		add_pointer_value(f->looked, s.where / POINTER);
		if (is_on_stack_of_call(f, s.value, sp))
			continue;
		see_pointer(f, s.value);
		if (s.line && step->insn->flow != TRACE_FLOW_CALL)
			g_array_append_val(f->p->stores, s);
	}
}

/* Was something looked at that lies there, or a little behind? */
static bool is_object(const struct finder *f, uint64_t value)
{
	uint64_t end = value + f->q->limits->pointer_object;

	for (uint64_t at = value; !(value % POINTER) && at < end; at += POINTER) {
		uint64_t word = at / POINTER;

		if (g_hash_table_contains(f->looked, &word))
			return true;
	}
	return false;
}

static void keep_objects(struct finder *f)
{
	struct pointers *p = f->p;
	uint64_t null = 0;

	g_array_append_val(p->values, null);
	for (guint i = 0; i < f->order->len; i++) {
		uint64_t value = g_array_index(f->order, uint64_t, i);

		if (value && is_object(f, value))
			g_array_append_val(p->values, value);
	}
	for (guint i = p->stores->len; i-- > 0;) {
		uint64_t value = g_array_index(p->stores, struct pointer_store, i).value;

		if (value && !is_object(f, value))
			g_array_remove_index(p->stores, i);
	}
}

static void note_step(struct finder *f, const struct trace_cursor *c, const struct trace_step *step)
{
	uint64_t sp = trace_cursor_reg(c, TRACE_RSP);
	struct pointer_store s = { .line = step->module == f->program ? line_key_of(f, step) : NULL,
				   .addr = step->insn->addr,
				   .step = step->number };

	if (s.line)
		s.nth = count_pointer_executions(f, s.addr);
	note_pointer_reads(f, step, sp);
	note_stores(f, step, sp, s);
	note_read_pointer(f, c, step, &s);
}

struct pointers *pointers_find(const struct pointers_question *q, struct lift *lift, GError **error)
{
	struct finder f = { .q = q,
			    .program = trace_run_module(q->run, q->program),
			    .p = g_new0(struct pointers, 1) };
	struct trace_cursor *c = trace_cursor_new(q->run, trace_run_chosen(q->run), lift);
	struct trace_step step;
	int got;

	f.p->stores = g_array_new(FALSE, FALSE, sizeof(struct pointer_store));
	f.p->bases = g_array_new(FALSE, FALSE, sizeof(struct pointer_base));
	f.p->values = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	f.counts = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	f.looked = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	f.reads = g_array_new(FALSE, FALSE, sizeof(struct pointer_base));
	f.seen = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	f.order = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	while ((got = trace_cursor_step(c, &step, error)) == 1)
		note_step(&f, c, &step);
	trace_cursor_free(c);
	keep_objects(&f);
	g_hash_table_destroy(f.counts);
	g_hash_table_destroy(f.looked);
	g_hash_table_destroy(f.seen);
	g_array_unref(f.order);
	g_array_unref(f.reads);
	if (got == 0)
		return f.p;
	pointers_free(f.p);
	return NULL;
}

void pointers_free(struct pointers *p)
{
	if (!p)
		return;
	g_array_unref(p->stores);
	g_array_unref(p->bases);
	g_array_unref(p->values);
	g_free(p);
}
