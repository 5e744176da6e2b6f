/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Backwards: which step wrote a place, decided, or executed an instruction last? */
#include "solver/trace/index/reverse-index-private.h"

static bool may_write(const struct window *w, const struct reverse_index_place *p)
{
	if (!p->memory)
		return w->registers >> p->reg & 1;
	for (uint64_t at = p->address / INDEX_WORD; at <= (p->address + p->size - 1) / INDEX_WORD;
	     at++)
		if (word_filter_has(w->filter, at))
			return true;
	return false;
}

static enum reverse_index_found find_register(const struct reverse_index *h, unsigned reg,
					      uint64_t steps, uint64_t *index)
{
	for (uint64_t i = steps; i > 0; i--) {
		const struct reverse_index_step *s =
			&g_array_index(h->log->steps, struct reverse_index_step, i - 1);

		*index = i - 1;
		if (s->entered >> reg & 1)
			return INDEX_ENTERED;
		if (reverse_index_insn_of(h, s)->writes >> reg & 1)
			return INDEX_WRITTEN;
	}
	return INDEX_NOTHING;
}

static enum reverse_index_found find_memory(const struct reverse_index *h,
					    const struct reverse_index_place *p, uint64_t steps,
					    uint64_t *index, struct reverse_index_event *event)
{
	uint32_t end =
		steps < h->log->steps->len
			? g_array_index(h->log->steps, struct reverse_index_step, steps).event
			: h->log->events->len;

	for (uint32_t i = end; i > 0; i--) {
		const struct reverse_index_event *e =
			&g_array_index(h->log->events, struct reverse_index_event, i - 1);

		if (e->kind == INDEX_LOAD || e->address >= p->address + p->size ||
		    p->address >= e->address + e->size)
			continue;
		*index = e->step;
		*event = *e;
		return e->kind == INDEX_STORE ? INDEX_WRITTEN : INDEX_OUTSIDE;
	}
	return INDEX_NOTHING;
}

enum reverse_index_found reverse_index_find(struct reverse_index *h,
					    const struct reverse_index_place *place,
					    uint64_t before, uint64_t *number,
					    struct reverse_index_event *event)
{
	if (before == 0 || h->windows->len == 0)
		return INDEX_NOTHING;
	for (unsigned w = index_window_of(h, before - 1) + 1; w > 0; w--) {
		const struct window *window = h->windows->pdata[w - 1];
		enum reverse_index_found found;
		uint64_t steps = MIN(before, index_end_of(h, w - 1)) - window->first, index = 0;

		if (!may_write(window, place))
			continue;
		index_load(h, w - 1, steps);
		found = place->memory ? find_memory(h, place, steps, &index, event)
				      : find_register(h, place->reg, steps, &index);
		*number = window->first + index;
		if (found != INDEX_NOTHING)
			return found;
	}
	return INDEX_NOTHING;
}

static bool is_one_of_addresses(uint64_t pc, const uint64_t *pcs, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (pcs[i] == pc)
			return true;
	return false;
}

/* Does the window have one of the branches, or the call that opened the depth? */
static bool may_decide(const struct window *w, uint32_t depth, const uint64_t *pcs, unsigned n)
{
	bool any = w->shallowest < depth;

	for (unsigned i = 0; !any && w->shallowest == depth && i < n; i++)
		any = word_filter_has(w->filter, index_word_of_insn(pcs[i]));
	return any;
}

uint64_t reverse_index_find_branch(struct reverse_index *h, uint64_t before, uint32_t depth,
				   const uint64_t *pcs, unsigned n, uint64_t *call)
{
	*call = UINT64_MAX;
	for (unsigned w = before && h->windows->len ? index_window_of(h, before - 1) + 1 : 0; w > 0;
	     w--) {
		const struct window *window = h->windows->pdata[w - 1];
		uint64_t steps = MIN(before, index_end_of(h, w - 1)) - window->first;

		if (!may_decide(window, depth, pcs, n))
			continue;
		index_load(h, w - 1, steps);
		for (uint64_t i = steps; i > 0; i--) {
			const struct reverse_index_step *s =
				&g_array_index(h->log->steps, struct reverse_index_step, i - 1);

			if (s->depth < depth) {
				*call = window->first + i - 1;
				return UINT64_MAX;
			}
			if (s->depth == depth &&
			    is_one_of_addresses(reverse_index_insn_of(h, s)->pc, pcs, n))
				return window->first + i - 1;
		}
	}
	return UINT64_MAX;
}

/* The same in one window. */
static bool leaves_frame(struct reverse_index *h, unsigned w, uint64_t address, uint32_t depth,
			 uint64_t from, uint64_t until)
{
	uint64_t first = ((struct window *)h->windows->pdata[w])->first;
	uint64_t end = MIN(until, index_end_of(h, w));

	index_load(h, w, end - first);
	for (uint64_t i = MAX(from, first); i < end; i++) {
		const struct reverse_index_step *s =
			&g_array_index(h->log->steps, struct reverse_index_step, i - first);

		if (s->depth < depth && s->rsp > address)
			return true;
	}
	return false;
}

bool reverse_index_left_frame(struct reverse_index *h, uint64_t address, uint64_t from,
			      uint64_t until)
{
	uint32_t depth;

	if (from >= until || until > h->n)
		return false;
	depth = reverse_index_at(h, from)->depth;
	for (unsigned w = index_window_of(h, from); w <= index_window_of(h, until - 1); w++) {
		const struct window *window = h->windows->pdata[w];

		if (window->shallowest < depth && window->highest > address &&
		    leaves_frame(h, w, address, depth, from, until))
			return true;
	}
	return false;
}

bool reverse_index_met(const struct reverse_index *h, uint64_t pc)
{
	return g_hash_table_contains(h->by_pc, &pc);
}

/* Which of these n instructions were ever executed: a byte for each, NULL = none was.  *words:
 * their words in the filters. */
static uint8_t *executed_of(const struct reverse_index *h, const uint64_t *pcs, unsigned n,
			    GArray *words)
{
	uint8_t *is = NULL;

	for (unsigned i = 0; i < n; i++) {
		const unsigned number = GPOINTER_TO_UINT(g_hash_table_lookup(h->by_pc, &pcs[i]));
		const uint64_t word = index_word_of_insn(pcs[i]);

		if (!number)
			continue;
		if (!is)
			is = g_malloc0(h->infos->len);
		is[number - 1] = 1;
		g_array_append_val(words, word);
	}
	return is;
}

static bool may_execute(const struct window *w, const GArray *words)
{
	bool may = false;

	for (guint i = 0; i < words->len && !may; i++)
		may = word_filter_has(w->filter, g_array_index(words, uint64_t, i));
	return may;
}

uint64_t reverse_index_find_insn(struct reverse_index *h, uint64_t from, uint64_t before,
				 const uint64_t *pcs, unsigned n)
{
	g_autoptr(GArray) words = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	g_autofree uint8_t *wanted = from < before ? executed_of(h, pcs, n, words) : NULL;

	for (unsigned w = wanted ? index_window_of(h, before - 1) + 1 : 0; w > 0; w--) {
		const struct window *window = h->windows->pdata[w - 1];
		uint64_t steps = MIN(before, index_end_of(h, w - 1)) - window->first;

		if (window->first + steps <= from)
			return UINT64_MAX;
		if (!may_execute(window, words))
			continue;
		index_load(h, w - 1, steps);
		for (uint64_t i = steps; i > 0 && window->first + i > from; i--)
			if (wanted[g_array_index(h->log->steps, struct reverse_index_step, i - 1)
					   .info])
				return window->first + i - 1;
	}
	return UINT64_MAX;
}
