/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/reverse-index.h"

#include "solver/base/hash.h"
#include "solver/isa/insn.h"
#include "solver/trace/word-filter.h"

#include <limits.h>
#include <string.h>

enum { WINDOW = 1 << 16, SITE_SLOTS = 1 << 12, MOST_WINDOWS = 256, LOGS = 8 };
/* How many bytes of memory the windows' cursors may hold, beside the cursor that goes on. */
static const uint64_t most_held = UINT64_C(512) << 20;
/* The filters tell apart words of so many bytes: neighbouring ints are written at different
 * times. */
enum { WORD = 4 };

struct window {
	struct trace_cursor *start;
	uint64_t first;
	uint64_t registers; /* written in it */
	uint32_t shallowest;
	GArray *calls;	 /* uint64_t: open calls at the start, as history.calls */
	uint8_t *filter; /* a bit for each hash of a word that was written, and of a branch */
};

/* The steps of a window, as far as somebody asked for them. */
struct log {
	unsigned window;
	uint64_t used; /* when it was asked last */
	GArray *steps, *events;
	struct trace_cursor *end; /* where they end, with the open calls there */
	GArray *calls;
};

struct reverse_index {
	uint32_t size; /* of a window, in steps */
	GPtrArray *windows;
	uint64_t n;	       /* steps */
	struct log logs[LOGS]; /* an answer goes to and fro between few windows */
	struct log *log;       /* the one at hand */
	uint64_t asked;
	uint32_t began;	       /* windows, also those that are gone */
	uint64_t next;	       /* step with which one begins */
	uint64_t held, copied; /* bytes: by the windows' cursors; what was before the last */
	GArray *noted;	       /* uint32_t, by piece: .began when it was noted */
	GArray *sites;	       /* struct reverse_index_insn */
	GHashTable *by_pc;     /* uint64_t * → number + 1 */
	uint32_t *recent;      /* by hash of the pc: number + 1 */
	GArray *calls;	       /* uint64_t: where return addresses of open calls lie */
};

static void window_free(gpointer p)
{
	struct window *w = p;

	trace_cursor_free(w->start);
	g_array_free(w->calls, TRUE);
	g_free(w->filter);
	g_free(w);
}

struct reverse_index *reverse_index_new(uint32_t window)
{
	struct reverse_index *h = g_new0(struct reverse_index, 1);

	h->size = window ? window : WINDOW;
	h->windows = g_ptr_array_new_with_free_func(window_free);
	for (unsigned i = 0; i < LOGS; i++)
		h->logs[i] = (struct log){
			.window = UINT_MAX,
			.steps = g_array_new(FALSE, FALSE, sizeof(struct reverse_index_step)),
			.events = g_array_new(FALSE, FALSE, sizeof(struct reverse_index_event)),
			.calls = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
		};
	h->log = h->logs;
	h->sites = g_array_new(FALSE, FALSE, sizeof(struct reverse_index_insn));
	h->by_pc = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	h->recent = g_new0(uint32_t, SITE_SLOTS);
	h->calls = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	h->noted = g_array_new(FALSE, TRUE, sizeof(uint32_t));
	return h;
}

void reverse_index_free(struct reverse_index *h)
{
	if (!h)
		return;
	g_ptr_array_free(h->windows, TRUE);
	for (unsigned i = 0; i < LOGS; i++) {
		g_array_free(h->logs[i].steps, TRUE);
		g_array_free(h->logs[i].events, TRUE);
		g_array_free(h->logs[i].calls, TRUE);
		trace_cursor_free(h->logs[i].end);
	}
	g_array_free(h->noted, TRUE);
	g_array_free(h->sites, TRUE);
	g_hash_table_destroy(h->by_pc);
	g_free(h->recent);
	g_array_free(h->calls, TRUE);
	g_free(h);
}

uint64_t reverse_index_steps(const struct reverse_index *h)
{
	return h->n;
}

/* ---- sites ---- */

static void note_put(struct reverse_index_insn *s, unsigned offset)
{
	if (offset < IR_STATE_CC_OP)
		s->writes |= UINT64_C(1) << offset / 8;
	else if (offset < IR_STATE_DFLAG)
		s->writes |= UINT64_C(1) << TRACE_RFLAGS;
	else if (offset >= IR_STATE_YMM && offset < IR_STATE_OTHER)
		s->writes |= UINT64_C(1) << (TRACE_XMM0 + (offset - IR_STATE_YMM) / 32);
}

static void fill_site(struct reverse_index_insn *s, const struct trace_place *at)
{
	*s = (struct reverse_index_insn){
		.pc = at->pc, .module = at->module, .insn = at->insn, .ir = at->ir
	};
	for (uint32_t i = 0; i < at->ir->n_ops; i++) {
		const struct ir_op *op = &at->ir->ops[i];

		if (op->kind == IR_PUT)
			note_put(s, op->offset);
		if ((op->kind == IR_STORE || op->kind == IR_STOREG) &&
		    s->n_stores < G_N_ELEMENTS(s->stores)) {
			s->stores[s->n_stores] = op->a;
			s->values[s->n_stores++] = op->b;
		}
	}
	if (at->insn->flags & TRACE_INSN_PLAIN)
		return;
	s->writes |= at->insn->out_gpr | (uint64_t)(at->insn->out_vec & 0xffff) << TRACE_XMM0;
	if (at->insn->out_flags)
		s->writes |= UINT64_C(1) << TRACE_RFLAGS;
}

/* Did the step execute the instruction's i-th store, and is the place known? */
static bool stores(const struct reverse_index_insn *site, unsigned i, const struct trace_step *step)
{
	return step->temps[site->stores[i]].known && (uint32_t)site->stores[i] < step->n_ran;
}

static uint32_t site_number(struct reverse_index *h, const struct trace_place *at)
{
	uint32_t *slot = &h->recent[(at->pc ^ at->pc >> 12) % SITE_SLOTS], number;
	struct reverse_index_insn fresh;

	if (*slot && g_array_index(h->sites, struct reverse_index_insn, *slot - 1).pc == at->pc)
		return *slot - 1;
	number = GPOINTER_TO_UINT(g_hash_table_lookup(h->by_pc, &at->pc));
	if (!number) {
		fill_site(&fresh, at);
		g_array_append_val(h->sites, fresh);
		number = h->sites->len;
		g_hash_table_insert(h->by_pc, g_memdup2(&at->pc, sizeof(at->pc)),
				    GUINT_TO_POINTER(number));
	}
	*slot = number;
	return number - 1;
}

/* ---- the first time ---- */

static struct window *last_window(const struct reverse_index *h)
{
	return h->windows->pdata[h->windows->len - 1];
}

/* Drops every second window, so that a long run keeps a bounded number of them. */
static void widen_windows(struct reverse_index *h)
{
	GPtrArray *kept = g_ptr_array_new_with_free_func(window_free);

	for (guint i = 0; i < h->windows->len; i++) {
		struct window *w = h->windows->pdata[i], *before;

		if (i % 2 == 0) {
			g_ptr_array_add(kept, w);
			continue;
		}
		before = h->windows->pdata[i - 1];
		before->registers |= w->registers;
		before->shallowest = MIN(before->shallowest, w->shallowest);
		word_filter_join(before->filter, w->filter);
		window_free(w);
	}
	for (unsigned i = 0; i < LOGS; i++)
		h->logs[i].window = UINT_MAX;
	g_ptr_array_set_free_func(h->windows, NULL);
	g_ptr_array_free(h->windows, TRUE);
	h->windows = kept;
	h->size *= 2;
}

static void set_memory(struct window *w, uint64_t address, unsigned size)
{
	for (uint64_t at = address / WORD; at <= (address + size - 1) / WORD; at++)
		word_filter_add(w->filter, at);
}

/* No word of memory has this address. */
static uint64_t word_of_branch(uint64_t pc)
{
	return ~pc;
}

static void begin_window(struct reverse_index *h, const struct trace_cursor *c)
{
	struct window *w = g_new0(struct window, 1);
	uint64_t copied = trace_cursor_copied(c);

	h->held += copied - h->copied;
	h->copied = copied;
	while (h->windows->len >= MOST_WINDOWS || (h->held > most_held && h->windows->len > 8)) {
		widen_windows(h);
		h->held /= 2;
	}
	w->start = trace_cursor_copy(c);
	w->first = h->n;
	w->shallowest = UINT32_MAX;
	w->calls = g_array_copy(h->calls);
	w->filter = g_malloc0(WORD_FILTER_BYTES);
	g_ptr_array_add(h->windows, w);
	h->began++;
	h->next = h->n + h->size;
}

void reverse_index_before(struct reverse_index *h, const struct trace_cursor *c)
{
	if (h->n >= h->next)
		begin_window(h, c);
}

static void note_site(struct window *w, const struct reverse_index_insn *site)
{
	w->registers |= site->writes;
	if (site->insn->flow == TRACE_FLOW_COND || site->insn->flow == TRACE_FLOW_JUMP_IND)
		word_filter_add(w->filter, word_of_branch(site->pc));
}

/* An open call is known by the place of its return address. */
static void note_return(GArray *calls, uint64_t rsp)
{
	while (calls->len && g_array_index(calls, uint64_t, calls->len - 1) < rsp)
		g_array_set_size(calls, calls->len - 1);
}

static bool is_call(const struct trace_insn *insn)
{
	return insn->flow == TRACE_FLOW_CALL || insn->flow == TRACE_FLOW_CALL_IND;
}

static void note_calls(GArray *calls, const struct trace_cursor *c, const struct trace_step *step)
{
	uint64_t rsp = trace_cursor_reg(c, TRACE_RSP);
	bool enters = step->exit_kind == TRACE_EXIT_NATIVE
			      ? step->enter.why == TRACE_WHY_CALL
			      : is_call(step->insn) && step->exit_kind == TRACE_EXIT_ON;

	if (step->insn->flow == TRACE_FLOW_RET || step->exit_kind == TRACE_EXIT_NATIVE)
		note_return(calls, rsp);
	if (enters || step->signal)
		g_array_append_val(calls, rsp);
}

static struct trace_place place_of(const struct trace_step *step)
{
	return (struct trace_place){ step->pc, step->module, step->insn, step->ir };
}

static const struct reverse_index_insn *site_at(struct reverse_index *h,
						const struct trace_place *at)
{
	uint32_t number = site_number(h, at); /* moves the sites */

	return &g_array_index(h->sites, struct reverse_index_insn, number);
}

void reverse_index_after(struct reverse_index *h, const struct trace_cursor *c,
			 const struct trace_step *step)
{
	struct trace_place at = place_of(step);
	const struct reverse_index_insn *site = site_at(h, &at);
	struct window *w = last_window(h);

	note_site(w, site);
	if (step->exit_kind == TRACE_EXIT_NATIVE)
		w->registers |= step->enter.mask;
	for (unsigned i = 0; i < step->n_reads; i++)
		if (step->reads[i].outside)
			set_memory(w, step->reads[i].address, step->reads[i].size);
	for (unsigned i = 0; i < site->n_stores; i++)
		if (stores(site, i, step))
			set_memory(w, step->temps[site->stores[i]].w[0],
				   step->ir->ops[site->values[i]].width / 8);
	w->shallowest = MIN(w->shallowest, h->calls->len);
	h->n++;
	note_calls(h->calls, c, step);
}

/* Which instructions a piece has matters only once in a window. */
static void note_piece(struct reverse_index *h, const struct superblocks *s,
		       const struct superblock_run *superblock)
{
	if (h->noted->len <= superblock->piece)
		g_array_set_size(h->noted, superblock->piece + 1);
	if (g_array_index(h->noted, uint32_t, superblock->piece) == h->began)
		return;
	g_array_index(h->noted, uint32_t, superblock->piece) = h->began;
	for (uint32_t i = 0; i < superblock->n; i++) {
		struct trace_place at = superblocks_place(s, superblock->piece, i);

		note_site(last_window(h), site_at(h, &at));
	}
}

void reverse_index_after_superblock(struct reverse_index *h, const struct trace_cursor *c,
				    const struct superblocks *s,
				    const struct superblock_run *superblock)
{
	struct window *w = last_window(h);
	uint64_t rsp = trace_cursor_reg(c, TRACE_RSP);

	note_piece(h, s, superblock);
	for (unsigned i = 0; i < superblock->n_effects; i++)
		set_memory(w, superblock->effects[i].address, superblock->effects[i].size);
	w->shallowest = MIN(w->shallowest, h->calls->len);
	h->n += superblock->n;
	if (superblock->last->flow == TRACE_FLOW_RET)
		note_return(h->calls, rsp);
	if (is_call(superblock->last) || superblock->signal)
		g_array_append_val(h->calls, rsp);
}

/* ---- the log of a window ---- */

static void log_event(struct log *log, enum reverse_index_event_kind kind, uint64_t address,
		      unsigned size, uint64_t value)
{
	struct reverse_index_event e = { address, value, log->steps->len, (uint8_t)MIN(size, 64),
					 (uint8_t)kind };

	g_array_append_val(log->events, e);
}

static void log_events(struct log *log, const struct reverse_index_insn *site,
		       const struct trace_step *step)
{
	for (unsigned i = 0; i < step->n_reads; i++) {
		const struct trace_read *r = &step->reads[i];
		uint64_t value = 0;

		memcpy(&value, r->bytes, MIN(r->size, 8));
		log_event(log, r->outside ? INDEX_CHANGED : INDEX_LOAD, r->address, r->size, value);
	}
	for (unsigned i = 0; i < site->n_stores; i++)
		if (stores(site, i, step))
			log_event(log, INDEX_STORE, step->temps[site->stores[i]].w[0],
				  step->ir->ops[site->values[i]].width / 8,
				  step->temps[site->values[i]].w[0]);
}

static uint64_t value_after(const struct reverse_index_insn *site, const struct trace_cursor *c,
			    const struct trace_step *step)
{
	uint64_t others = site->writes & ~(UINT64_C(1) << TRACE_RSP | UINT64_C(1) << TRACE_RFLAGS);

	if (step->insn->flow == TRACE_FLOW_COND)
		return step->taken;
	if (step->exit_kind == TRACE_EXIT_NATIVE)
		return trace_cursor_reg(c, TRACE_RAX);
	return others ? trace_cursor_reg(c, (enum trace_reg)__builtin_ctzll(others)) : 0;
}

/* s: .rbp and .rsp are filled. */
static void log_step(struct reverse_index *h, const struct trace_cursor *c,
		     const struct trace_step *step, struct reverse_index_step *s)
{
	struct trace_place at = place_of(step);
	const struct reverse_index_insn *site;

	s->site = site_number(h, &at);
	site = reverse_index_insn_of(h, s);
	s->event = h->log->events->len;
	s->depth = h->log->calls->len;
	s->entered = step->exit_kind == TRACE_EXIT_NATIVE ? step->enter.mask : 0;
	log_events(h->log, site, step);
	s->value = value_after(site, c, step);
	g_array_append_val(h->log->steps, *s);
	note_calls(h->log->calls, c, step);
}

/* ---- windows ---- */

static uint64_t end_of(const struct reverse_index *h, unsigned w)
{
	return w + 1 < h->windows->len ? ((struct window *)h->windows->pdata[w + 1])->first : h->n;
}

static unsigned window_of(const struct reverse_index *h, uint64_t number)
{
	unsigned lo = 0, hi = h->windows->len;

	while (hi - lo > 1) {
		unsigned middle = lo + (hi - lo) / 2;

		if (((struct window *)h->windows->pdata[middle])->first <= number)
			lo = middle;
		else
			hi = middle;
	}
	return lo;
}

/* Takes the log of this window, or else the log that nobody has used for the longest time. */
static void take_log(struct reverse_index *h, unsigned w)
{
	struct log *oldest = h->logs;

	for (unsigned i = 0; i < LOGS; i++) {
		struct log *log = &h->logs[i];

		if (log->window == w) {
			h->log = log;
			return;
		}
		if (log->used < oldest->used)
			oldest = log;
	}
	h->log = oldest;
}

static void begin_log(struct log *log, const struct window *window, unsigned w)
{
	log->window = w;
	g_array_set_size(log->steps, 0);
	g_array_set_size(log->events, 0);
	g_array_set_size(log->calls, 0);
	g_array_append_vals(log->calls, window->calls->data, window->calls->len);
	trace_cursor_free(log->end);
	log->end = trace_cursor_copy(window->start);
}

/* The log of at least so many of a window's first steps.  They were re-computed once already,
 * so nothing can fail here. */
static void load(struct reverse_index *h, unsigned w, uint64_t steps)
{
	struct trace_step step;

	if (h->log->window != w)
		take_log(h, w);
	h->log->used = ++h->asked;
	if (h->log->window != w)
		begin_log(h->log, h->windows->pdata[w], w);
	while (h->log->steps->len < steps) {
		struct trace_cursor *c = h->log->end;
		struct reverse_index_step s = { .rbp = trace_cursor_reg(c, TRACE_RBP),
						.rsp = trace_cursor_reg(c, TRACE_RSP) };
		int r = trace_cursor_step(c, &step, NULL);

		g_assert(r == 1);
		log_step(h, c, &step, &s);
	}
}

const struct reverse_index_step *reverse_index_at(struct reverse_index *h, uint64_t number)
{
	unsigned w = window_of(h, number);
	uint64_t index = number - ((struct window *)h->windows->pdata[w])->first;

	load(h, w, index + 1);
	return &g_array_index(h->log->steps, struct reverse_index_step, index);
}

const struct reverse_index_insn *reverse_index_insn_of(const struct reverse_index *h,
						       const struct reverse_index_step *s)
{
	return &g_array_index(h->sites, struct reverse_index_insn, s->site);
}

const struct reverse_index_event *reverse_index_events(struct reverse_index *h, uint64_t number,
						       unsigned *n)
{
	const struct reverse_index_step *s = reverse_index_at(h, number);
	const struct reverse_index_event *e =
		&g_array_index(h->log->events, struct reverse_index_event, 0);
	uint32_t index =
		(uint32_t)(s - &g_array_index(h->log->steps, struct reverse_index_step, 0));
	uint32_t end = index + 1 < h->log->steps->len ? s[1].event : h->log->events->len;

	*n = end - s->event;
	return e + s->event;
}

/* ---- backwards ---- */

static bool may_write(const struct window *w, const struct reverse_index_place *p)
{
	if (!p->memory)
		return w->registers >> p->reg & 1;
	for (uint64_t at = p->address / WORD; at <= (p->address + p->size - 1) / WORD; at++)
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
	for (unsigned w = window_of(h, before - 1) + 1; w > 0; w--) {
		const struct window *window = h->windows->pdata[w - 1];
		enum reverse_index_found found;
		uint64_t steps = MIN(before, end_of(h, w - 1)) - window->first, index = 0;

		if (!may_write(window, place))
			continue;
		load(h, w - 1, steps);
		found = place->memory ? find_memory(h, place, steps, &index, event)
				      : find_register(h, place->reg, steps, &index);
		*number = window->first + index;
		if (found != INDEX_NOTHING)
			return found;
	}
	return INDEX_NOTHING;
}

static bool is_one_of(uint64_t pc, const uint64_t *pcs, unsigned n)
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
		any = word_filter_has(w->filter, word_of_branch(pcs[i]));
	return any;
}

uint64_t reverse_index_find_branch(struct reverse_index *h, uint64_t before, uint32_t depth,
				   const uint64_t *pcs, unsigned n, uint64_t *call)
{
	*call = UINT64_MAX;
	for (unsigned w = before && h->windows->len ? window_of(h, before - 1) + 1 : 0; w > 0;
	     w--) {
		const struct window *window = h->windows->pdata[w - 1];
		uint64_t steps = MIN(before, end_of(h, w - 1)) - window->first;

		if (!may_decide(window, depth, pcs, n))
			continue;
		load(h, w - 1, steps);
		for (uint64_t i = steps; i > 0; i--) {
			const struct reverse_index_step *s =
				&g_array_index(h->log->steps, struct reverse_index_step, i - 1);

			if (s->depth < depth) {
				*call = window->first + i - 1;
				return UINT64_MAX;
			}
			if (s->depth == depth && is_one_of(reverse_index_insn_of(h, s)->pc, pcs, n))
				return window->first + i - 1;
		}
	}
	return UINT64_MAX;
}

bool reverse_index_met(const struct reverse_index *h, uint64_t pc)
{
	return g_hash_table_contains(h->by_pc, &pc);
}

uint64_t reverse_index_find_insn(struct reverse_index *h, uint64_t before, const uint64_t *pcs,
				 unsigned n)
{
	bool met = false;

	for (unsigned i = 0; i < n; i++)
		met |= reverse_index_met(h, pcs[i]);
	for (unsigned w = met && before ? window_of(h, before - 1) + 1 : 0; w > 0; w--) {
		const struct window *window = h->windows->pdata[w - 1];
		uint64_t steps = MIN(before, end_of(h, w - 1)) - window->first;

		load(h, w - 1, steps);
		for (uint64_t i = steps; i > 0; i--) {
			const struct reverse_index_step *s =
				&g_array_index(h->log->steps, struct reverse_index_step, i - 1);

			if (is_one_of(reverse_index_insn_of(h, s)->pc, pcs, n))
				return window->first + i - 1;
		}
	}
	return UINT64_MAX;
}
