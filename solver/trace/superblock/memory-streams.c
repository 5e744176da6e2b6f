/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/superblock/memory-streams.h"
#include "solver/base/hash.h"

#include <string.h>

/* Code that has putc_unlocked in it writes into the stream's object itself. */
enum { STREAM_BYTES = 216, ADDRESS_BYTES = 8 };

struct memory_streams {
	const struct limits *limits;
	GPtrArray *all;	     /* struct memory_stream * */
	GHashTable *by_name; /* a name's address → const struct library_function *, or NULL */
	GHashTable *by_text; /* uint64_t * address → struct memory_stream * */
	GHashTable *freed;   /* uint64_t * address → GArray of uint64_t: steps since the first was
			      * opened */
	unsigned n_freed;
	GPtrArray *watched; /* struct memory_stream *: of .all, those that are open, or have shown
			     * a text that nobody found yet */
	uint64_t given[MEMORY_STREAM_ARGUMENTS];
	uint64_t untraced; /* the last step that ran untraced code; UINT64_MAX = none */
};

static void memory_stream_free(gpointer data)
{
	struct memory_stream *m = data;

	g_array_unref(m->calls);
	g_array_unref(m->shows);
	g_free(m);
}

struct memory_streams *memory_streams_new(const struct limits *limits)
{
	struct memory_streams *s = g_new0(struct memory_streams, 1);

	s->limits = limits;
	s->all = g_ptr_array_new_with_free_func(memory_stream_free);
	s->by_name = g_hash_table_new(g_direct_hash, g_direct_equal);
	s->by_text = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	s->watched = g_ptr_array_new();
	s->freed = g_hash_table_new_full(hash_u64, g_int64_equal, g_free,
					 (GDestroyNotify)g_array_unref);
	s->untraced = UINT64_MAX;
	return s;
}

void memory_streams_free(struct memory_streams *s)
{
	if (!s)
		return;
	g_hash_table_destroy(s->by_name);
	g_hash_table_destroy(s->by_text);
	g_ptr_array_unref(s->watched);
	g_ptr_array_unref(s->all);
	g_hash_table_destroy(s->freed);
	g_free(s);
}

unsigned memory_streams_count(const struct memory_streams *s)
{
	return s->all->len;
}

const struct memory_stream *memory_streams_at(const struct memory_streams *s, unsigned number)
{
	return s->all->pdata[number];
}

const struct memory_stream *memory_streams_with_text(const struct memory_streams *s,
						     uint64_t address)
{
	return g_hash_table_lookup(s->by_text, &address);
}

uint64_t memory_stream_address(const struct memory_stream *m, unsigned show)
{
	for (unsigned i = show + 1; i > 0; i--) {
		const struct memory_stream_show *s =
			&g_array_index(m->shows, struct memory_stream_show, i - 1);

		if (s->found != UINT64_MAX)
			return s->address;
	}
	return 0;
}

bool memory_streams_freed(const struct memory_streams *s, uint64_t block, uint64_t from,
			  uint64_t until)
{
	const GArray *steps = g_hash_table_lookup(s->freed, &block);
	guint lo = 0, hi = steps ? steps->len : 0;

	while (lo < hi) {
		guint middle = lo + (hi - lo) / 2;

		if (g_array_index(steps, uint64_t, middle) < from)
			lo = middle + 1;
		else
			hi = middle;
	}
	return s->n_freed == s->limits->streams_freed ||
	       (steps && lo < steps->len && g_array_index(steps, uint64_t, lo) < until);
}

static void note_freed_block(struct memory_streams *s, uint64_t block, uint64_t step)
{
	GArray *steps = g_hash_table_lookup(s->freed, &block);

	if (!block || s->n_freed == s->limits->streams_freed)
		return;
	if (!steps) {
		steps = g_array_new(FALSE, FALSE, sizeof(uint64_t));
		g_hash_table_insert(s->freed, g_memdup2(&block, sizeof(block)), steps);
	}
	g_array_append_val(steps, step);
	s->n_freed++;
}

void memory_streams_before(struct memory_streams *s, const struct trace_cursor *c)
{
	static const enum trace_reg order[MEMORY_STREAM_ARGUMENTS] = { TRACE_RDI, TRACE_RSI,
								       TRACE_RDX, TRACE_RCX,
								       TRACE_R8,  TRACE_R9 };

	for (unsigned i = 0; i < MEMORY_STREAM_ARGUMENTS; i++)
		s->given[i] = trace_cursor_reg(c, order[i]);
}

static uint64_t given_argument(const struct memory_streams *s, unsigned number)
{
	return number ? s->given[number - 1] : 0;
}

/* ---- what a call does with a stream ---- */

/* The names are those of images, and stay where they are. */
static const struct library_function *function_of_name(struct memory_streams *s, const char *name)
{
	gpointer found = NULL;

	if (!g_hash_table_lookup_extended(s->by_name, name, NULL, &found)) {
		found = (gpointer)library_find(name);
		g_hash_table_insert(s->by_name, (gpointer)name, found);
	}
	return found;
}

/* The one that was opened first goes if there are too many. */
static void watch_memory_stream(struct memory_streams *s, struct memory_stream *m)
{
	if (s->watched->len == s->limits->streams_open) {
		struct memory_stream *first = s->watched->pdata[0];

		first->is_open = false;
		first->is_changed = true;
		g_ptr_array_remove_index(s->watched, 0);
	}
	g_ptr_array_add(s->watched, m);
}

static void open_memory_stream(struct memory_streams *s, uint64_t number, uint64_t result)
{
	struct memory_stream *m;

	if (!result)
		return;
	m = g_new0(struct memory_stream, 1);
	m->step = number;
	m->stream = result;
	m->text = s->given[0];
	m->size = s->given[1];
	m->is_open = true;
	m->calls = g_array_new(FALSE, FALSE, sizeof(struct memory_stream_call));
	m->shows = g_array_new(FALSE, FALSE, sizeof(struct memory_stream_show));
	g_ptr_array_add(s->all, m);
	watch_memory_stream(s, m);
}

/* A text that nobody can change is as long as the program's file says. */
static bool find_constant_length(const struct trace_module *module, uint64_t address,
				 uint64_t *length)
{
	bool writable = false;
	uint8_t byte = 1;

	for (*length = 0; byte; ++*length)
		if (!image_initial(module->image, address + *length - module->bias, 1, &byte,
				   &writable) ||
		    writable)
			return false;
	--*length;
	return true;
}

/* False: it failed, or nobody knows how much it printed. */
static bool find_printed_length(const struct memory_streams *s, const struct trace_step *step,
				uint64_t result, struct memory_stream_call *call)
{
	const struct library_function *f = call->function;
	const bool is_string = f->prints == LIBRARY_PRINTS_VALUE && strcmp(f->as, "%s") == 0;

	switch (f->prints) {
	case LIBRARY_PRINTS_FORMAT:
	case LIBRARY_PRINTS_LIST:
		call->length = result & INT32_MAX;
		return (int32_t)result >= 0;
	case LIBRARY_PRINTS_BYTES:
		call->length = result * given_argument(s, f->printed_times);
		return result == given_argument(s, f->printed_bytes);
	case LIBRARY_PRINTS_VALUE:
		if (is_string)
			call->text = given_argument(s, f->printed);
		if (!is_string)
			call->length = 1;
		else if (!find_constant_length(step->module, call->text, &call->length))
			call->length = UINT64_MAX;
		return (int32_t)result >= 0;
	default:
		return false;
	}
}

static void show_text(struct memory_stream *m, uint64_t number)
{
	const struct memory_stream_show show = { .step = number,
						 .calls = m->calls->len,
						 .is_known = !m->is_changed,
						 .found = UINT64_MAX };

	g_array_append_val(m->shows, show);
}

static void note_stream_call(struct memory_streams *s, struct memory_stream *m,
			     const struct trace_step *step, uint64_t number, uint64_t result,
			     unsigned registers)
{
	struct memory_stream_call call = { .step = number,
					   .before = s->untraced,
					   .function = function_of_name(s, step->native_name),
					   .registers = registers };
	const struct library_function *f = call.function;

	if (f && f->uses == LIBRARY_STREAM_PRINTS) {
		if (!find_printed_length(s, step, result, &call))
			m->is_changed = true;
		g_array_append_val(m->calls, call);
	} else if (f && (f->uses == LIBRARY_STREAM_SHOWS || f->uses == LIBRARY_STREAM_CLOSES)) {
		show_text(m, number);
		m->is_open = f->uses != LIBRARY_STREAM_CLOSES;
	} else if (!f || !f->uses) {
		call.function = NULL;
		g_array_append_val(m->calls, call);
	}
}

/* The argument where a function has a stream, of which it may read or in which it may move; 0 =
 * none. */
static unsigned stream_argument(const struct library_function *f)
{
	return f->uses ? f->stream : f->descriptor ? 0 : f->file;
}

/* The arguments that have the stream: of a function that is known, the one where it belongs. */
static unsigned registers_with_stream(const struct memory_streams *s, const struct memory_stream *m,
				      const struct library_function *f)
{
	unsigned registers = 0;

	for (unsigned i = 0; i < MEMORY_STREAM_ARGUMENTS; i++)
		if (s->given[i] == m->stream && (!f || stream_argument(f) == i + 1))
			registers |= LIBRARY_ARGUMENT(i + 1);
	return registers;
}

static bool take_untraced_call(struct memory_streams *s, const struct trace_step *step,
			       uint64_t number, uint64_t result)
{
	const struct library_function *f = function_of_name(s, step->native_name);
	const bool shows_all = f && f->uses == LIBRARY_STREAM_SHOWS && !s->given[0];
	bool printed = false;

	for (guint i = 0; i < s->watched->len; i++) {
		struct memory_stream *m = s->watched->pdata[i];
		const unsigned registers = registers_with_stream(s, m, f);

		if (!m->is_open || !(registers || shows_all))
			continue;
		note_stream_call(s, m, step, number, result, registers);
		printed |= f && f->uses == LIBRARY_STREAM_PRINTS;
	}
	if (f && f->uses == LIBRARY_STREAM_OPENS)
		open_memory_stream(s, number, result);
	if (f && f->frees && s->all->len)
		note_freed_block(s, given_argument(s, f->frees), number);
	return printed;
}

/* ---- what traced code does with its memory ---- */

static bool touches_memory(uint64_t address, unsigned size, uint64_t from, uint64_t n)
{
	return address < from + n && from < address + size;
}

/* Has the text that it shows not been found yet? */
static struct memory_stream_show *show_to_find(const struct memory_stream *m)
{
	struct memory_stream_show *last =
		m->shows->len
			? &g_array_index(m->shows, struct memory_stream_show, m->shows->len - 1)
			: NULL;

	return last && last->found == UINT64_MAX ? last : NULL;
}

static void find_text(struct memory_streams *s, const struct trace_cursor *c,
		      struct memory_stream *m, struct memory_stream_show *show, uint64_t end)
{
	uint8_t bytes[ADDRESS_BYTES];

	show->found = end;
	if (!trace_cursor_read(c, m->text, sizeof(bytes), bytes))
		return;
	memcpy(&show->address, bytes, sizeof(bytes));
	g_hash_table_replace(s->by_text, g_memdup2(&show->address, sizeof(show->address)), m);
}

static void touch_memory(struct memory_streams *s, const struct trace_cursor *c, uint64_t address,
			 unsigned size, uint64_t end)
{
	for (guint i = s->watched->len; i > 0; i--) {
		struct memory_stream *m = s->watched->pdata[i - 1];
		struct memory_stream_show *show = show_to_find(m);

		if (m->is_open && touches_memory(address, size, m->stream, STREAM_BYTES))
			m->is_changed = true;
		if (!show || !touches_memory(address, size, m->text, ADDRESS_BYTES))
			continue;
		find_text(s, c, m, show, end);
		if (!m->is_open)
			g_ptr_array_remove_index(s->watched, i - 1);
	}
}

bool memory_streams_step(struct memory_streams *s, const struct trace_cursor *c,
			 const struct trace_step *step, uint64_t number)
{
	bool printed = false;

	for (unsigned i = 0; s->watched->len && i < step->n_reads; i++)
		touch_memory(s, c, step->reads[i].address, step->reads[i].size, number + 1);
	for (uint32_t i = 0; s->watched->len && i < step->n_ran; i++) {
		const struct ir_op *op = &step->ir->ops[i];

		if (op->kind == IR_STORE && step->temps[op->a].known)
			touch_memory(s, c, step->temps[op->a].w[0], step->ir->ops[op->b].width / 8u,
				     number + 1);
	}
	if (step->exit_kind != TRACE_EXIT_NATIVE)
		return false;
	if (step->insn->flow != TRACE_FLOW_RET)
		printed = take_untraced_call(s, step, number, trace_cursor_reg(c, TRACE_RAX));
	s->untraced = number;
	return printed;
}

void memory_streams_superblock(struct memory_streams *s, const struct trace_cursor *c,
			       const struct superblock_run *superblock, uint64_t end)
{
	for (unsigned i = 0; s->watched->len && i < superblock->n_effects; i++)
		touch_memory(s, c, superblock->effects[i].address, superblock->effects[i].size,
			     end);
}
