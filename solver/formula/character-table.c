/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/character-table.h"

#include <string.h>

void character_table_init(struct walk *w)
{
	w->tables = g_array_new(FALSE, FALSE, sizeof(struct character_table));
}

void character_table_deinit(struct walk *w)
{
	g_array_free(w->tables, TRUE);
}

void character_table_note_call(struct walk *w)
{
	struct character_table t = { .kind = characters_table_of(w->step->native_name),
				     .slot = trace_cursor_reg(w->cursor, TRACE_RAX) };

	if (!t.kind || w->step->enter.why != TRACE_WHY_RETURN)
		return;
	for (guint i = 0; i < w->tables->len; i++)
		if (g_array_index(w->tables, struct character_table, i).slot == t.slot)
			return;
	g_array_append_val(w->tables, t);
}

void character_table_note_load(struct walk *w, uint64_t at, unsigned bytes)
{
	for (guint i = 0; bytes == 8 && i < w->tables->len; i++) {
		struct character_table *t = &g_array_index(w->tables, struct character_table, i);

		for (unsigned k = 0; t->slot == at && k < w->step->n_reads; k++) {
			const struct trace_read *r = &w->step->reads[k];

			if (r->address == at && r->size >= 8)
				memcpy(&t->base, r->bytes, sizeof(t->base));
		}
	}
}

/* How many values from there on are equal, or grow by one. */
static unsigned length_of_value_run(const int32_t *values, unsigned n, bool grows)
{
	unsigned k = 1;

	while (k < n && values[k] == values[k - 1] + grows)
		k++;
	return k;
}

/* The values from there on, up to the end of the run, as a term. */
static uint32_t case_of(struct walk *w, uint32_t index, const int32_t *values, unsigned at,
			bool grows, unsigned width)
{
	uint32_t first =
		term_const(w->p, term_width(w->p, index), (uint64_t)(values[at] - (int)at));

	if (!grows)
		return term_const(w->p, width, (uint64_t)values[at]);
	return term_extract(w->p, term_op2(w->p, IR_ADD, index, first), 0, width);
}

uint32_t character_table_choice(struct walk *w, uint32_t index, const int32_t *values, unsigned n,
				unsigned width)
{
	unsigned equal = length_of_value_run(values, n, false),
		 growing = length_of_value_run(values, n, true);
	unsigned at = 0;
	uint32_t choice = 0;
	g_autoptr(GArray) cases = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(unsigned));

	while (at < n) {
		equal = length_of_value_run(values + at, n - at, false);
		growing = length_of_value_run(values + at, n - at, true);
		choice = case_of(w, index, values, at, growing > equal, width);
		at += MAX(equal, growing);
		g_array_append_val(cases, choice);
		g_array_append_val(ends, at);
	}
	for (guint i = cases->len - 1; i > 0; i--) {
		uint32_t end = term_const(w->p, term_width(w->p, index),
					  g_array_index(ends, unsigned, i - 1));

		choice = term_ite(w->p, term_op2(w->p, IR_ULT, index, end),
				  g_array_index(cases, uint32_t, i - 1), choice);
	}
	return choice;
}

static const struct character_table *table_around(const struct walk *w, uint64_t place)
{
	for (guint i = 0; i < w->tables->len; i++) {
		const struct character_table *t =
			&g_array_index(w->tables, struct character_table, i);
		uint64_t first = t->base + (uint64_t)CHARACTERS_FIRST * t->kind->size;

		if (t->base && place - first < (uint64_t)CHARACTERS * t->kind->size)
			return t;
	}
	return NULL;
}

uint32_t character_table_entry(struct walk *w, uint64_t place, uint32_t address, unsigned bytes)
{
	const struct character_table *t = table_around(w, place);
	int32_t values[CHARACTERS];
	uint32_t from, index, entry;

	if (!t || bytes != t->kind->size)
		return 0;
	characters_entries(t->kind, values);
	from = term_op2(w->p, IR_SUB, address,
			term_const(w->p, 64, t->base + (uint64_t)CHARACTERS_FIRST * bytes));
	index = term_op2(w->p, IR_LSHR, from, term_const(w->p, 64, bytes / 2));
	entry = character_table_choice(w, index, values, CHARACTERS, 8 * bytes);
	walk_require(w, term_op2(w->p, IR_ULT, index, term_const(w->p, 64, CHARACTERS)), false);
	return entry;
}
