/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/heap.h"

#include "solver/formula/run-walker.h"
#include "solver/library/library.h"

#include <string.h>

/* A larger block is a mistake of the program, so it is of no use here. */
#define LARGEST_BLOCK ((uint64_t)1 << 40)

void heap_init(struct walk *w)
{
	w->blocks = g_array_new(FALSE, FALSE, sizeof(struct object));
	w->zeroed = g_array_new(FALSE, FALSE, sizeof(struct heap_zeroed));
	w->awaited = g_array_new(FALSE, FALSE, sizeof(struct heap_awaited));
}

void heap_deinit(struct walk *w)
{
	g_array_free(w->blocks, TRUE);
	g_array_free(w->zeroed, TRUE);
	g_array_free(w->awaited, TRUE);
}

/* The index of the first live block that ends after the address, or the number of blocks. */
static guint first_block_behind(const struct walk *w, uint64_t at)
{
	guint lo = 0, hi = w->blocks->len;

	while (lo < hi) {
		guint mid = (lo + hi) / 2;

		if (g_array_index(w->blocks, struct object, mid).hi <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct object *heap_block_around(const struct walk *w, uint64_t at)
{
	guint i = first_block_behind(w, at);
	const struct object *o =
		i < w->blocks->len ? &g_array_index(w->blocks, struct object, i) : NULL;

	return o && o->lo <= at ? o : NULL;
}

bool heap_is_zero(const struct walk *w, uint64_t at, struct cell cell)
{
	for (guint i = 0; i < w->zeroed->len; i++) {
		const struct heap_zeroed *z = &g_array_index(w->zeroed, struct heap_zeroed, i);

		if (at >= z->object.lo && at < z->object.hi)
			return !cell.term || cell.instance < z->instance;
	}
	return false;
}

static void forget_block(struct walk *w, uint64_t lo)
{
	guint block;

	for (guint i = 0; i < w->zeroed->len; i++)
		if (g_array_index(w->zeroed, struct heap_zeroed, i).object.lo == lo) {
			g_array_remove_index(w->zeroed, i);
			break;
		}
	block = first_block_behind(w, lo);
	if (block < w->blocks->len && g_array_index(w->blocks, struct object, block).lo == lo)
		g_array_remove_index(w->blocks, block);
}

/* Code that is not traced has freed the blocks that it overlaps. */
static bool remember_block(struct walk *w, uint64_t lo, uint64_t size)
{
	struct object o = { lo, lo + MAX(size, 1) };
	guint i;

	if (!lo || size >= LARGEST_BLOCK)
		return false;
	forget_block(w, lo);
	i = first_block_behind(w, lo);
	while (i < w->blocks->len && g_array_index(w->blocks, struct object, i).lo < o.hi)
		g_array_remove_index(w->blocks, i);
	g_array_insert_val(w->blocks, i, o);
	return true;
}

static uint64_t allocator_argument(const struct walk *w, unsigned number)
{
	static const enum trace_reg registers[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX,
						    TRACE_RCX, TRACE_R8,  TRACE_R9 };

	g_assert(number >= 1 && number <= G_N_ELEMENTS(registers));
	return w->before[registers[number - 1]];
}

static void zero_block(struct walk *w, uint64_t lo, uint64_t size)
{
	struct cell zero = { term_const(w->p, 8, 0), w->instance, false };
	struct heap_zeroed all = { { lo, lo + size }, w->instance };

	if (size > w->f->limits->zeroed_bytes) {
		g_array_append_val(w->zeroed, all);
		return;
	}
	for (uint64_t i = 0; i < size; i++)
		symbolic_set(w->memory, lo + i, zero);
}

/* Copies the string's next byte from one address to the other, as far as it is known.  When
 * only the copy is loaded later, the copy alone tells its value. */
static bool copy_byte(struct walk *w, uint64_t from, uint64_t to, uint8_t *value)
{
	uint32_t term = from ? memory_byte(w, from) : 0;

	if (!term)
		return trace_summary_byte(w->options->summary, to, value);
	*value = (uint8_t)walk_actual(w, term);
	symbolic_set(w->memory, to, (struct cell){ term, w->instance, false });
	return true;
}

/* The size of a block that holds a string copied from there (0 = it was made in another way),
 * with at most so many characters.  False: the string is too long, so the size is not known. */
static bool string_size(struct walk *w, uint64_t from, uint64_t to, uint64_t most, uint64_t *size)
{
	uint64_t i = 0;
	uint8_t value;

	for (; i < most; i++) {
		if (i == w->f->limits->string_bytes) {
			limits_reached(w->f->limits, LIMIT_string_bytes);
			return false;
		}
		*size = i; /* if the rest is not known, traced code does not load it either */
		if (!copy_byte(w, from ? from + i : 0, to + i, &value))
			return true;
		*size = i + 1;
		if (!value)
			return true;
	}
	symbolic_set(w->memory, to + i,
		     (struct cell){ term_const(w->p, 8, 0), w->instance, false });
	*size = i + 1;
	return true;
}

/* False when the call made no block. */
static bool size_of_walked_block(struct walk *w, const struct library_function *f, uint64_t lo,
				 uint64_t *size)
{
	uint64_t result = trace_cursor_reg(w->cursor, TRACE_RAX);
	uint64_t most = f->size ? allocator_argument(w, f->size) : UINT64_MAX;

	switch (f->block) {
	case LIBRARY_SIZED:
		*size = most;
		return !(f->at && (uint32_t)result != 0) &&
		       !(f->count &&
			 __builtin_mul_overflow(*size, allocator_argument(w, f->count), size));
	case LIBRARY_STRING:
		*size = 0;
		return !lo || string_size(w, f->copies ? allocator_argument(w, f->copies) : 0, lo,
					  most, size);
	case LIBRARY_PRINTED:
		*size = (f->result == LIBRARY_INT ? (uint32_t)result : result) + 1;
		return f->result == LIBRARY_INT ? (int32_t)result >= 0 : (int64_t)result >= 0;
	default:
		return false;
	}
}

/* The same place is waited for once. */
static void await_block(struct walk *w, uint64_t place, uint64_t size)
{
	struct heap_awaited a = { place, size };

	for (guint i = 0; i < w->awaited->len; i++)
		if (g_array_index(w->awaited, struct heap_awaited, i).place == place) {
			g_array_index(w->awaited, struct heap_awaited, i) = a;
			return;
		}
	g_array_append_val(w->awaited, a);
}

/* What realloc and its kin copy to a new block. */
static void move_contents(struct walk *w, const struct object *old, uint64_t to, uint64_t size)
{
	const uint64_t n = MIN(old->hi - old->lo, size);

	if (!to || to == old->lo)
		return;
	if (n > w->f->limits->string_bytes) {
		limits_reached(w->f->limits, LIMIT_string_bytes);
		return;
	}
	for (uint64_t i = 0; i < n; i++) {
		const struct cell cell = symbolic_get(w->memory, old->lo + i);
		const uint32_t before = symbolic_get(w->memory, to + i).term;
		const bool known = cell.term || before || heap_is_zero(w, old->lo + i, cell);
		const uint32_t term = known ? memory_byte(w, old->lo + i) : 0;

		if (term || before)
			symbolic_set(w->memory, to + i, (struct cell){ term, w->instance, false });
	}
}

void heap_note_call(struct walk *w)
{
	const struct library_function *f = library_find(w->step->native_name);
	uint64_t result = trace_cursor_reg(w->cursor, TRACE_RAX), size;
	const struct object *old;

	if (!f || w->step->enter.why != TRACE_WHY_RETURN)
		return;
	old = f->frees && f->block == LIBRARY_SIZED && !f->at && f->size
		      ? heap_block_around(w, allocator_argument(w, f->frees))
		      : NULL;
	if (old && size_of_walked_block(w, f, result, &size))
		move_contents(w, old, result, size);
	if (f->frees)
		forget_block(w, allocator_argument(w, f->frees));
	if (!size_of_walked_block(w, f, f->at ? 0 : result, &size))
		return;
	if (f->at)
		await_block(w, allocator_argument(w, f->at), size);
	else if (remember_block(w, result, size) && f->zeroes)
		zero_block(w, result, size);
}

void heap_note_load(struct walk *w, uint64_t at, unsigned bytes)
{
	if (bytes != 8)
		return;
	for (guint i = 0; i < w->awaited->len; i++) {
		struct heap_awaited a = g_array_index(w->awaited, struct heap_awaited, i);

		for (unsigned k = 0; a.place == at && k < w->step->n_reads; k++) {
			const struct trace_read *r = &w->step->reads[k];
			uint64_t lo;

			if (r->address != at || r->size < 8)
				continue;
			memcpy(&lo, r->bytes, sizeof(lo));
			g_array_remove_index(w->awaited, i);
			if (r->outside & 0xff)
				remember_block(w, lo, a.size);
			return;
		}
	}
}
