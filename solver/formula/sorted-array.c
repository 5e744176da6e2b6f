/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/sorted-array.h"

#include "solver/library/library.h"

#define MOST_OPEN 64 /* calls that are remembered */

/* A call that sorts, which calls traced code to compare. */
struct sort {
	uint64_t back, sp; /* where it comes back to */
	unsigned run;
	uint64_t address, n, size; /* elements of so many bytes */
	uint32_t *terms;	   /* of its bytes before; 0 = not known */
};

static void clear_sort(gpointer data)
{
	g_free(((struct sort *)data)->terms);
}

GArray *sorted_arrays_new(void)
{
	GArray *sorts = g_array_new(FALSE, TRUE, sizeof(struct sort));

	g_array_set_clear_func(sorts, clear_sort);
	return sorts;
}

static uint64_t sort_argument(const struct walk *w, unsigned number)
{
	static const enum trace_reg registers[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX, TRACE_RCX };

	g_assert(number >= 1 && number <= G_N_ELEMENTS(registers));
	return w->before[registers[number - 1]];
}

static void note_sort_call(struct walk *w, const struct library_function *f)
{
	const uint64_t most = w->f->limits->string_bytes;
	struct sort s = { .back = w->step->pc + w->step->insn->length,
			  .sp = w->before[TRACE_RSP],
			  .run = w->step_run_number,
			  .address = sort_argument(w, f->array),
			  .n = sort_argument(w, f->elements),
			  .size = sort_argument(w, f->element_size) };

	if (!s.size || s.n > most / s.size) {
		limits_reached(w->f->limits, LIMIT_string_bytes);
		return;
	}
	if (w->sorts->len == MOST_OPEN)
		g_array_remove_index(w->sorts, 0);
	s.terms = g_new(uint32_t, s.n * s.size + 1);
	for (uint64_t i = 0; i < s.n * s.size; i++)
		s.terms[i] = memory_byte(w, s.address + i);
	g_array_append_val(w->sorts, s);
}

/* ---- what is in it afterwards ---- */

enum { NOT_SEEN = -1, NEVER_SEEN = -2 };

static void see_reads(const struct sort *s, const struct trace_step *step, int16_t *seen)
{
	for (unsigned i = 0; i < step->n_reads; i++)
		for (unsigned k = 0; k < step->reads[i].size; k++) {
			uint64_t at = step->reads[i].address + k - s->address;

			if (at < s->n * s->size && seen[at] == NOT_SEEN)
				seen[at] = step->reads[i].bytes[k];
		}
}

static void see_stores(const struct sort *s, const struct trace_step *step, int16_t *seen)
{
	for (uint32_t i = 0; i < step->n_ran; i++) {
		const struct ir_op *op = &step->ir->ops[i];

		if (op->kind != IR_STORE && op->kind != IR_STOREG)
			continue;
		for (unsigned k = 0; k < step->ir->ops[op->b].width / 8u; k++) {
			uint64_t at = step->temps[op->a].w[0] + k - s->address;

			if (at < s->n * s->size && seen[at] == NOT_SEEN)
				seen[at] = NEVER_SEEN;
		}
	}
}

/* The bytes that the run read there before it wrote to them. */
static int16_t *look_ahead(struct walk *w, const struct sort *s)
{
	struct trace_cursor *cursor = trace_cursor_copy(w->cursor);
	const uint64_t bytes = s->n * s->size;
	int16_t *seen = g_new(int16_t, bytes + 1);
	struct trace_step step;

	for (uint64_t i = 0; i < bytes; i++)
		seen[i] = NOT_SEEN;
	for (uint64_t i = 0; i < w->f->limits->sort_ahead; i++) {
		if (trace_cursor_step(cursor, &step, NULL) != 1)
			break;
		see_reads(s, &step, seen);
		see_stores(s, &step, seen);
	}
	trace_cursor_free(cursor);
	return seen;
}

/* Could this element be what was read?  False when nothing was. */
static bool is_that(struct walk *w, const struct sort *s, uint64_t element, const int16_t *seen)
{
	bool any = false;

	for (uint64_t k = 0; k < s->size; k++) {
		uint32_t term = s->terms[element * s->size + k];

		if (seen[k] < 0)
			continue;
		if (!term || walk_actual(w, term) != (term_bits)seen[k])
			return false;
		any = true;
	}
	return any;
}

static void set_element(struct walk *w, const struct sort *s, uint64_t to, uint64_t from)
{
	for (uint64_t k = 0; k < s->size; k++)
		symbolic_set(w->memory, s->address + to * s->size + k,
			     (struct cell){ s->terms[from * s->size + k], w->instance, false });
}

static void set_sorted(struct walk *w, const struct sort *s)
{
	g_autofree int16_t *seen = look_ahead(w, s);
	g_autofree bool *taken = g_new0(bool, s->n + 1);

	for (uint64_t to = 0; to < s->n; to++) {
		uint64_t from = 0;

		while (from < s->n && (taken[from] || !is_that(w, s, from, seen + to * s->size)))
			from++;
		if (from == s->n)
			continue;
		taken[from] = true;
		set_element(w, s, to, from);
	}
}

static bool has_changeable(struct walk *w, const struct sort *s)
{
	for (uint64_t i = 0; i < s->n * s->size; i++)
		if (s->terms[i] && walk_is_changeable(w, s->terms[i]))
			return true;
	return false;
}

static void note_return_of_sort(struct walk *w)
{
	const uint64_t back = trace_cursor_pc(w->cursor),
		       sp = trace_cursor_reg(w->cursor, TRACE_RSP);

	for (guint i = w->sorts->len; i > 0; i--) {
		const struct sort *s = &g_array_index(w->sorts, struct sort, i - 1);

		if (s->back != back || s->sp != sp || s->run != w->step_run_number)
			continue;
		if (has_changeable(w, s))
			set_sorted(w, s);
		return;
	}
}

void sorted_array_step(struct walk *w)
{
	const struct trace_step *step = w->step;
	const struct library_function *f;

	if (step->insn->flow == TRACE_FLOW_RET) {
		if (step->enter.why == TRACE_WHY_RETURN && w->sorts->len)
			note_return_of_sort(w);
		return;
	}
	f = step->enter.why == TRACE_WHY_CALL ? library_find(step->native_name) : NULL;
	if (f && f->array && f->writes & LIBRARY_ARGUMENT(f->array))
		note_sort_call(w, f);
}
