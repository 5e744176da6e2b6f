/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/trace-point/foreign-memory.h"
#include "solver/source/trace-point/library-objects.h"
#include "solver/base/machine.h"
#include "solver/base/hash.h"
#include "solver/library/library.h"
#include "solver/library/mangled.h"

#include <string.h>

enum {
	LINE = 64, /* bytes for which a word has a bit each */
	/* What untraced code may have written is not in the record, so it is guessed.  These
	 * guesses are no rows of the table of limits: they decide which values may be shown as they
	 * were, and that must not depend on how long somebody is ready to search. */
	MOST_FRAMES = 64,     /* innermost calls whose variables it may have been given */
	UNKNOWN_SIZE = 256,   /* bytes of an object whose size is not known */
	MOST_BYTES = 1 << 16, /* of one object; nobody writes more of it in one call of a test */
	/* frames around the one in which a record of a run's last part begins */
	STACK_ABOVE = 1 << 20,
	MOST_RANGES = 1 << 22, /* 24 bytes each: 100 MB */
};

/* What one step's untraced code may have written. */
struct range {
	uint64_t step, address, size;
};

/* A stream that prints into memory. */
struct text_stream {
	uint64_t stream, text, size; /* its address; where the text's address and size are */
};

struct foreign_memory {
	GHashTable *lines;   /* address / LINE → the bytes of it, a bit each */
	GTree *blocks;	     /* of the heap: address → size; both as pointers */
	GArray *ranges;	     /* struct range, by step: all of them, until they are too many */
	uint64_t left_out;   /* the first step whose ranges are not in .ranges */
	uint64_t step;	     /* the one at hand */
	GArray *open;	     /* uint32_t: calls of untraced code that has called traced code, as
			      * the number of their first range; innermost last */
	GArray *streams;     /* struct text_stream, open ones */
	uint64_t remembered; /* what .remembers of the last such function is about */
	/* The stack below .frames was overwritten, but for what traced code has used since. */
	uint64_t bottom; /* of the stack: all of it is below */
	uint64_t frames;
	GByteArray *used; /* by .bottom - 1 - address: 1 = traced code used it since */
};

static gint by_range_address(gconstpointer a, gconstpointer b)
{
	return (uintptr_t)a < (uintptr_t)b ? -1 : (uintptr_t)a > (uintptr_t)b;
}

struct foreign_memory *foreign_memory_new(uint64_t stack)
{
	struct foreign_memory *m = g_new0(struct foreign_memory, 1);

	m->bottom = stack + STACK_ABOVE;
	m->used = g_byte_array_new();
	m->ranges = g_array_new(FALSE, FALSE, sizeof(struct range));
	m->open = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	m->streams = g_array_new(FALSE, FALSE, sizeof(struct text_stream));
	m->left_out = UINT64_MAX;
	m->lines = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, g_free);
	m->blocks = g_tree_new(by_range_address);
	return m;
}

void foreign_memory_free(struct foreign_memory *m)
{
	if (!m)
		return;
	g_hash_table_destroy(m->lines);
	g_tree_destroy(m->blocks);
	g_array_unref(m->ranges);
	g_array_unref(m->open);
	g_array_unref(m->streams);
	g_byte_array_unref(m->used);
	g_free(m);
}

/* The bits of the bytes in [address, end) that lie in the line of address. */
static uint64_t bits_in_line(uint64_t address, uint64_t end)
{
	uint64_t first = address % LINE, n = MIN(LINE - first, end - address);

	return (n == LINE ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1) << first;
}

static uint64_t next_line(uint64_t address)
{
	return (address / LINE + 1) * LINE;
}

/* Other numbers in registers are no addresses (x86-64 ABI, 3.3.2). */
static bool is_user_memory(uint64_t address, uint64_t size)
{
	const uint64_t end = UINT64_C(1) << 47;

	return address < end && size < end - address;
}

static void note_range(struct foreign_memory *m, uint64_t address, uint64_t size)
{
	struct range r = { m->step, address, size };

	if (m->ranges->len < MOST_RANGES)
		g_array_append_val(m->ranges, r);
	else if (m->left_out == UINT64_MAX)
		m->left_out = m->step;
}

static void add_range(struct foreign_memory *m, uint64_t address, uint64_t size)
{
	uint64_t end = address + MIN(size, MOST_BYTES);

	note_range(m, address, MIN(size, MOST_BYTES));
	for (; address < end; address = next_line(address)) {
		uint64_t line = address / LINE, *bits = g_hash_table_lookup(m->lines, &line);

		if (!bits) {
			bits = g_new0(uint64_t, 1);
			g_hash_table_insert(m->lines, g_memdup2(&line, sizeof(line)), bits);
		}
		*bits |= bits_in_line(address, end);
	}
}

/* ---- the stack below untraced calls ---- */

static bool is_below_frames(const struct foreign_memory *m, uint64_t address)
{
	return address < m->frames && m->frames - address <= MAIN_STACK_BYTES;
}

/* Untraced code runs with its frames below this one. */
static void overwrite_stack(struct foreign_memory *m, uint64_t rsp)
{
	if (rsp > m->bottom || m->bottom - rsp > MAIN_STACK_BYTES + STACK_ABOVE)
		return;
	m->frames = MAX(m->frames, rsp);
	g_byte_array_set_size(m->used, MIN(m->used->len, (guint)(m->bottom - rsp)));
	note_range(m, rsp - MAIN_STACK_BYTES, MAIN_STACK_BYTES);
}

static void use_stack(struct foreign_memory *m, uint64_t address, unsigned size)
{
	guint old = m->used->len, deepest;

	if (!is_below_frames(m, address))
		return;
	size = (unsigned)MIN(size, m->frames - address);
	deepest = (guint)(m->bottom - address);
	if (deepest > old) {
		g_byte_array_set_size(m->used, deepest);
		memset(m->used->data + old, 0, deepest - old);
	}
	memset(m->used->data + (deepest - size), 1, size);
}

static bool is_memory_overwritten(const struct foreign_memory *m, uint64_t address, unsigned size)
{
	for (unsigned i = 0; i < size && is_below_frames(m, address + i); i++) {
		uint64_t index = m->bottom - 1 - (address + i);

		if (index >= m->used->len || !m->used->data[index])
			return true;
	}
	return false;
}

/* ---- */

static void take_out(struct foreign_memory *m, uint64_t address, unsigned size)
{
	uint64_t end = address + size;

	use_stack(m, address, size);
	if (!g_hash_table_size(m->lines) || !is_user_memory(address, size))
		return;
	for (; address < end; address = next_line(address)) {
		uint64_t line = address / LINE, *bits = g_hash_table_lookup(m->lines, &line);

		if (bits)
			*bits &= ~bits_in_line(address, end);
	}
}

bool foreign_memory_has(const struct foreign_memory *m, uint64_t address, unsigned size)
{
	uint64_t end = address + size;

	if (!is_user_memory(address, size))
		return false;
	if (is_memory_overwritten(m, address, size))
		return true;
	for (; address < end; address = next_line(address)) {
		uint64_t line = address / LINE, *bits = g_hash_table_lookup(m->lines, &line);

		if (bits && *bits & bits_in_line(address, end))
			return true;
	}
	return false;
}

/* The number of the first range of this step or a later one. */
static guint first_range(const struct foreign_memory *m, uint64_t step)
{
	guint lo = 0, hi = m->ranges->len;

	while (lo < hi) {
		guint middle = lo + (hi - lo) / 2;

		if (g_array_index(m->ranges, struct range, middle).step < step)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

bool foreign_memory_wrote(const struct foreign_memory *m, uint64_t address, unsigned size,
			  uint64_t from, uint64_t until)
{
	for (guint i = first_range(m, from); i < m->ranges->len; i++) {
		const struct range *r = &g_array_index(m->ranges, struct range, i);

		if (r->step >= until)
			return false;
		if (address < r->address + r->size && r->address < address + size)
			return true;
	}
	return until > m->left_out;
}

uint64_t foreign_memory_last(const struct foreign_memory *m, uint64_t address, unsigned size,
			     uint64_t until)
{
	for (guint i = until > m->left_out ? 0 : first_range(m, until); i > 0; i--) {
		const struct range *r = &g_array_index(m->ranges, struct range, i - 1);

		if (address < r->address + r->size && r->address < address + size)
			return r->step;
	}
	return UINT64_MAX;
}

/* ---- the object that a call is given ---- */

/* May a variable of this frame lie at the address of the stack?  above: where the frame pointer's
 * value stands. */
static bool is_in_frame(const struct image_frame *frame, uint64_t address)
{
	enum { LINK = 16 }; /* what is above it: the caller's frame pointer and the way back */
	uint64_t above = frame->regs[TRACE_RBP];

	return address >= frame->regs[TRACE_RSP] &&
	       (above < frame->regs[TRACE_RSP] || address < above + LINK);
}

static bool find_variable_around(const struct image *im, const struct image_frame *frame,
				 uint64_t address, uint64_t *object, uint64_t *size)
{
	struct image_lvalue lv;

	if (!image_name_memory(im, frame, address, 1, &lv))
		return false;
	*object = lv.object;
	*size = lv.object_size;
	image_lvalue_clear(&lv);
	return true;
}

/* The variable at an address: of this frame or, by the saved frame pointers, of a caller's. */
static bool variable_at(const struct image *im, struct image_frame frame, uint64_t address,
			bool on_stack, uint64_t *object, uint64_t *size)
{
	for (unsigned i = 0; i < MOST_FRAMES; i++) {
		uint64_t rbp = frame.regs[TRACE_RBP], above, back;

		if ((!on_stack || is_in_frame(&frame, address)) &&
		    find_variable_around(im, &frame, address, object, size))
			return true;
		if (rbp < frame.regs[TRACE_RSP] || !frame.read(frame.arg, rbp, 8, &above) ||
		    !frame.read(frame.arg, rbp + 8, 8, &back))
			return false;
		frame.regs[TRACE_RSP] = rbp + 16;
		frame.regs[TRACE_RBP] = above;
		frame.pc = back - 1 - frame.bias;
	}
	return false;
}

static bool is_on_stack_of_frame(const struct foreign_memory *m, const struct image_frame *frame,
				 uint64_t address)
{
	return address >= frame->regs[TRACE_RSP] && address < m->bottom;
}

struct block_search {
	uint64_t address, start, size;
};

static gint compare_with_block(gconstpointer address, gconstpointer search)
{
	struct block_search *s = (struct block_search *)search;

	if ((uintptr_t)address > s->address)
		return -1;
	s->start = (uintptr_t)address;
	return (uintptr_t)address == s->address ? 0 : 1;
}

/* The last block that starts at or before the address, if it holds the address. */
static bool block_at(const struct foreign_memory *m, uint64_t address, uint64_t *start,
		     uint64_t *size)
{
	struct block_search s = { .address = address };

	g_tree_search(m->blocks, compare_with_block, &s);
	s.size = (uintptr_t)g_tree_lookup(m->blocks, (gpointer)(uintptr_t)s.start);
	if (!s.start || address - s.start >= s.size)
		return false;
	*start = s.start;
	*size = s.size;
	return true;
}

static bool is_address(uint64_t number)
{
	return number >= LOWEST_MAPPED_ADDRESS && is_user_memory(number, 1);
}

/* onward: the bytes before the address stay as they are. */
static void note_argument_memory(struct foreign_memory *m, const struct image_frame *frame,
				 const struct image *im, uint64_t address, bool onward)
{
	uint64_t start, size, byte;
	bool stack = is_on_stack_of_frame(m, frame, address), found;

	if (!is_address(address))
		return;
	found = stack || image_is_writable(im, address - frame->bias)
			? variable_at(im, *frame, address, stack, &start, &size)
			: block_at(m, address, &start, &size);
	if (found && onward && address >= start && address - start < size)
		add_range(m, address, size - (address - start));
	else if (found)
		add_range(m, start, size);
	else if (frame->read(frame->arg, address, 1, &byte))
		add_range(m, address, UNKNOWN_SIZE);
}

/* The heap writes its own lists into a block that is free; a new block may have been another. */
static void note_block(struct foreign_memory *m, uint64_t address, uint64_t size)
{
	if (!address)
		return;
	add_range(m, address, size);
	g_tree_insert(m->blocks, (gpointer)(uintptr_t)address, (gpointer)(uintptr_t)size);
}

static void note_freed(struct foreign_memory *m, uint64_t address)
{
	uint64_t size = (uintptr_t)g_tree_lookup(m->blocks, (gpointer)(uintptr_t)address);

	if (!address || !is_user_memory(address, 1))
		return;
	add_range(m, address, size ? size : UNKNOWN_SIZE);
	g_tree_remove(m->blocks, (gpointer)(uintptr_t)address);
}

/* `scanf' may have more arguments than registers. */
static void note_stack_arguments(struct foreign_memory *m, const struct image_frame *frame,
				 const struct image *im)
{
	enum { MOST_ARGUMENTS = 16 };
	uint64_t word;

	for (unsigned i = 0; i < MOST_ARGUMENTS; i++)
		if (frame->read(frame->arg, frame->regs[TRACE_RSP] + 8 * i, 8, &word))
			note_argument_memory(m, frame, im, word, false);
}

/* `getline' fills the buffer to which its argument's pointer points, and it may be the one that
 * it made the last time. */
static void note_failing_line(struct foreign_memory *m, const struct image_frame *frame,
			      uint64_t at)
{
	enum { LINE_SIZE = 4096 };
	uint64_t buffer;

	if (frame->read(frame->arg, at, 8, &buffer) && buffer && is_user_memory(buffer, LINE_SIZE))
		add_range(m, buffer, LINE_SIZE);
}

/* `strtok' goes on with the string of its last call when it is given none. */
static uint64_t remembered_string(struct foreign_memory *m, uint64_t argument)
{
	if (argument)
		m->remembered = argument;
	return m->remembered;
}

/* Where a stream in memory puts the address of its text, and its size, when it is shown. */
static void note_text_streams(struct foreign_memory *m, const struct image_frame *frame,
			      const struct library_function *f, uint64_t result)
{
	const struct text_stream opened = { result, frame->regs[TRACE_RDI],
					    frame->regs[TRACE_RSI] };

	for (guint i = m->streams->len; i > 0 && f->uses != LIBRARY_STREAM_OPENS; i--) {
		const struct text_stream s = g_array_index(m->streams, struct text_stream, i - 1);

		if (frame->regs[TRACE_RDI] && frame->regs[TRACE_RDI] != s.stream)
			continue;
		add_range(m, s.text, 8);
		add_range(m, s.size, 8);
		if (f->uses == LIBRARY_STREAM_CLOSES)
			g_array_remove_index(m->streams, i - 1);
	}
	if (f->uses == LIBRARY_STREAM_OPENS && result)
		g_array_append_val(m->streams, opened);
}

/* False: nothing is known of the objects that it is given. */
static bool note_library_objects(struct foreign_memory *m, const struct image_frame *frame,
				 const char *name)
{
	g_autoptr(GArray) objects = g_array_new(FALSE, FALSE, sizeof(struct library_object));
	const bool known = library_objects_written(name, frame, objects);

	for (guint i = 0; i < objects->len; i++) {
		const struct library_object *o = &g_array_index(objects, struct library_object, i);

		if (is_user_memory(o->address, MIN(o->size, MOST_BYTES)))
			add_range(m, o->address, o->size);
	}
	return known;
}

static bool writes_onward(const struct library_function *f)
{
	return f->room || f->model == LIBRARY_COPIES || f->model == LIBRARY_FILLS;
}

/* The argument that says how many bytes it writes at most; 0 = none does. */
static unsigned says_how_many(const struct library_function *f)
{
	if (f->room)
		return f->room;
	return writes_onward(f) && !f->last ? f->most : 0;
}

static void note_foreign_call(struct foreign_memory *m, const struct image_frame *frame,
			      const struct trace_step *step, uint64_t result)
{
	static const uint8_t order[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX,
					 TRACE_RCX, TRACE_R8,  TRACE_R9 };
	const struct library_function *f = library_find(step->native_name);
	const struct image *im = step->module->image;
	unsigned bounded = f ? says_how_many(f) : 0;
	const unsigned arguments = mangled_registers(step->native_name);

	if (f && (f->uses == LIBRARY_STREAM_OPENS || f->uses == LIBRARY_STREAM_SHOWS ||
		  f->uses == LIBRARY_STREAM_CLOSES))
		note_text_streams(m, frame, f, result);
	if (f && f->frees && f->frees <= 6)
		note_freed(m, frame->regs[order[f->frees - 1]]);
	if (f && f->block == LIBRARY_SIZED && !f->at && f->size && f->size <= 6 && f->count <= 6)
		note_block(m, result,
			   frame->regs[order[f->size - 1]] *
				   (f->count ? frame->regs[order[f->count - 1]] : 1));
	if (f &&
	    (f->keeps_memory || f->keeps_arguments || f->libm || (f->block && !f->at) || f->frees))
		return;
	if (!f && note_library_objects(m, frame, step->native_name))
		return;
	if (f && f->block == LIBRARY_PRINTED && f->at)
		note_failing_line(m, frame, frame->regs[order[f->at - 1]]);
	if (f && f->remembers)
		note_argument_memory(m, frame, im, remembered_string(m, frame->regs[order[0]]),
				     false);
	for (unsigned i = 0; i < arguments; i++) {
		uint64_t argument = frame->regs[order[i]];

		if (f &&
		    ((f->writes && !(f->writes & LIBRARY_ARGUMENT(i + 1))) || f->printed == i + 1))
			continue;
		if (!bounded)
			note_argument_memory(m, frame, im, argument, f && writes_onward(f));
		else if (is_address(argument))
			add_range(m, argument, frame->regs[order[bounded - 1]]);
	}
	if (step->native_name && strstr(step->native_name, "scanf"))
		note_stack_arguments(m, frame, im);
}

/* Untraced code goes on that has called traced code, qsort for one: once more it may write what
 * it was given. */
static void note_again(struct foreign_memory *m, uint32_t first)
{
	for (guint i = first, end = m->ranges->len; i < end; i++) {
		struct range r = g_array_index(m->ranges, struct range, i);

		if (r.step != g_array_index(m->ranges, struct range, first).step)
			break;
		if (r.size <= MOST_BYTES)
			add_range(m, r.address, r.size);
	}
}

/* Untraced code ran, because traced code called it or returned to it. */
static void note_untraced(struct foreign_memory *m, const struct image_frame *before,
			  const struct trace_step *step, uint64_t result)
{
	uint32_t first = m->ranges->len;

	overwrite_stack(m, before->regs[TRACE_RSP]);
	if (step->insn->flow != TRACE_FLOW_RET) {
		note_foreign_call(m, before, step, result);
		if (step->enter.why == TRACE_WHY_CALL)
			g_array_append_val(m->open, first);
	} else if (m->open->len) {
		note_again(m, g_array_index(m->open, uint32_t, m->open->len - 1));
		if (step->enter.why != TRACE_WHY_CALL)
			g_array_set_size(m->open, m->open->len - 1);
	}
}

void foreign_memory_step(struct foreign_memory *m, uint64_t number,
			 const struct image_frame *before, const struct trace_step *step,
			 uint64_t result)
{
	m->step = number;
	for (uint32_t i = 0; i < step->n_ran; i++) {
		const struct ir_op *op = &step->ir->ops[i];

		if (op->kind == IR_STORE)
			take_out(m, step->temps[op->a].w[0], step->ir->ops[op->b].width / 8u);
	}
	for (unsigned i = 0; i < step->n_reads; i++)
		take_out(m, step->reads[i].address, step->reads[i].size);
	if (step->exit_kind == TRACE_EXIT_NATIVE)
		note_untraced(m, before, step, result);
}

void foreign_memory_superblock(struct foreign_memory *m, const struct superblock_run *superblock)
{
	for (unsigned i = 0; i < superblock->n_effects; i++)
		take_out(m, superblock->effects[i].address, superblock->effects[i].size);
}
