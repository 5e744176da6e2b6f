/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/summary.h"

#include "solver/base/hash.h"

enum { MOST_ENDS = 64 };

/* A number kept under an address. */
struct entry {
	uint64_t address, number;
};

struct trace_summary {
	GHashTable *counts;  /* uint64_t * pc → struct entry, owned */
	GHashTable *bytes;   /* uint64_t * address → struct entry, owned */
	GArray *ends, *none; /* struct trace_summary_end */
	uint64_t end;	     /* pc at which the run ends */
};

static struct entry *summary_entry_of(GHashTable *table, uint64_t address, bool *is_new)
{
	struct entry *e = g_hash_table_lookup(table, &address);

	*is_new = !e;
	if (e)
		return e;
	e = g_new0(struct entry, 1);
	e->address = address;
	g_hash_table_insert(table, &e->address, e);
	return e;
}

static void note_first_reads(struct trace_summary *s, const struct trace_step *step)
{
	for (unsigned i = 0; i < step->n_reads; i++) {
		const struct trace_read *r = &step->reads[i];

		for (unsigned k = 0; k < r->size; k++) {
			struct entry *e;
			bool is_new;

			if (!(r->outside >> k & 1))
				continue;
			e = summary_entry_of(s->bytes, r->address + k, &is_new);
			if (is_new)
				e->number = r->bytes[k];
		}
	}
}

struct trace_summary *trace_summary_new(struct trace_run *run, struct lift *lift, GError **error)
{
	struct trace_summary *s = g_new0(struct trace_summary, 1);
	struct trace_cursor *c = trace_cursor_new(run, trace_run_chosen(run), lift);
	struct trace_step step = { 0 };
	bool is_new;
	int more;

	s->counts = g_hash_table_new_full(hash_u64, g_int64_equal, NULL, g_free);
	s->bytes = g_hash_table_new_full(hash_u64, g_int64_equal, NULL, g_free);
	s->ends = g_array_new(FALSE, FALSE, sizeof(struct trace_summary_end));
	s->none = g_array_new(FALSE, FALSE, sizeof(struct trace_summary_end));
	while ((more = trace_cursor_step(c, &step, error)) > 0) {
		s->end = step.pc;
		summary_entry_of(s->counts, step.pc, &is_new)->number++;
		note_first_reads(s, &step);
	}
	if (more == 0 && step.exit_kind == TRACE_EXIT_CUT && step.insn)
		s->end = step.pc;
	trace_cursor_free(c);
	if (more < 0)
		g_clear_pointer(&s, trace_summary_free);
	return s;
}

static void note_registers_at_end(struct trace_summary *s, const struct trace_cursor *c)
{
	struct trace_summary_end e;

	for (unsigned i = 0; i < 16; i++)
		e.regs[i] = trace_cursor_reg(c, (enum trace_reg)i);
	if (s->ends->len == MOST_ENDS)
		g_array_remove_index(s->ends, 0);
	g_array_append_val(s->ends, e);
}

bool trace_summary_note_end(struct trace_summary *s, struct trace_run *run, struct lift *lift,
			    GError **error)
{
	struct trace_cursor *c = trace_cursor_new(run, trace_run_chosen(run), lift);
	struct trace_step step;
	int more;

	do {
		if (trace_cursor_pc(c) == s->end)
			note_registers_at_end(s, c);
		more = trace_cursor_step(c, &step, error);
	} while (more > 0);
	trace_cursor_free(c);
	return more == 0;
}

const GArray *trace_summary_ends(const struct trace_summary *s, uint64_t pc)
{
	return pc == s->end ? s->ends : s->none;
}

void trace_summary_free(struct trace_summary *s)
{
	if (!s)
		return;
	g_hash_table_destroy(s->counts);
	g_hash_table_destroy(s->bytes);
	g_array_unref(s->ends);
	g_array_unref(s->none);
	g_free(s);
}

uint64_t trace_summary_count(const struct trace_summary *s, uint64_t pc)
{
	const struct entry *e = g_hash_table_lookup(s->counts, &pc);

	return e ? e->number : 0;
}

bool trace_summary_byte(const struct trace_summary *s, uint64_t address, uint8_t *value)
{
	const struct entry *e = g_hash_table_lookup(s->bytes, &address);

	if (e)
		*value = (uint8_t)e->number;
	return e != NULL;
}
