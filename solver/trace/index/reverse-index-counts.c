/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the first walk noted at each window, so that nobody has to go through the run again: how
 * often each instruction was executed before a step, and whether another run did the same until
 * then. */
#include "solver/trace/index/reverse-index-private.h"

GArray *index_take_counts(struct reverse_index *h)
{
	GArray *counts =
		g_array_sized_new(FALSE, FALSE, sizeof(struct window_count), h->touched->len);

	for (guint i = 0; i < h->touched->len; i++) {
		const uint32_t number = g_array_index(h->touched, uint32_t, i);
		uint32_t *times = &g_array_index(h->executed, uint32_t, number);
		const struct window_count c = { number, *times };

		g_array_append_val(counts, c);
		*times = 0;
	}
	g_array_set_size(h->touched, 0);
	return counts;
}

static void count_window(struct reverse_index *h, const GArray *counts)
{
	for (guint i = 0; i < counts->len; i++) {
		const struct window_count *c = &g_array_index(counts, struct window_count, i);

		index_count(h, c->number, c->times);
	}
}

/* The window at hand is none of them: nothing is counted in it yet. */
GArray *index_join_counts(struct reverse_index *h, GArray *of, GArray *with)
{
	count_window(h, of);
	count_window(h, with);
	g_array_unref(of);
	g_array_unref(with);
	return index_take_counts(h);
}

struct trace_cursor *reverse_index_window(const struct reverse_index *h, uint64_t step,
					  uint64_t *first)
{
	const struct window *w = h->windows->pdata[index_window_of(h, step)];

	*first = w->first;
	return trace_cursor_copy(w->start);
}

static void add_indexed_insn(const struct reverse_index *h, struct prefix_counts *c,
			     uint32_t number, uint64_t times)
{
	prefix_counts_add(c, g_array_index(h->infos, struct reverse_index_insn, number).pc, times);
}

static void add_counted(const struct reverse_index *h, struct prefix_counts *c, uint32_t number,
			uint64_t times)
{
	const GArray *piece;

	if (number % 2) {
		add_indexed_insn(h, c, number / 2, times);
		return;
	}
	piece = h->pieces->pdata[number / 2];
	for (guint i = 0; i < piece->len; i++)
		add_indexed_insn(h, c, g_array_index(piece, uint32_t, i), times);
}

/* The steps of a window before this one. */
static void add_window_steps(struct reverse_index *h, struct prefix_counts *c, unsigned w,
			     uint64_t step)
{
	const uint64_t n = step - ((struct window *)h->windows->pdata[w])->first;

	index_load(h, w, n);
	for (uint64_t i = 0; i < n; i++)
		add_indexed_insn(
			h, c, g_array_index(h->log->steps, struct reverse_index_step, i).info, 1);
}

struct prefix_counts *reverse_index_counts(struct reverse_index *h, uint64_t step)
{
	struct prefix_counts *c = prefix_counts_empty(step);
	g_autoptr(GArray) times = g_array_new(FALSE, TRUE, sizeof(uint64_t));
	const unsigned last = h->windows->len ? index_window_of(h, step) : 0;

	g_array_set_size(times, MAX(2 * h->pieces->len, 2 * h->infos->len + 1));
	for (unsigned w = 0; w < last; w++) {
		const GArray *counts = ((struct window *)h->windows->pdata[w])->counts;

		for (guint i = 0; i < counts->len; i++) {
			const struct window_count *of =
				&g_array_index(counts, struct window_count, i);

			g_array_index(times, uint64_t, of->number) += of->times;
		}
	}
	for (guint i = 0; step == h->n && i < h->touched->len; i++) {
		const uint32_t number = g_array_index(h->touched, uint32_t, i);

		g_array_index(times, uint64_t, number) +=
			g_array_index(h->executed, uint32_t, number);
	}
	for (guint i = 0; i < times->len; i++)
		if (g_array_index(times, uint64_t, i))
			add_counted(h, c, i, g_array_index(times, uint64_t, i));
	if (step < h->n)
		add_window_steps(h, c, last, step);
	return c;
}

uint64_t reverse_index_same_until(const struct reverse_index *a, const struct reverse_index *b)
{
	uint64_t same = 0;

	for (guint i = 0, k = 0; i < a->windows->len && k < b->windows->len;) {
		const struct window *x = a->windows->pdata[i], *y = b->windows->pdata[k];

		if (x->first == y->first && x->path != y->path)
			break;
		if (x->first == y->first)
			same = x->first;
		i += x->first <= y->first;
		k += y->first <= x->first;
	}
	return same;
}
