/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/foreign-memory.h"
#include "solver/base/hash.h"
#include "solver/library/library.h"

enum {
	LINE = 64,
	MOST_FRAMES = 64,
	/* where the size of an object is not known */
	UNKNOWN_SIZE = 256,
	MOST_BYTES = 1 << 16,
};

struct foreign_memory {
	GHashTable *lines; /* address / LINE → the bytes of it, a bit each */
	GTree *blocks;	   /* of the heap: address → size; both as pointers */
};

static gint by_address(gconstpointer a, gconstpointer b)
{
	return (uintptr_t)a < (uintptr_t)b ? -1 : (uintptr_t)a > (uintptr_t)b;
}

struct foreign_memory *foreign_memory_new(void)
{
	struct foreign_memory *m = g_new0(struct foreign_memory, 1);

	m->lines = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, g_free);
	m->blocks = g_tree_new(by_address);
	return m;
}

void foreign_memory_free(struct foreign_memory *m)
{
	if (!m)
		return;
	g_hash_table_destroy(m->lines);
	g_tree_destroy(m->blocks);
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

static void add(struct foreign_memory *m, uint64_t address, uint64_t size)
{
	uint64_t end = address + MIN(size, MOST_BYTES);

	for (; address < end; address = next_line(address)) {
		uint64_t line = address / LINE, *bits = g_hash_table_lookup(m->lines, &line);

		if (!bits) {
			bits = g_new0(uint64_t, 1);
			g_hash_table_insert(m->lines, g_memdup2(&line, sizeof(line)), bits);
		}
		*bits |= bits_in_line(address, end);
	}
}

static void take_out(struct foreign_memory *m, uint64_t address, unsigned size)
{
	uint64_t end = address + size;

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
	for (; address < end; address = next_line(address)) {
		uint64_t line = address / LINE, *bits = g_hash_table_lookup(m->lines, &line);

		if (bits && *bits & bits_in_line(address, end))
			return true;
	}
	return false;
}

/* ---- the object that a call is given ---- */

/* The variable at an address: of this frame or, by the saved frame pointers, of a caller's. */
static bool variable_at(const struct image *im, struct image_frame frame, uint64_t address,
			uint64_t *object, uint64_t *size)
{
	for (unsigned i = 0; i < MOST_FRAMES; i++) {
		struct image_lvalue lv;
		uint64_t rbp = frame.regs[TRACE_RBP], above, back;

		if (image_name_memory(im, &frame, address, 1, &lv)) {
			*object = lv.object;
			*size = lv.object_size;
			image_lvalue_clear(&lv);
			return true;
		}
		if (rbp < frame.regs[TRACE_RSP] || !frame.read(frame.arg, rbp, 8, &above) ||
		    !frame.read(frame.arg, rbp + 8, 8, &back))
			return false;
		frame.regs[TRACE_RSP] = rbp + 16;
		frame.regs[TRACE_RBP] = above;
		frame.pc = back - 1 - frame.bias;
	}
	return false;
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

static void note_argument(struct foreign_memory *m, const struct image_frame *frame,
			  const struct image *im, uint64_t address)
{
	const uint64_t lowest = 1 << 16;
	uint64_t start, size, byte;

	if (address < lowest || !is_user_memory(address, 1))
		return;
	if (variable_at(im, *frame, address, &start, &size) || block_at(m, address, &start, &size))
		add(m, start, size);
	else if (frame->read(frame->arg, address, 1, &byte))
		add(m, address, UNKNOWN_SIZE);
}

static void note_call(struct foreign_memory *m, const struct image_frame *frame,
		      const struct trace_step *step, uint64_t result)
{
	static const uint8_t order[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX,
					 TRACE_RCX, TRACE_R8,  TRACE_R9 };
	const struct library_function *f = library_find(step->native_name);

	if (f && f->block == LIBRARY_SIZED && !f->at && f->size && f->size <= 6 && f->count <= 6) {
		uint64_t size = frame->regs[order[f->size - 1]] *
				(f->count ? frame->regs[order[f->count - 1]] : 1);

		g_tree_insert(m->blocks, (gpointer)(uintptr_t)result, (gpointer)(uintptr_t)size);
	}
	if (f && (f->keeps_memory || (f->block && !f->at) || f->frees))
		return;
	for (unsigned i = 0; i < G_N_ELEMENTS(order); i++)
		note_argument(m, frame, step->module->image, frame->regs[order[i]]);
}

void foreign_memory_step(struct foreign_memory *m, const struct image_frame *before,
			 const struct trace_step *step, uint64_t result)
{
	for (uint32_t i = 0; i < step->n_ran; i++) {
		const struct ir_op *op = &step->ir->ops[i];

		if (op->kind == IR_STORE)
			take_out(m, step->temps[op->a].w[0], step->ir->ops[op->b].width / 8u);
	}
	for (unsigned i = 0; i < step->n_reads; i++)
		take_out(m, step->reads[i].address, step->reads[i].size);
	if (step->exit_kind == TRACE_EXIT_NATIVE && step->insn->flow != TRACE_FLOW_RET)
		note_call(m, before, step, result);
}

void foreign_memory_superblock(struct foreign_memory *m, const struct superblock_run *superblock)
{
	for (unsigned i = 0; i < superblock->n_effects; i++)
		take_out(m, superblock->effects[i].address, superblock->effects[i].size);
}
