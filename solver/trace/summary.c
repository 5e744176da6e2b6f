/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/summary.h"

enum { MOST_ENDS = 64 };

/* A number kept under an address. */
struct entry {
	uint64_t address, number;
};

struct survey {
	GHashTable *counts;  /* uint64_t * pc → struct entry, owned */
	GHashTable *bytes;   /* uint64_t * address → struct entry, owned */
	GArray *ends, *none; /* struct survey_end */
	uint64_t end;	     /* pc at which the run ends */
};

static struct entry *entry_of(GHashTable *table, uint64_t address, bool *is_new)
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

static void note_reads(struct survey *s, const struct trace_step *step)
{
	for (unsigned i = 0; i < step->n_reads; i++) {
		const struct trace_read *r = &step->reads[i];

		for (unsigned k = 0; k < r->size; k++) {
			struct entry *e;
			bool is_new;

			if (!(r->outside >> k & 1))
				continue;
			e = entry_of(s->bytes, r->address + k, &is_new);
			if (is_new)
				e->number = r->bytes[k];
		}
	}
}

struct survey *survey_new(struct trace_run *run, struct lift *lift, GError **error)
{
	struct survey *s = g_new0(struct survey, 1);
	struct trace_cursor *c = trace_cursor_new(run, trace_run_chosen(run), lift);
	struct trace_step step = { 0 };
	bool is_new;
	int more;

	s->counts = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	s->bytes = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	s->ends = g_array_new(FALSE, FALSE, sizeof(struct survey_end));
	s->none = g_array_new(FALSE, FALSE, sizeof(struct survey_end));
	while ((more = trace_cursor_step(c, &step, error)) > 0) {
		s->end = step.pc;
		entry_of(s->counts, step.pc, &is_new)->number++;
		note_reads(s, &step);
	}
	if (more == 0 && step.went == TRACE_WENT_OUT && step.insn)
		s->end = step.pc;
	trace_cursor_free(c);
	if (more < 0)
		g_clear_pointer(&s, survey_free);
	return s;
}

static void note_end(struct survey *s, const struct trace_cursor *c)
{
	struct survey_end e;

	for (unsigned i = 0; i < 16; i++)
		e.regs[i] = trace_cursor_reg(c, (enum trace_reg)i);
	if (s->ends->len == MOST_ENDS)
		g_array_remove_index(s->ends, 0);
	g_array_append_val(s->ends, e);
}

bool survey_note_end(struct survey *s, struct trace_run *run, struct lift *lift, GError **error)
{
	struct trace_cursor *c = trace_cursor_new(run, trace_run_chosen(run), lift);
	struct trace_step step;
	int more;

	do {
		if (trace_cursor_pc(c) == s->end)
			note_end(s, c);
		more = trace_cursor_step(c, &step, error);
	} while (more > 0);
	trace_cursor_free(c);
	return more == 0;
}

const GArray *survey_ends(const struct survey *s, uint64_t pc)
{
	return pc == s->end ? s->ends : s->none;
}

void survey_free(struct survey *s)
{
	if (!s)
		return;
	g_hash_table_destroy(s->counts);
	g_hash_table_destroy(s->bytes);
	g_array_unref(s->ends);
	g_array_unref(s->none);
	g_free(s);
}

uint64_t survey_count(const struct survey *s, uint64_t pc)
{
	const struct entry *e = g_hash_table_lookup(s->counts, &pc);

	return e ? e->number : 0;
}

bool survey_byte(const struct survey *s, uint64_t address, uint8_t *value)
{
	const struct entry *e = g_hash_table_lookup(s->bytes, &address);

	if (e)
		*value = (uint8_t)e->number;
	return e != NULL;
}
