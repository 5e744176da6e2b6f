/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first walk over a run, which cuts it into windows, and the logs of windows. */
#include "solver/base/hash.h"
#include "solver/isa/insn.h"
#include "solver/trace/index/reverse-index-private.h"

#include <limits.h>
#include <string.h>

enum { INSN_SLOTS = 1 << 12 };
static void window_free(gpointer p)
{
	struct window *w = p;

	trace_cursor_free(w->start);
	g_array_free(w->calls, TRUE);
	g_free(w->filter);
	if (w->counts)
		g_array_unref(w->counts);
	g_free(w);
}

/* A superblock that was not executed has nothing. */
static void piece_free(gpointer p)
{
	if (p)
		g_array_unref(p);
}

static void log_free(gpointer p)
{
	struct log *log = p;

	g_array_free(log->steps, TRUE);
	g_array_free(log->events, TRUE);
	g_array_free(log->calls, TRUE);
	trace_cursor_free(log->end);
	g_free(log);
}

struct reverse_index *reverse_index_new(const struct limits *limits)
{
	struct reverse_index *h = g_new0(struct reverse_index, 1);

	h->limits = limits;
	h->size = limits->index_window;
	h->windows = g_ptr_array_new_with_free_func(window_free);
	h->logs = g_ptr_array_new_with_free_func(log_free);
	h->infos = g_array_new(FALSE, FALSE, sizeof(struct reverse_index_insn));
	h->by_pc = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	h->recent = g_new0(uint32_t, INSN_SLOTS);
	h->calls = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	h->noted = g_array_new(FALSE, TRUE, sizeof(uint32_t));
	h->streams = memory_streams_new(limits);
	h->executed = g_array_new(FALSE, TRUE, sizeof(uint32_t));
	h->touched = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	h->pieces = g_ptr_array_new_with_free_func(piece_free);
	h->paths = g_array_new(FALSE, TRUE, sizeof(struct path_piece));
	return h;
}

const struct limits *reverse_index_limits(const struct reverse_index *h)
{
	return h->limits;
}

void reverse_index_free(struct reverse_index *h)
{
	if (!h)
		return;
	g_ptr_array_free(h->windows, TRUE);
	g_ptr_array_free(h->logs, TRUE);
	g_array_free(h->noted, TRUE);
	g_array_free(h->infos, TRUE);
	g_hash_table_destroy(h->by_pc);
	g_free(h->recent);
	g_array_free(h->calls, TRUE);
	memory_streams_free(h->streams);
	g_array_unref(h->executed);
	g_array_unref(h->touched);
	g_ptr_array_unref(h->pieces);
	g_array_unref(h->paths);
	g_free(h);
}

const struct memory_streams *reverse_index_streams(const struct reverse_index *h)
{
	return h->streams;
}

uint64_t reverse_index_steps(const struct reverse_index *h)
{
	return h->n;
}

/* ---- infos ---- */

static void note_put(struct reverse_index_insn *s, unsigned offset)
{
	if (offset < IR_STATE_CC_OP)
		s->writes |= UINT64_C(1) << offset / 8;
	else if (offset < IR_STATE_DFLAG)
		s->writes |= UINT64_C(1) << TRACE_RFLAGS;
	else if (offset >= IR_STATE_YMM && offset < IR_STATE_OTHER)
		s->writes |= UINT64_C(1) << (TRACE_XMM0 + (offset - IR_STATE_YMM) / 32);
}

static void fill_insn_info(struct reverse_index_insn *s, const struct trace_place *at)
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
static bool executed_store(const struct reverse_index_insn *info, unsigned i,
			   const struct trace_step *step)
{
	return step->temps[info->stores[i]].known && (uint32_t)info->stores[i] < step->n_ran;
}

static uint32_t insn_number(struct reverse_index *h, const struct trace_place *at)
{
	uint32_t *slot = &h->recent[(at->pc ^ at->pc >> 12) % INSN_SLOTS], number;
	struct reverse_index_insn fresh;

	if (*slot && g_array_index(h->infos, struct reverse_index_insn, *slot - 1).pc == at->pc)
		return *slot - 1;
	number = GPOINTER_TO_UINT(g_hash_table_lookup(h->by_pc, &at->pc));
	if (!number) {
		fill_insn_info(&fresh, at);
		g_array_append_val(h->infos, fresh);
		number = h->infos->len;
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
		before->highest = MAX(before->highest, w->highest);
		word_filter_join(before->filter, w->filter);
		before->counts = index_join_counts(h, before->counts, g_steal_pointer(&w->counts));
		window_free(w);
	}
	g_ptr_array_set_size(h->logs, 0);
	h->log = NULL;
	g_ptr_array_set_free_func(h->windows, NULL);
	g_ptr_array_free(h->windows, TRUE);
	h->windows = kept;
	h->size *= 2;
}

static void set_memory(struct window *w, uint64_t address, unsigned size)
{
	for (uint64_t at = address / INDEX_WORD; at <= (address + size - 1) / INDEX_WORD; at++)
		word_filter_add(w->filter, at);
}

static void begin_window(struct reverse_index *h, const struct trace_cursor *c)
{
	struct window *w = g_new0(struct window, 1);
	uint64_t copied = trace_cursor_copied(c);

	h->held += copied - h->copied;
	h->copied = copied;
	if (h->windows->len) {
		last_window(h)->counts = index_take_counts(h);
		h->held += last_window(h)->counts->len * sizeof(struct window_count);
	}
	while (h->windows->len >= h->limits->index_windows ||
	       (h->held > h->limits->index_bytes && h->windows->len > 8)) {
		widen_windows(h);
		h->held /= 2;
	}
	w->start = trace_cursor_copy(c);
	w->first = h->n;
	w->path = h->path;
	w->shallowest = UINT32_MAX;
	w->calls = g_array_copy(h->calls);
	w->filter = g_malloc0(WORD_FILTER_BYTES);
	g_ptr_array_add(h->windows, w);
	h->began++;
	/* where another run that does the same has one, too */
	h->next = (h->n / h->size + 1) * h->size;
}

void reverse_index_before(struct reverse_index *h, const struct trace_cursor *c)
{
	if (h->n >= h->next)
		begin_window(h, c);
	memory_streams_before(h->streams, c);
}

static void note_insn(struct window *w, const struct reverse_index_insn *info)
{
	w->registers |= info->writes;
	word_filter_add(w->filter, index_word_of_insn(info->pc));
}

/* An open call is known by the place of its return address. */
static void note_return_of_call(GArray *calls, uint64_t rsp)
{
	while (calls->len && g_array_index(calls, uint64_t, calls->len - 1) < rsp)
		g_array_set_size(calls, calls->len - 1);
}

static bool is_indexed_call(const struct trace_insn *insn)
{
	return insn->flow == TRACE_FLOW_CALL || insn->flow == TRACE_FLOW_CALL_IND;
}

static void note_calls(GArray *calls, const struct trace_cursor *c, const struct trace_step *step)
{
	uint64_t rsp = trace_cursor_reg(c, TRACE_RSP);
	bool enters = step->exit_kind == TRACE_EXIT_NATIVE
			      ? step->enter.why == TRACE_WHY_CALL
			      : is_indexed_call(step->insn) && step->exit_kind == TRACE_EXIT_ON;

	if (step->insn->flow == TRACE_FLOW_RET || step->exit_kind == TRACE_EXIT_NATIVE)
		note_return_of_call(calls, rsp);
	if (enters || step->signal)
		g_array_append_val(calls, rsp);
}

static struct trace_place place_of_step(const struct trace_step *step)
{
	return (struct trace_place){ step->pc, step->module, step->insn, step->ir };
}

void reverse_index_after(struct reverse_index *h, const struct trace_cursor *c,
			 const struct trace_step *step)
{
	struct trace_place at = place_of_step(step);
	const uint32_t number = insn_number(h, &at); /* moves the infos */
	const struct reverse_index_insn *info =
		&g_array_index(h->infos, struct reverse_index_insn, number);
	struct window *w = last_window(h);

	note_insn(w, info);
	index_count(h, 2 * number + 1, 1);
	if (step->exit_kind == TRACE_EXIT_NATIVE)
		w->registers |= step->enter.mask;
	for (unsigned i = 0; i < step->n_reads; i++)
		if (step->reads[i].outside)
			set_memory(w, step->reads[i].address, step->reads[i].size);
	for (unsigned i = 0; i < info->n_stores; i++)
		if (executed_store(info, i, step))
			set_memory(w, step->temps[info->stores[i]].w[0],
				   step->ir->ops[info->values[i]].width / 8);
	w->shallowest = MIN(w->shallowest, h->calls->len);
	w->highest = MAX(w->highest, trace_cursor_reg(c, TRACE_RSP));
	memory_streams_step(h->streams, c, step, h->n);
	index_follow(&h->path, step->pc);
	h->n++;
	note_calls(h->calls, c, step);
}

static void keep_piece(struct reverse_index *h, const struct superblocks *s,
		       const struct superblock_run *superblock)
{
	GArray *numbers = g_array_sized_new(FALSE, FALSE, sizeof(uint32_t), superblock->n);
	struct path_piece path = { 1, 0 };

	for (uint32_t i = 0; i < superblock->n; i++) {
		const struct trace_place at = superblocks_place(s, superblock->number, i);
		const uint32_t number = insn_number(h, &at);

		g_array_append_val(numbers, number);
		path.factor *= INDEX_PATH_FACTOR;
		index_follow(&path.sum, at.pc);
	}
	if (superblock->number >= h->pieces->len)
		g_ptr_array_set_size(h->pieces, (gint)superblock->number + 1);
	h->pieces->pdata[superblock->number] = numbers;
	if (superblock->number >= h->paths->len)
		g_array_set_size(h->paths, superblock->number + 1);
	g_array_index(h->paths, struct path_piece, superblock->number) = path;
}

static void follow_superblock(struct reverse_index *h, uint32_t number)
{
	const struct path_piece *p = &g_array_index(h->paths, struct path_piece, number);

	h->path = h->path * p->factor + p->sum;
}

/* Which instructions a superblock has matters only once in a window. */
static void note_insns_of_superblock(struct reverse_index *h, const struct superblocks *s,
				     const struct superblock_run *superblock)
{
	const GArray *piece;

	if (h->noted->len <= superblock->number)
		g_array_set_size(h->noted, superblock->number + 1);
	if (g_array_index(h->noted, uint32_t, superblock->number) == h->began)
		return;
	g_array_index(h->noted, uint32_t, superblock->number) = h->began;
	if (superblock->number >= h->pieces->len || !h->pieces->pdata[superblock->number])
		keep_piece(h, s, superblock);
	piece = h->pieces->pdata[superblock->number];
	for (guint i = 0; i < piece->len; i++)
		note_insn(last_window(h), &g_array_index(h->infos, struct reverse_index_insn,
							 g_array_index(piece, uint32_t, i)));
}

void reverse_index_after_superblock(struct reverse_index *h, const struct trace_cursor *c,
				    const struct superblocks *s,
				    const struct superblock_run *superblock)
{
	struct window *w = last_window(h);
	uint64_t rsp = trace_cursor_reg(c, TRACE_RSP);

	note_insns_of_superblock(h, s, superblock);
	index_count(h, 2 * superblock->number, 1);
	for (unsigned i = 0; i < superblock->n_effects; i++)
		set_memory(w, superblock->effects[i].address, superblock->effects[i].size);
	w->shallowest = MIN(w->shallowest, h->calls->len);
	w->highest = MAX(w->highest, rsp);
	follow_superblock(h, superblock->number);
	h->n += superblock->n;
	memory_streams_superblock(h->streams, c, superblock, h->n);
	if (superblock->last->flow == TRACE_FLOW_RET)
		note_return_of_call(h->calls, rsp);
	if (is_indexed_call(superblock->last) || superblock->signal)
		g_array_append_val(h->calls, rsp);
}

/* ---- the log of a window ---- */

static void log_event(struct log *log, enum reverse_index_event_kind kind, uint64_t address,
		      unsigned size, const uint64_t value[2])
{
	struct reverse_index_event e = {
		address, value[0], value[1], log->steps->len, (uint8_t)MIN(size, 64), (uint8_t)kind
	};

	g_array_append_val(log->events, e);
}

/* A load may find bytes that traced code stored beside others that nobody knows, such as the holes
 * of a structure; each of both has an event of its own. */
static void log_traced_read(struct log *log, const struct trace_read *r)
{
	uint64_t value[2];
	unsigned from = 0;

	while (from < r->size) {
		bool outside = r->outside >> from & 1;
		unsigned end = from + 1;

		outside |= r->outside && r->changed;
		while (end < r->size && (r->changed || (r->outside >> end & 1) == outside))
			end++;
		memset(value, 0, sizeof(value));
		memcpy(value, r->bytes + from, MIN(end - from, sizeof(value)));
		log_event(log, outside ? INDEX_CHANGED : INDEX_LOAD, r->address + from, end - from,
			  value);
		from = end;
	}
}

static void log_events(struct log *log, const struct reverse_index_insn *info,
		       const struct trace_step *step)
{
	for (unsigned i = 0; i < step->n_reads; i++)
		log_traced_read(log, &step->reads[i]);
	for (unsigned i = 0; i < info->n_stores; i++)
		if (executed_store(info, i, step))
			log_event(log, INDEX_STORE, step->temps[info->stores[i]].w[0],
				  step->ir->ops[info->values[i]].width / 8,
				  step->temps[info->values[i]].w);
}

static uint64_t value_after_step(const struct reverse_index_insn *info,
				 const struct trace_cursor *c, const struct trace_step *step)
{
	uint64_t others = info->writes & ~(UINT64_C(1) << TRACE_RSP | UINT64_C(1) << TRACE_RFLAGS);

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
	struct trace_place at = place_of_step(step);
	const struct reverse_index_insn *info;

	s->info = insn_number(h, &at);
	info = reverse_index_insn_of(h, s);
	s->event = h->log->events->len;
	s->depth = h->log->calls->len;
	s->entered = step->exit_kind == TRACE_EXIT_NATIVE ? step->enter.mask : 0;
	log_events(h->log, info, step);
	s->value = value_after_step(info, c, step);
	g_array_append_val(h->log->steps, *s);
	note_calls(h->log->calls, c, step);
}

/* ---- windows ---- */

uint64_t index_end_of(const struct reverse_index *h, unsigned w)
{
	return w + 1 < h->windows->len ? ((struct window *)h->windows->pdata[w + 1])->first : h->n;
}

unsigned index_window_of(const struct reverse_index *h, uint64_t number)
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

static struct log *new_log(struct reverse_index *h)
{
	struct log *log = g_new0(struct log, 1);

	log->window = UINT_MAX;
	log->steps = g_array_new(FALSE, FALSE, sizeof(struct reverse_index_step));
	log->events = g_array_new(FALSE, FALSE, sizeof(struct reverse_index_event));
	log->calls = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	g_ptr_array_add(h->logs, log);
	return log;
}

/* About as many steps load or store something as do not. */
static bool may_have_more_logs(const struct reverse_index *h)
{
	const uint64_t each = h->size * (sizeof(struct reverse_index_step) +
					 sizeof(struct reverse_index_event) / 2);

	return h->logs->len < 2 || (h->logs->len + 1) * each <= h->limits->index_log_bytes;
}

/* Takes the log of this window, or a new one, or else the log that nobody has used for the longest
 * time. */
static void take_log(struct reverse_index *h, unsigned w)
{
	struct log *oldest = NULL;

	for (guint i = 0; i < h->logs->len; i++) {
		struct log *log = h->logs->pdata[i];

		if (log->window == w) {
			h->log = log;
			return;
		}
		if (!oldest || log->used < oldest->used)
			oldest = log;
	}
	h->log = may_have_more_logs(h) ? new_log(h) : oldest;
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
	trace_cursor_ignore_deadline(log->end);
}

/* The log of at least so many of a window's first steps.  Nothing can fail here: the steps were
 * re-computed once already, and a window takes so little time that no deadline ends it. */
void index_load(struct reverse_index *h, unsigned w, uint64_t steps)
{
	struct trace_step step;

	if (!h->log || h->log->window != w)
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

struct trace_cursor *reverse_index_cursor(struct reverse_index *h, uint64_t number)
{
	const struct window *w = h->windows->pdata[index_window_of(h, number)];
	struct trace_cursor *c = trace_cursor_copy(w->start);
	struct trace_step step;

	trace_cursor_ignore_deadline(c);
	for (uint64_t i = w->first; i < number; i++) {
		int r = trace_cursor_step(c, &step, NULL);

		g_assert(r == 1);
	}
	return c;
}

const struct reverse_index_step *reverse_index_at(struct reverse_index *h, uint64_t number)
{
	unsigned w = index_window_of(h, number);
	uint64_t index = number - ((struct window *)h->windows->pdata[w])->first;

	index_load(h, w, index + 1);
	return &g_array_index(h->log->steps, struct reverse_index_step, index);
}

const struct reverse_index_insn *reverse_index_insn_of(const struct reverse_index *h,
						       const struct reverse_index_step *s)
{
	return &g_array_index(h->infos, struct reverse_index_insn, s->info);
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
